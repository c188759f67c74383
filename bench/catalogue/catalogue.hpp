// The data sets of the experiments: their names, their public files, and the counts of a correct
// copy.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace geodescent::lab {

/// The number of rows with this label.
struct LabelCount {
  double label = 0;
  std::size_t rows = 0;

  bool operator==(const LabelCount&) const = default;
};

/// A data set for binary classification.
struct CatalogueEntry {
  std::string_view name;
  std::string_view remote;  ///< its file at the public page; leukemia is leu.bz2 there
  std::size_t rows = 0;
  std::size_t features = 0;  ///< the largest index
  std::size_t nonzeros = 0;  ///< stored entries, including explicit zeros
  LabelCount smaller_label;
  LabelCount larger_label;
  bool paper = false;  ///< whether it belongs to the paper's suite
  /// Why the public file may have other counts; empty if the counts are those of the public file.
  std::string_view note = {};
};

/// All sets: first the paper's suite.
std::span<const CatalogueEntry> catalogue();
/// The entry with this name, or nullptr.
const CatalogueEntry* find_entry(std::string_view name);
/// The names of the paper's sets, in the order of the catalogue.
std::vector<std::string> paper_suite();

/// The file of a set in a folder, with any compression: name, name.bz2, .xz, .gz or .zst, or the
/// same with its name at the public page. `name` may be any name, also one that the catalogue does
/// not have.
std::optional<std::string> find_set(const std::string& folder, std::string_view name);

/// $GEODESCENT_DATA if set, else $XDG_CACHE_HOME/geodescent/data, else ~/.cache/geodescent/data.
/// Throws InputError if none of them is known.
std::string default_data_folder();

}  // namespace geodescent::lab
