#include "catalogue/catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "base/environment.hpp"
#include "geodescent/error.hpp"

namespace geodescent::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view rebuilt =
    "the counts of the catalogue are those of a copy rebuilt from a binary form; the public file may differ";
constexpr std::string_view rescaled =
    "the counts of the catalogue are those of a copy scaled to [-1, 1] anew; the public file may have other nonzeros";
constexpr std::string_view converted =
    "the counts of the catalogue are those of a copy converted from the UCI original; the public file may have other "
    "nonzeros";

// name, remote file, rows, features, nonzeros, whether of the paper's suite, note
constexpr CatalogueEntry sets[] = {
    {"a1a", "a1a", 1605, 119, 22249, true},
    {"a2a", "a2a", 2265, 119, 31404, true},
    {"a3a", "a3a", 3185, 122, 44162, true},
    {"a4a", "a4a", 4781, 122, 66290, true},
    {"a5a", "a5a", 6414, 122, 88939, true},
    {"a6a", "a6a", 11220, 122, 155608, true, rebuilt},
    {"a7a", "a7a", 16100, 122, 223304, true},
    {"a8a", "a8a", 22696, 123, 314815, true},
    {"a9a", "a9a", 32561, 123, 451592, true},
    {"w1a", "w1a", 2477, 300, 28410, true},
    {"w3a", "w3a", 4912, 300, 57248, true},
    {"w4a", "w4a", 7366, 300, 86003, true},
    {"w5a", "w5a", 9888, 300, 115120, true, rebuilt},
    {"w6a", "w6a", 17188, 300, 200470, true},
    {"w7a", "w7a", 24692, 300, 288148, true},
    {"w8a", "w8a", 49749, 300, 579586, true},
    {"australian_scale", "australian_scale", 690, 14, 8447, true, rescaled},
    {"breast-cancer_scale", "breast-cancer_scale", 683, 10, 6830, true},
    {"colon-cancer", "colon-cancer.bz2", 62, 2000, 124000, true},
    {"diabetes_scale", "diabetes_scale", 768, 8, 6135, true},
    {"duke", "duke.bz2", 44, 7129, 313676, true},
    {"fourclass_scale", "fourclass_scale", 862, 2, 1717, true},
    {"german.numer_scale", "german.numer_scale", 1000, 24, 23001, true},
    {"heart_scale", "heart_scale", 270, 13, 3378, true},
    {"ijcnn1", "ijcnn1.bz2", 49990, 22, 649870, true},
    {"ionosphere_scale", "ionosphere_scale", 351, 34, 10551, true},
    {"leukemia", "leu.bz2", 38, 7129, 270902, true},
    {"liver-disorders_scale", "liver-disorders_scale", 145, 5, 724, true, rescaled},
    {"madelon", "madelon", 2000, 500, 1000000, true, converted},
    {"mushrooms", "mushrooms", 8124, 112, 170604, true},
    {"phishing", "phishing", 11055, 68, 331650, true},
    {"skin_nonskin", "skin_nonskin", 245057, 3, 735171, true, converted},
    {"sonar_scale", "sonar_scale", 208, 60, 12479, true},
    {"splice_scale", "splice_scale", 1000, 60, 60000, true, rescaled},
    {"svmguide1", "svmguide1", 3089, 4, 12356, true},
    {"svmguide3", "svmguide3", 1243, 22, 27208, true},
    {"australian", "australian", 690, 14, 9660, false},
    {"diabetes", "diabetes", 768, 8, 6144, false},
    {"german.numer", "german.numer", 1000, 24, 24000, false},
    {"heart", "heart", 270, 13, 3510, false},
};

std::optional<std::string> find_file(const fs::path& folder, std::string_view name) {
  for (const std::string_view suffix : {"", ".bz2", ".xz", ".gz", ".zst"}) {
    const fs::path path = folder / std::string(name).append(suffix);
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path.string();
  }
  return std::nullopt;
}

std::string_view without_suffix(std::string_view file) {
  constexpr std::string_view suffix = ".bz2";  // the only one at the public page
  return file.ends_with(suffix) ? file.substr(0, file.size() - suffix.size()) : file;
}

}  // namespace

std::span<const CatalogueEntry> catalogue() { return sets; }

const CatalogueEntry* find_entry(std::string_view name) {
  const auto found = std::find_if(std::begin(sets), std::end(sets), [&](const auto& set) { return set.name == name; });
  return found == std::end(sets) ? nullptr : found;
}

std::vector<std::string> paper_suite() {
  std::vector<std::string> names;
  for (const CatalogueEntry& set : sets) {
    if (set.paper) names.emplace_back(set.name);
  }
  return names;
}

std::optional<std::string> find_set(const std::string& folder, std::string_view name) {
  if (name.empty()) return std::nullopt;
  if (auto found = find_file(folder, name)) return found;
  const CatalogueEntry* const entry = find_entry(name);
  if (entry == nullptr) return std::nullopt;
  return find_file(folder, without_suffix(entry->remote));
}

std::string default_data_folder() {
  if (const auto folder = environment("GEODESCENT_DATA")) return *folder;
  // By its specification a relative XDG_CACHE_HOME is to be ignored.
  if (const auto cache = environment("XDG_CACHE_HOME"); cache && fs::path(*cache).is_absolute()) {
    return (fs::path(*cache) / "geodescent" / "data").string();
  }
  if (const auto home = environment("HOME")) return (fs::path(*home) / ".cache" / "geodescent" / "data").string();
  throw InputError("data sets: no folder for them, for HOME is not set; say --data DIR or set GEODESCENT_DATA");
}

}  // namespace geodescent::lab
