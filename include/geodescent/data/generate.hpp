// Synthetic data of a given shape: the same bits for the same options on every platform.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "geodescent/data/libsvm.hpp"

namespace geodescent {

/// The shape of a generated data set.
struct GenerateOptions {
  std::size_t rows = 1000;       ///< number of rows
  std::size_t features = 100;    ///< number of columns
  double density = 0.1;          ///< share of the entries that are stored, in (0, 1]
  double power_law = 0;          ///< the k-th most frequent column occurs like 1 / k^power_law; 0: all equally often
  double conditioning = 1;       ///< largest over smallest column scale, at least 1
  std::size_t classes = 2;       ///< number of labels: -1 and 1, or 1 to `classes`; a regression has none
  double label_noise = 0;        ///< share of labels changed; regression: noise over signal, both standard deviations
  bool binary_values = false;    ///< all stored values are 1 (before scaling)
  bool positive_values = false;  ///< no negative values, like word counts
  bool unit_rows = false;        ///< rows scaled to Euclidean length 1
  bool regression = false;       ///< targets are real numbers, not classes
  std::uint64_t seed = 1;        ///< another seed is another data set of this shape
};

/// A well-known data set, by its shape.
struct GeneratePreset {
  std::string_view name;         ///< its name
  std::string_view description;  ///< one line for help texts
  GenerateOptions options;       ///< its shape
};

/// All presets.
[[nodiscard]] std::span<const GeneratePreset> generate_presets();
/// The options of a preset with its rows times `row_factor`. Throws InputError for an unknown name
/// or a bad factor.
[[nodiscard]] GenerateOptions preset_options(std::string_view name, double row_factor = 1);

/// Receives one row: target, 0-based increasing indices, values. The spans are valid during the
/// call only.
using GeneratedRow =
    std::function<void(double target, std::span<const std::uint32_t> indices, std::span<const double> values)>;

/// Makes the rows one by one. Targets come from a random linear model. With enough rows all classes
/// occur. The last column occurs, so that a reader finds the number of features. Numbers are
/// decimals of six digits, so memory and text have the same values. Throws InputError for options
/// out of range.
void generate_rows(const GenerateOptions& options, const GeneratedRow& sink);

/// The rows in memory: what a reader of the text would return.
[[nodiscard]] LibsvmData generate(const GenerateOptions& options);

/// Appends one row as a line of LIBSVM text; the indices are 0-based and written 1-based.
void append_libsvm_row(std::string& text, double target, std::span<const std::uint32_t> indices,
                       std::span<const double> values);

}  // namespace geodescent
