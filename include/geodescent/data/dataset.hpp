// A data set: rows, one target for each, and what each row counts. How targets become the two classes of a binary loss.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "geodescent/data/row_matrix.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

struct Dataset {
  std::string name;  ///< where it came from, for messages
  std::shared_ptr<const RowMatrix> rows;
  Vector targets;            ///< as in the file: class labels or the values of a regression
  std::size_t nonzeros = 0;  ///< entries in the file; a dense matrix stores more
  /// A row of weight 2 counts like two rows; weights are positive (a row of weight 0 is left out). Empty: all are 1.
  Vector weights = {};
  bool zero_based = false;  ///< how the file numbered its features
};

/// The sum of the weights: the number of rows when all are 1.
double total_weight(const Dataset& data);

/// The two labels of a binary problem. The larger one is the positive class.
struct BinaryLabels {
  double negative = -1;
  double positive = 1;
  std::size_t negatives = 0;  ///< rows of each class
  std::size_t positives = 0;
};

/// Throws InputError when the targets do not have exactly two distinct values.
BinaryLabels binary_labels(const Dataset& data);

/// The intercept of a linear model.
enum class Bias {
  none,         ///< there is none
  free,         ///< not regularised
  regularized,  ///< the weight of a feature that is 1 in every row, as LIBLINEAR's -B 1
};
/// "none", "free", "regularized".
std::string_view to_string(Bias bias);

}  // namespace geodescent
