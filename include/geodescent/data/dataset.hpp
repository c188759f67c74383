// A data set: a matrix, one target for each row, and sample weights. The classes among the
// targets.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "geodescent/data/row_matrix.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

struct SharedRows;

/// The weight of all rows with a label; in a regression a label is a target.
struct ClassWeight {
  double label = 0;   ///< the label
  double weight = 1;  ///< a factor of the weight of its rows

  /// Whether both numbers are equal.
  bool operator==(const ClassWeight&) const = default;
};

/// Data to train on or to predict. With `ranks`, the members have the rows of this process; the
/// functions below and all that take a data set mean the rows of all ranks, or throw
/// std::invalid_argument.
struct Dataset {
  std::string name;                       ///< where it came from, for messages
  std::shared_ptr<const RowMatrix> rows;  ///< the matrix, shared
  Vector targets;                         ///< as in the file: class labels or the values of a regression
  std::size_t nonzeros = 0;               ///< entries in the file, of all ranks; a dense matrix stores more
  /// A row of weight 2 counts like two rows; weights are positive (a row of weight 0 is left out).
  /// Empty: all are 1.
  Vector weights = {};
  bool zero_based = false;  ///< how the file numbered its features
  double constant = 0;      ///< not 0: the last column has this value in every row (with_constant)
  /// The class weights that `weights` contain, sorted by label. Certificates state them.
  std::vector<ClassWeight> class_weights = {};
  /// Where the other rows are (on_ranks). Null: all rows are here. All ranks then make the same
  /// calls in the same order.
  std::shared_ptr<const SharedRows> ranks = {};
};

/// A data set of parts: one target for each row, and a sample weight for each or none at all. The
/// matrix is shared, not copied. Throws std::invalid_argument when the sizes differ, for targets
/// that are not finite, and for sample weights that are not positive and finite, or whose sum is
/// not finite.
///
///     train(dataset(csr_view(...), y), {.loss = "logistic", .l2 = 1e-3})
[[nodiscard]] Dataset dataset(std::shared_ptr<const RowMatrix> matrix, Vector targets, Vector sample_weights = {});

/// The data with a constant last column, the feature of a regularised intercept. Shares the matrix;
/// costs one pass. Training and proofs add it where it is missing. Throws std::invalid_argument as
/// RowMatrix::with_constant does.
[[nodiscard]] Dataset with_constant(Dataset data, double constant);

/// The number of rows, on all ranks.
[[nodiscard]] std::size_t number_of_rows(const Dataset& data);

/// The sum of the weights: the number of rows when all are 1.
[[nodiscard]] double total_weight(const Dataset& data);

/// The two labels of a binary problem. The larger one is the positive class.
struct BinaryLabels {
  double negative = -1;       ///< the smaller label
  double positive = 1;        ///< the larger label
  std::size_t negatives = 0;  ///< rows of each class
  std::size_t positives = 0;  ///< rows of the positive class
};

/// Throws InputError when the targets do not have exactly two distinct values.
[[nodiscard]] BinaryLabels binary_labels(const Dataset& data);

/// A class and the number of its rows.
struct ClassRows {
  double label = 0;      ///< the label
  std::size_t rows = 0;  ///< rows with this label

  /// Whether both numbers are equal.
  bool operator==(const ClassRows&) const = default;
};

/// The distinct targets in increasing order, each with its rows.
[[nodiscard]] std::vector<ClassRows> class_rows(const Dataset& data);

/// The intercept of a linear model.
enum class Bias {
  none,         ///< there is none
  free,         ///< not regularised
  regularized,  ///< the weight of a constant feature, which training adds to the data, as LIBLINEAR's -B 1
};
/// "none", "free", "regularized".
std::string_view to_string(Bias bias);

}  // namespace geodescent
