// How rows move between ranks.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "geodescent/data/dataset.hpp"
#include "geodescent/ranks.hpp"
#include "matrix/row_space.hpp"

namespace geodescent {

/// What the rows of all ranks have in common. A rank without rows need not show it.
struct RowForm {
  bool weighted = false;
  std::optional<double> repeated = {};  ///< all entries are stored as this number
};

/// The rows held[r] of all rows, on each rank r. A rank brings the rows brought[rank]. Without
/// Dataset::ranks.
Dataset exchanged(const Dataset& rows_of_rank, const RowForm& form, std::span<const RowRange> brought,
                  std::span<const RowRange> held, Communicator& ranks);

}  // namespace geodescent
