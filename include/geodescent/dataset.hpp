// A data set: rows and one target for each. How targets become the two classes of a binary loss.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "geodescent/row_matrix.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

struct Dataset {
  std::string name;  ///< where it came from, for messages
  std::shared_ptr<const RowMatrix> rows;
  Vector targets;            ///< as in the file: class labels or the values of a regression
  std::size_t nonzeros = 0;  ///< entries in the file; a dense matrix stores more
};

/// The two labels of a binary problem. The larger one is the positive class.
struct BinaryLabels {
  double negative = -1;
  double positive = 1;
  std::size_t negatives = 0;  ///< rows of each class
  std::size_t positives = 0;
};

/// Throws InputError when the targets do not have exactly two distinct values.
BinaryLabels binary_labels(const Dataset& data);

}  // namespace geodescent
