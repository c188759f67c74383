// Reading LIBSVM text, plain or compressed: `label [qid:number] index:value ... [# comment]`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geodescent/data/dataset.hpp"
#include "geodescent/data/row_matrix.hpp"
#include "geodescent/ranks.hpp"

namespace geodescent {

/// The number of the first feature in a file.
enum class IndexBase {
  automatic,  ///< 0 where an index 0 occurs, else 1
  zero,       ///< 0
  one         ///< 1
};

/// Room for ten million entries of 50 bytes each.
inline constexpr std::size_t default_line_limit = 500'000'000;

/// How LIBSVM text is read.
struct LibsvmOptions {
  IndexBase index_base = IndexBase::automatic;  ///< automatic: 0-based when an index 0 occurs, else 1-based
  std::optional<std::size_t> features = {};     ///< number of columns; an index beyond it is an error
  /// In bytes; a longer line is an error, since a small compressed file can hold one that fits no
  /// memory. Lines of up to 1 MB are always read.
  std::size_t line_limit = default_line_limit;
  /// The remedy in the error for an index that contradicts `index_base` or `features`; empty: to
  /// change these.
  std::string index_advice = {};
};

/// The contents of a file by rows, before a form of the matrix is chosen.
struct LibsvmData {
  SparseRows rows;          ///< the matrix
  Vector targets;           ///< the labels
  bool zero_based = false;  ///< whether the file numbers its features from 0
};

/// Reads a file, or standard input when `path` is "-". Gzip, bzip2, xz and zstd are recognised by
/// their content; a library built without GEODESCENT_COMPRESSION refuses them. Throws InputError
/// ("file:line:column: reason; remedy").
[[nodiscard]] LibsvmData read_libsvm(const std::string& path, const LibsvmOptions& options = {});

/// The same from memory (plain text only); errors call it `name`.
[[nodiscard]] LibsvmData parse_libsvm(std::string_view text, const std::string& name,
                                      const LibsvmOptions& options = {});

/// Receives one row: its label, its 0-based increasing indices, its values. The spans are valid
/// during the call only.
using RowFunction =
    std::function<void(double label, std::span<const std::uint32_t> indices, std::span<const double> values)>;

/// Passes one row after the other to `row` and keeps none, so the file may have any size.
/// IndexBase::automatic decides at the first row that has entries: 0-based when its first index is
/// 0, else 1-based, and then an index 0 in a later row is an error. Throws InputError as
/// read_libsvm does, after the rows before the error were handed on.
void for_each_row(const std::string& path, const LibsvmOptions& options, const RowFunction& row);

/// Makes a data set from rows, with the matrix in its best form.
[[nodiscard]] Dataset dataset_of(LibsvmData data, std::string name);

/// read_libsvm, as a data set.
[[nodiscard]] Dataset read_dataset(const std::string& path, const LibsvmOptions& options = {});

/// The largest number of labels with a class weight: a certificate states them all.
inline constexpr std::size_t most_class_weights = 64;

/// Sample weights. The weight of a row is the product of all weights that apply to it, class
/// weights last; a weight of 0 leaves the row out, so that the rest of the library sees positive
/// weights only.
struct DatasetOptions {
  LibsvmOptions libsvm = {};                         ///< how the text is read
  std::string row_weights = {};                      ///< a file with one weight a row, each on its line
  std::optional<std::uint32_t> weight_feature = {};  ///< this feature, by its number in the file, is the row's weight
  std::vector<ClassWeight> class_weights = {};       ///< for up to most_class_weights labels
  /// Class weights n / (K n_c), as scikit-learn's class_weight="balanced": n is the sum of all row
  /// weights, n_c that of the row's class. There must be K = 2 to most_class_weights classes and no
  /// other class weights.
  bool balanced_classes = false;
};

/// One class weight for each label: the product of those given, sorted by label. Throws InputError
/// for weights that are negative or not finite, and for more than most_class_weights labels.
[[nodiscard]] std::vector<ClassWeight> combined(std::span<const ClassWeight> given);

/// Throws InputError, also for weights that are negative or not finite, a file of weights with
/// another number of rows, and a class that does not occur.
[[nodiscard]] Dataset read_dataset(const std::string& path, const DatasetOptions& options);
/// Several files, one after the other, as one data set: as if they were one file. With ranks the
/// rows of this rank, about the same number of bytes for each: of plain files a range of lines, of
/// converted files a range of rows; compressed files are read by one rank each. on_ranks() takes
/// the result. Columns, numbering, weights and errors are those of all rows; all ranks throw the
/// error of the first one, "rank R: file:line:column: reason; remedy".
[[nodiscard]] Dataset read_dataset(std::span<const std::string> paths, const DatasetOptions& options,
                                   Communicator* ranks = nullptr);
/// The same for text that was read already.
[[nodiscard]] Dataset dataset_of(LibsvmData data, std::string name, const DatasetOptions& options);

}  // namespace geodescent
