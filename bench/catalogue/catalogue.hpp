// The data sets of the experiments: what they are called, where they are published, what a right copy contains.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace geodescent::lab {

/// How many rows have this label.
struct LabelCount {
  double label = 0;
  std::size_t rows = 0;

  bool operator==(const LabelCount&) const = default;
};

/// A set for binary classification: all are.
struct CatalogueEntry {
  std::string_view name;
  std::string_view remote;  ///< its file at the public page: leukemia is leu.bz2 there
  std::size_t rows = 0;
  std::size_t features = 0;  ///< the largest index
  std::size_t nonzeros = 0;  ///< entries written, even when their value is 0
  LabelCount smaller_label;
  LabelCount larger_label;
  bool paper = false;  ///< of the paper's suite
  /// Why the public file may have other counts than these; empty when the counts are those of the public file.
  std::string_view note = {};
};

/// All sets: the paper's suite first, then the others.
std::span<const CatalogueEntry> catalogue();
/// The entry of that name, or nullptr.
const CatalogueEntry* find_entry(std::string_view name);
/// The names of the sets the paper's experiments are run on, in the order of the catalogue.
std::vector<std::string> paper_suite();

/// The file of a set in a folder, whatever its compression: name, name.bz2, .xz, .gz or .zst, or the same with the name
/// it has at the public page. `name` need not be in the catalogue.
std::optional<std::string> find_set(const std::string& folder, std::string_view name);

/// $GEODESCENT_DATA, or else $XDG_CACHE_HOME/geodescent/data, or else ~/.cache/geodescent/data. Throws InputError when
/// there is no home either.
std::string default_data_folder();

}  // namespace geodescent::lab
