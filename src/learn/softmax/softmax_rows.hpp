// The rows that a rank needs for a softmax risk, whose sums have other blocks for every number of
// classes.
#pragma once

#include "learn/linear/risk_operator.hpp"
#include "matrix/row_space.hpp"

namespace geodescent {

/// Beside those of `divisions_of_rows` for one output.
RowRange held_for_softmax(const WholeMatrix& matrix, std::size_t columns, bool is_dense, std::size_t classes,
                          std::size_t rank, std::size_t ranks);

/// Throws std::invalid_argument where on_ranks has not counted so many classes, and a rank needs
/// other rows.
void require_rows_for_softmax(const Dataset& data, std::size_t classes);

}  // namespace geodescent
