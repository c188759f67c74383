#include "catalogue/catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "base/machine/environment.hpp"
#include "geodescent/error.hpp"

namespace geodescent::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view rebuilt =
    "the counts of the catalogue are those of a copy rebuilt from a binary form; the public file may differ";
constexpr std::string_view rescaled =
    "the counts of the catalogue are those of a copy that was scaled to [-1, 1] again; the public file may have other "
    "nonzeros";
constexpr std::string_view converted =
    "the counts of the catalogue are those of a copy converted from the UCI original; the public file may have other "
    "nonzeros";

// name, remote file, rows, features, nonzeros, {label, rows} of the smaller and of the larger
// label, whether it belongs to the paper's suite, note
constexpr CatalogueEntry sets[] = {
    {"a1a", "a1a", 1605, 119, 22249, {-1, 1210}, {1, 395}, true},
    {"a2a", "a2a", 2265, 119, 31404, {-1, 1693}, {1, 572}, true},
    {"a3a", "a3a", 3185, 122, 44162, {-1, 2412}, {1, 773}, true},
    {"a4a", "a4a", 4781, 122, 66290, {-1, 3593}, {1, 1188}, true},
    {"a5a", "a5a", 6414, 122, 88939, {-1, 4845}, {1, 1569}, true},
    {"a6a", "a6a", 11220, 122, 155608, {-1, 8528}, {1, 2692}, true, rebuilt},
    {"a7a", "a7a", 16100, 122, 223304, {-1, 12182}, {1, 3918}, true},
    {"a8a", "a8a", 22696, 123, 314815, {-1, 17190}, {1, 5506}, true},
    {"a9a", "a9a", 32561, 123, 451592, {-1, 24720}, {1, 7841}, true},
    {"w1a", "w1a", 2477, 300, 28410, {-1, 2405}, {1, 72}, true},
    {"w3a", "w3a", 4912, 300, 57248, {-1, 4769}, {1, 143}, true},
    {"w4a", "w4a", 7366, 300, 86003, {-1, 7150}, {1, 216}, true},
    {"w5a", "w5a", 9888, 300, 115120, {-1, 9607}, {1, 281}, true, rebuilt},
    {"w6a", "w6a", 17188, 300, 200470, {-1, 16663}, {1, 525}, true},
    {"w7a", "w7a", 24692, 300, 288148, {-1, 23952}, {1, 740}, true},
    {"w8a", "w8a", 49749, 300, 579586, {-1, 48270}, {1, 1479}, true},
    {"australian_scale", "australian_scale", 690, 14, 8447, {-1, 383}, {1, 307}, true, rescaled},
    {"breast-cancer_scale", "breast-cancer_scale", 683, 10, 6830, {2, 444}, {4, 239}, true},
    {"colon-cancer", "colon-cancer.bz2", 62, 2000, 124000, {-1, 40}, {1, 22}, true},
    {"diabetes_scale", "diabetes_scale", 768, 8, 6135, {-1, 268}, {1, 500}, true},
    {"duke", "duke.bz2", 44, 7129, 313676, {-1, 21}, {1, 23}, true},
    {"fourclass_scale", "fourclass_scale", 862, 2, 1717, {-1, 555}, {1, 307}, true},
    {"german.numer_scale", "german.numer_scale", 1000, 24, 23001, {-1, 700}, {1, 300}, true},
    {"heart_scale", "heart_scale", 270, 13, 3378, {-1, 150}, {1, 120}, true},
    {"ijcnn1", "ijcnn1.bz2", 49990, 22, 649870, {-1, 45137}, {1, 4853}, true},
    {"ionosphere_scale", "ionosphere_scale", 351, 34, 10551, {-1, 126}, {1, 225}, true},
    {"leukemia", "leu.bz2", 38, 7129, 270902, {-1, 11}, {1, 27}, true},
    {"liver-disorders_scale", "liver-disorders_scale", 145, 5, 724, {0, 90}, {1, 55}, true, rescaled},
    {"madelon", "madelon", 2000, 500, 1000000, {-1, 1000}, {1, 1000}, true, converted},
    {"mushrooms", "mushrooms", 8124, 112, 170604, {1, 3916}, {2, 4208}, true},
    {"phishing", "phishing", 11055, 68, 331650, {0, 4898}, {1, 6157}, true},
    {"skin_nonskin", "skin_nonskin", 245057, 3, 735171, {1, 50859}, {2, 194198}, true, converted},
    {"sonar_scale", "sonar_scale", 208, 60, 12479, {-1, 111}, {1, 97}, true},
    {"splice_scale", "splice_scale", 1000, 60, 60000, {-1, 483}, {1, 517}, true, rescaled},
    {"svmguide1", "svmguide1", 3089, 4, 12356, {0, 1089}, {1, 2000}, true},
    {"svmguide3", "svmguide3", 1243, 22, 27208, {-1, 947}, {1, 296}, true},
    {"australian", "australian", 690, 14, 9660, {-1, 383}, {1, 307}, false},
    {"diabetes", "diabetes", 768, 8, 6144, {-1, 268}, {1, 500}, false},
    {"german.numer", "german.numer", 1000, 24, 24000, {-1, 700}, {1, 300}, false},
    {"heart", "heart", 270, 13, 3510, {-1, 150}, {1, 120}, false},
};

static_assert(std::all_of(std::begin(sets), std::end(sets), [](const CatalogueEntry& set) {
  return set.smaller_label.label < set.larger_label.label && set.smaller_label.rows + set.larger_label.rows == set.rows;
}));

std::optional<std::string> find_file(const fs::path& folder, std::string_view name) {
  for (const std::string_view suffix : {"", ".bz2", ".xz", ".gz", ".zst"}) {
    const fs::path path = folder / std::string(name).append(suffix);
    std::error_code error;
    if (fs::is_regular_file(path, error)) return path.string();
  }
  return std::nullopt;
}

std::string_view without_suffix(std::string_view file) {
  constexpr std::string_view suffix = ".bz2";  // the only compression of the public page
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
  // The specification says that a relative XDG_CACHE_HOME must be ignored.
  if (const auto cache = environment("XDG_CACHE_HOME"); cache && fs::path(*cache).is_absolute()) {
    return (fs::path(*cache) / "geodescent" / "data").string();
  }
  if (const auto home = environment("HOME")) return (fs::path(*home) / ".cache" / "geodescent" / "data").string();
  throw InputError("data sets: no folder for them, for HOME is not set; say --data DIR or set GEODESCENT_DATA");
}

}  // namespace geodescent::lab
