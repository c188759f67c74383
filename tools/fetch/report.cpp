#include "fetch/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/output.hpp"
#include "geodescent/version.hpp"

namespace geodescent::cli {
namespace {

using nlohmann::ordered_json;

constexpr FetchStatus all_statuses[] = {FetchStatus::fetched, FetchStatus::already_there, FetchStatus::accepted,
                                        FetchStatus::differs, FetchStatus::failed};

std::string megabytes(double bytes) { return fmt::format("{:.{}f}", bytes / 1e6, bytes < 1e7 ? 2 : 1); }

std::string duration_text(double seconds) {
  const double whole = std::ceil(seconds);
  if (whole < 120) return fmt::format("{:.0f} s", whole);
  return fmt::format("{:.0f} min", std::ceil(whole / 60));
}

ordered_json json_of(const lab::LabelCount& c) { return {{"label", c.label}, {"rows", c.rows}}; }

ordered_json json_of(const Counts& c) {
  return {{"rows", c.rows},
          {"features", c.features},
          {"nonzeros", c.nonzeros},
          {"labels", ordered_json::array({json_of(c.smaller_label), json_of(c.larger_label)})}};
}

/// One word, for programs.
std::string word_of(FetchStatus status) {
  std::string word(text_of(status));
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
}

/// Empty texts are null.
ordered_json text_or_null(std::string_view text) { return text.empty() ? ordered_json(nullptr) : ordered_json(text); }

ordered_json json_of(const FetchOptions& options, const FetchOutcome& o) {
  return {{"name", o.set->name},
          {"status", word_of(o.status)},
          {"file", text_or_null(o.file)},
          {"address", options.mirror + std::string(o.set->remote)},
          {"expected", json_of(expected_counts(*o.set))},
          {"found", o.found ? json_of(*o.found) : ordered_json(nullptr)},
          {"message", text_or_null(o.message)}};
}

}  // namespace

std::string_view text_of(FetchStatus status) {
  switch (status) {
    case FetchStatus::fetched:
      return "fetched";
    case FetchStatus::already_there:
      return "already there";
    case FetchStatus::accepted:
      return "accepted";
    case FetchStatus::differs:
      return "differs";
    case FetchStatus::failed:
      return "failed";
  }
  return "unknown";
}

std::string text_of(const FetchOutcome& o) {
  const std::string contents = o.found ? text_of(*o.found) : "";
  const std::string line = fmt::format("{:<22} {:<14} {}", o.set->name, text_of(o.status), contents);
  return line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
}

std::string text_of(const DownloadState& s, const std::string& name) {
  const double received = static_cast<double>(s.received);
  const double total = static_cast<double>(s.total);
  std::string text = fmt::format("{}: {}", name, megabytes(received));
  if (s.total > 0) text += fmt::format(" of {}", megabytes(total));
  text += fmt::format(" MB, {} MB/s", megabytes(s.speed));
  if (s.total > 0 && s.speed > 0) text += fmt::format(", {} left", duration_text((total - received) / s.speed));
  return text;
}

ordered_json json_of(const FetchOptions& options, const std::vector<FetchOutcome>& outcomes) {
  ordered_json sets = ordered_json::array();
  for (const FetchOutcome& outcome : outcomes) sets.push_back(json_of(options, outcome));
  ordered_json counts;
  for (const FetchStatus status : all_statuses) {
    counts[word_of(status)] =
        std::count_if(outcomes.begin(), outcomes.end(), [&](const FetchOutcome& o) { return o.status == status; });
  }
  return {{"folder", options.folder},
          {"mirror", options.mirror},
          {"counts", counts},
          {"sets", sets},
          {"version", GEODESCENT_VERSION_STRING}};
}

std::string list_text(const FetchOptions& options) {
  std::string text = fmt::format("in {}, from {}\n\n", one_line(options.folder), one_line(options.mirror));
  text += fmt::format("{:<22} {:>7} {:>8} {:>8}  {:<8}  {}\n", "set", "rows", "features", "nonzeros", "suite", "file");
  for (const lab::CatalogueEntry* set : options.sets) {
    const auto file = lab::find_set(options.folder, set->name);
    text += fmt::format("{:<22} {:>7} {:>8} {:>8}  {:<8}  {}\n", set->name, set->rows, set->features, set->nonzeros,
                        set->paper ? "paper" : "unscaled", file ? one_line(*file) : "not there");
  }
  std::string notes;
  for (const lab::CatalogueEntry* set : options.sets)
    if (!set->note.empty()) notes += fmt::format("{}: {}\n", set->name, set->note);
  return notes.empty() ? text : text + "\nWhy a public file may have other counts:\n" + notes;
}

ordered_json list_json(const FetchOptions& options) {
  ordered_json sets = ordered_json::array();
  for (const lab::CatalogueEntry* set : options.sets) {
    sets.push_back({{"name", set->name},
                    {"suite", set->paper ? "paper" : "unscaled"},
                    {"rows", set->rows},
                    {"features", set->features},
                    {"nonzeros", set->nonzeros},
                    {"labels", ordered_json::array({json_of(set->smaller_label), json_of(set->larger_label)})},
                    {"address", options.mirror + std::string(set->remote)},
                    {"file", text_or_null(lab::find_set(options.folder, set->name).value_or(""))},
                    {"note", text_or_null(set->note)}});
  }
  return {
      {"folder", options.folder}, {"mirror", options.mirror}, {"sets", sets}, {"version", GEODESCENT_VERSION_STRING}};
}

}  // namespace geodescent::cli
