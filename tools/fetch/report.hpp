// The result of `geodescent fetch`, as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "fetch/check.hpp"
#include "fetch/fetch.hpp"

namespace geodescent::cli {

enum class FetchStatus {
  fetched,
  already_there,
  accepted,  ///< it differs from the catalogue, and that was allowed
  differs,   ///< it differs, and so is not used
  failed
};

struct FetchOutcome {
  const lab::CatalogueEntry* set = nullptr;
  FetchStatus status = FetchStatus::failed;
  std::string file;             ///< empty: there is none
  std::optional<Counts> found;  ///< none: nothing could be read
  std::string message;          ///< what went wrong; empty when all is well
};

/// "fetched", "already there", ...
std::string_view text_of(FetchStatus status);
/// One line for a person.
std::string text_of(const FetchOutcome& outcome);
/// "a9a (3 of 36): 1.2 of 2.3 MB, 0.5 MB/s, 2 s left"
std::string text_of(const DownloadState& state, const std::string& name);

nlohmann::ordered_json json_of(const FetchOptions& options, const std::vector<FetchOutcome>& outcomes);

std::string list_text(const FetchOptions& options);
nlohmann::ordered_json list_json(const FetchOptions& options);

}  // namespace geodescent::cli
