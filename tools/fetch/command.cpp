// `geodescent fetch`: its options.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/machine/environment.hpp"
#include "base/text/near_words.hpp"
#include "common/command.hpp"
#include "common/options/options.hpp"
#include "fetch/fetch.hpp"
#include "pages/help.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* summary = "Downloads the data sets of the paper's experiments.";

constexpr const char* details =
    R"(They come from the public page of LIBSVM data sets and are kept as they are served, compressed or not. Each file is read and its counts are compared with the catalogue before it gets its name. Its checksum is recorded in SHA256SUMS, and a later download of the same set must match it. Sets that are there already are only checked. The next run resumes an interrupted download.

SET is one of the names that --list shows, or one of these groups:

)";

constexpr const char* more_details =
    R"(
Exit codes: 0 all sets are there, 1 a set differs from the catalogue or from its recorded checksum (it is kept as NAME.differs), 2 usage, 3 a set could not be fetched. A set that fails does not stop the others.)";

constexpr const char* examples = R"(Examples:

  geodescent fetch
  geodescent fetch --data sets a9a w8a
  geodescent fetch --list
  geodescent fetch --mirror file:///media/usb/libsvm all)";

struct Group {
  std::string_view name;
  std::string_view meaning;
  bool paper, others;
};
constexpr Group groups[] = {{"paper", "the suite of the paper, 36 sets (the default)", true, false},
                            {"unscaled", "badly scaled originals of four of them", false, true},
                            {"all", "both groups", true, true}};

/// The command line as it was written.
struct FetchWishes {
  std::vector<std::string> sets;
  std::string folder;
  std::string mirror;
  DownloadLimits limits;
  bool accept_different = false;
  bool list = false;
  bool json = false;
  bool quiet = false;
};

std::string close_names(std::string_view word) {
  constexpr std::size_t most_changes = 2, most_names = 5;
  std::vector<std::pair<std::size_t, std::string_view>> close;
  const auto consider = [&](std::string_view name) {
    const bool part = word.size() > 2 && name.find(word) != std::string_view::npos;
    const std::size_t changes = part ? 1 : edit_distance(word, name);
    if (changes <= most_changes) close.emplace_back(changes, name);
  };
  for (const Group& group : groups) consider(group.name);
  for (const lab::CatalogueEntry& set : lab::catalogue()) consider(set.name);
  std::stable_sort(close.begin(), close.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (std::size_t k = 0; k < std::min(close.size(), most_names); ++k) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", close[k].second);
  }
  return text;
}

[[noreturn]] void refuse_set(const std::string& word) {
  const std::string close = close_names(word);
  throw UsageError(fmt::format("unknown data set '{}'{}; 'geodescent fetch --list' shows the known ones", word,
                               close.empty() ? "" : fmt::format(" (did you mean {}?)", close)));
}

void add_sets(const std::string& word, std::vector<const lab::CatalogueEntry*>& sets) {
  const auto add = [&](const lab::CatalogueEntry& set) {
    if (std::find(sets.begin(), sets.end(), &set) == sets.end()) sets.push_back(&set);
  };
  if (const lab::CatalogueEntry* const set = lab::find_entry(word)) return add(*set);
  const auto group = std::find_if(std::begin(groups), std::end(groups), [&](const Group& g) { return g.name == word; });
  if (group == std::end(groups)) refuse_set(word);
  for (const lab::CatalogueEntry& set : lab::catalogue()) {
    if (set.paper ? group->paper : group->others) add(set);
  }
}

/// From the option, the environment or the public page; with a slash at its end.
std::string mirror_of(const FetchWishes& wishes) {
  std::string mirror = wishes.mirror;
  if (mirror.empty()) mirror = environment("GEODESCENT_MIRROR").value_or(public_page);
  constexpr std::string_view schemes[] = {"http://", "https://", "file:///"};
  if (std::none_of(std::begin(schemes), std::end(schemes), [&](auto scheme) { return mirror.starts_with(scheme); })) {
    throw UsageError(fmt::format(
        "'{}' is not an address for --mirror or GEODESCENT_MIRROR; it starts with http://, https:// or file:///",
        mirror));
  }
  return mirror.ends_with('/') ? mirror : mirror + '/';
}

FetchOptions options_of(const FetchWishes& w) {
  FetchOptions options;
  for (const std::string& word : w.sets) add_sets(word, options.sets);
  if (w.sets.empty()) add_sets(w.list ? "all" : "paper", options.sets);
  options.mirror = mirror_of(w);
  options.folder = w.folder.empty() ? lab::default_data_folder() : w.folder;
  options.limits = w.limits;
  options.accept_different = w.accept_different;
  options.json = w.json;
  options.quiet = w.quiet;
  return options;
}

void add_download(Command& app, FetchWishes& w) {
  app.start_group("Download");
  add_text(app,
           {"--data", "DIR",
            "folder of the sets (default: GEODESCENT_DATA, or geodescent/data in XDG_CACHE_HOME or ~/.cache)"},
           w.folder);
  add_text(app,
           {"--mirror", "URL", "another server with the same files: http, https or file (default: GEODESCENT_MIRROR)"},
           w.mirror);
  add_switch(app, "--accept-different", w.accept_different,
             "also uses files whose counts are not the catalogue's, or whose checksum is not the recorded one");
  add_whole(
      app,
      {"--timeout", "S",
       fmt::format("gives up on a server that is silent or too slow for S seconds (default {})", w.limits.patience)},
      w.limits.patience, {.least = 1, .most = 86400});
  add_whole(
      app,
      {"--min-speed", "B", fmt::format("fewer than B bytes a second are too slow (default {})", w.limits.least_speed)},
      w.limits.least_speed, {.least = 1, .most = 1'000'000'000});
  add_whole(app, {"--retries", "N", fmt::format("retries after a temporary failure (default {})", w.limits.retries)},
            w.limits.retries, {.least = 0, .most = 100});
}

void add_output(Command& app, FetchWishes& w) {
  app.start_group("Output");
  add_switch(app, "--list", w.list, "shows the sets and which of them are there; downloads nothing");
  add_switch(app, "--json", w.json, "the result as JSON on standard output");
  add_switch(app, "-q,--quiet", w.quiet, "no progress and no report; errors and --json remain");
}

std::string description() {
  std::string list;
  for (const Group& group : groups) list += list_line(group.name, group.meaning);
  return fmt::format("{}\n\n{}{}{}", summary, details, list, more_details);
}

}  // namespace

void add_fetch(Command& program, Action& action) {
  const auto w = std::make_shared<FetchWishes>();
  Command& app = program.add_command("fetch", description());
  add_words(app, {"SET", "SET", "a data set or a group of them (default: paper)"}, w->sets);
  add_download(app, *w);
  add_output(app, *w);
  app.footer = examples;
  app.callback = [w, &action] {
    action = [w]() -> int {
      const FetchOptions options = options_of(*w);
      return w->list ? list_sets(options) : fetch(options);
    };
  };
}

}  // namespace geodescent::cli
