// `geodescent fetch`: its options, and the command.
#pragma once

#include <string>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "fetch/download/download.hpp"

namespace geodescent::cli {

inline constexpr const char* public_page = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary/";

struct FetchOptions {
  std::vector<const lab::CatalogueEntry*> sets;
  std::string folder;
  std::string mirror = public_page;  ///< ends with a slash
  DownloadLimits limits;
  bool accept_different = false;
  bool json = false;
  bool quiet = false;
};

/// Downloads missing files; returns the exit code.
int fetch(const FetchOptions& options);
/// Shows the catalogue and which sets are in the folder.
int list_sets(const FetchOptions& options);

}  // namespace geodescent::cli
