// `geodescent fetch`: the work. A file gets its name only when it is whole, on the disk and
// checked.
#include "fetch/fetch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "common/command.hpp"
#include "common/interrupt.hpp"
#include "common/output.hpp"
#include "common/progress.hpp"
#include "fetch/check.hpp"
#include "fetch/checksums.hpp"
#include "fetch/lock.hpp"
#include "fetch/report.hpp"

namespace geodescent::cli {
namespace {

std::string difference_text(const lab::CatalogueEntry& set, const Counts& found) {
  const std::string text =
      fmt::format("differs from the catalogue: expected {}, found {}", text_of(expected_counts(set)), text_of(found));
  return set.note.empty() ? text : fmt::format("{} (note: {})", text, set.note);
}

class Fetcher {
 public:
  explicit Fetcher(const FetchOptions& options)
      : options_(options), downloader_(options.limits), checksums_(options.folder) {}

  std::vector<FetchOutcome> run();

 private:
  FetchOutcome fetch_set(const lab::CatalogueEntry& set);
  FetchOutcome check_present(const lab::CatalogueEntry& set, const std::string& file) const;
  /// Throws NotData when the file is not what was fetched.
  void compare_checksum(const std::string& file) const;
  /// Why a download is not what the catalogue and SHA256SUMS know; empty when it is.
  std::string difference(const lab::CatalogueEntry& set, const std::string& file, const Counts& found) const;
  std::optional<FetchOutcome> accept_earlier(const lab::CatalogueEntry& set) const;
  FetchOutcome download_set(const lab::CatalogueEntry& set);
  Counts counts_of_download(const lab::CatalogueEntry& set, PartFile& part);
  FetchOutcome keep(const lab::CatalogueEntry& set, PartFile& part, const Counts& found) const;
  void record_checksum(const lab::CatalogueEntry& set, const std::string& file) const;
  void download(const lab::CatalogueEntry& set, PartFile& part);
  void tell(const FetchOutcome& outcome) const;

  std::string address_of(const lab::CatalogueEntry& set) const { return options_.mirror + std::string(set.remote); }
  std::string target_of(const lab::CatalogueEntry& set) const {
    return (std::filesystem::path(options_.folder) / set.remote).string();
  }
  std::string aside(const lab::CatalogueEntry& set) const { return target_of(set) + ".differs"; }

  const FetchOptions& options_;
  Downloader downloader_;
  Checksums checksums_;
  std::optional<FolderLock> lock_;
  std::string unreachable_;  ///< why no further downloads are tried; empty while they are
  std::size_t position_ = 0;
  bool resumed_ = false;
};

std::vector<FetchOutcome> Fetcher::run() {
  checksums_.check();
  std::vector<FetchOutcome> outcomes;
  for (const lab::CatalogueEntry* set : options_.sets) {
    ++position_;
    outcomes.push_back(fetch_set(*set));
    tell(outcomes.back());
    if (interrupted() != 0) throw Interrupted{interrupted()};
  }
  return outcomes;
}

FetchOutcome Fetcher::fetch_set(const lab::CatalogueEntry& set) {
  if (const auto file = lab::find_set(options_.folder, set.name)) return check_present(set, *file);
  // Only writers need the lock: existing data can be checked in a read-only folder.
  if (!lock_) {
    lock_.emplace(options_.folder, options_.quiet);
    if (const auto file = lab::find_set(options_.folder, set.name)) return check_present(set, *file);
  }
  if (auto outcome = accept_earlier(set)) return *outcome;
  if (!unreachable_.empty()) {
    return {&set, FetchStatus::failed, "", {}, fmt::format("{}: not tried; {}", address_of(set), unreachable_)};
  }
  try {
    return download_set(set);
  } catch (const DownloadError& error) {
    if (error.unreachable) unreachable_ = "the server cannot be reached";
    return {&set, FetchStatus::failed, "", {}, error.what()};
  } catch (const InputError& error) {
    return {&set, FetchStatus::failed, "", {}, error.what()};
  }
}

FetchOutcome Fetcher::check_present(const lab::CatalogueEntry& set, const std::string& file) const {
  FetchOutcome outcome{&set, FetchStatus::already_there, file, {}, ""};
  try {
    compare_checksum(file);
    outcome.found = counts_in(file, set);
  } catch (const NotData& error) {
    outcome.status = FetchStatus::failed;
    outcome.message = fmt::format("{}: {}; remove it and fetch again", file, error.what());
    return outcome;
  } catch (const InputError& error) {
    outcome.status = FetchStatus::failed;
    outcome.message = error.what();
    return outcome;
  }
  if (*outcome.found == expected_counts(set)) return outcome;
  outcome.status = options_.accept_different ? FetchStatus::accepted : FetchStatus::differs;
  outcome.message = fmt::format("{}: {}; remove it and fetch again, or use it as it is with --accept-different", file,
                                difference_text(set, *outcome.found));
  return outcome;
}

void Fetcher::compare_checksum(const std::string& file) const {
  const auto recorded = checksums_.recorded_for(std::filesystem::path(file).filename().string());
  if (recorded && *recorded != sha256_of_file(file)) {
    throw NotData("changed since it was fetched (its checksum is not the one in SHA256SUMS)");
  }
}

std::string Fetcher::difference(const lab::CatalogueEntry& set, const std::string& file, const Counts& found) const {
  if (found != expected_counts(set)) return difference_text(set, found);
  const auto recorded = checksums_.recorded_for(std::string(set.remote));
  if (!recorded || *recorded == sha256_of_file(file)) return "";
  return "not what was fetched before: its checksum is not the one in SHA256SUMS";
}

/// Before the file gets its name, so no fetched file is without its record.
void Fetcher::record_checksum(const lab::CatalogueEntry& set, const std::string& file) const {
  checksums_.record(std::string(set.remote), sha256_of_file(file));
}

/// Reuses a file that an earlier run has put aside if it is accepted now.
std::optional<FetchOutcome> Fetcher::accept_earlier(const lab::CatalogueEntry& set) const {
  std::error_code error;
  if (!options_.accept_different || !std::filesystem::is_regular_file(aside(set), error)) return std::nullopt;
  try {
    counts_in(aside(set), set);
    record_checksum(set, aside(set));
    move_file(aside(set), target_of(set));
  } catch (const InputError&) {
    return std::nullopt;
  }
  return check_present(set, target_of(set));
}

FetchOutcome Fetcher::download_set(const lab::CatalogueEntry& set) {
  PartFile part(target_of(set), address_of(set));
  download(set, part);
  Counts found;
  try {
    found = counts_of_download(set, part);
  } catch (const NotData& error) {
    part.discard();
    throw InputError(fmt::format("{}: the server has sent {}; check the address, --mirror URL names another server",
                                 address_of(set), error.what()));
  }
  return keep(set, part, found);
}

/// The bytes of an earlier run may be damaged (a crash of the machine before they were on the
/// disk). Then the whole file is fetched once more.
Counts Fetcher::counts_of_download(const lab::CatalogueEntry& set, PartFile& part) {
  if (resumed_) {
    try {
      const Counts found = counts_in(part.name(), set);
      if (difference(set, part.name(), found).empty()) return found;
    } catch (const NotData&) {  // the next attempt reports the error
    }
    part.restart({});
    download(set, part);
  }
  return counts_in(part.name(), set);
}

FetchOutcome Fetcher::keep(const lab::CatalogueEntry& set, PartFile& part, const Counts& found) const {
  const std::string wrong = difference(set, part.name(), found);
  if (wrong.empty() || options_.accept_different) {
    record_checksum(set, part.name());
    part.finish(target_of(set));
    ::unlink(aside(set).c_str());
    return {&set, wrong.empty() ? FetchStatus::fetched : FetchStatus::accepted, target_of(set), found,
            wrong.empty() ? "" : fmt::format("{}: {}", address_of(set), wrong)};
  }
  part.finish(aside(set));
  return {&set, FetchStatus::differs, aside(set), found,
          fmt::format("{}: {}; kept as {} and not used, --accept-different uses it as it is", address_of(set), wrong,
                      aside(set))};
}

void Fetcher::download(const lab::CatalogueEntry& set, PartFile& part) {
  const std::string name = fmt::format("{} ({} of {})", set.name, position_, options_.sets.size());
  ProgressLine line(options_.quiet);
  line.announce(name + ": connecting");
  resumed_ = downloader_.download(address_of(set), part, most_bytes(set), [&](const DownloadState& state) {
    line.update([&] { return text_of(state, name); });
  });
}

void Fetcher::tell(const FetchOutcome& outcome) const {
  const std::string kind = outcome.status == FetchStatus::accepted ? "warning" : "error";
  if (!outcome.message.empty()) print_error(fmt::format("geodescent: {}: {}\n", kind, one_line(outcome.message)));
  if (!options_.quiet && !options_.json) print_out(text_of(outcome));
}

bool any(const std::vector<FetchOutcome>& outcomes, FetchStatus status) {
  return std::any_of(outcomes.begin(), outcomes.end(), [&](const FetchOutcome& o) { return o.status == status; });
}

}  // namespace

int fetch(const FetchOptions& options) {
  const InterruptGuard guard;
  std::vector<FetchOutcome> outcomes;
  try {
    outcomes = Fetcher(options).run();
  } catch (const Interrupted&) {
    print_error("geodescent: interrupted; what has come is kept, and the next fetch goes on from there\n");
    throw;
  }
  if (options.json) print_json(json_of(options, outcomes));
  if (any(outcomes, FetchStatus::failed)) return failure;
  return any(outcomes, FetchStatus::differs) ? not_reached : success;
}

int list_sets(const FetchOptions& options) {
  options.json ? print_json(list_json(options)) : print_out(list_text(options));
  return success;
}

}  // namespace geodescent::cli
