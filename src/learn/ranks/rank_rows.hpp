// The rows of a risk that several ranks minimise: how they agree about them, and who gets which.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "geodescent/data/dataset.hpp"
#include "geodescent/ranks.hpp"
#include "learn/linear/risk_operator.hpp"
#include "matrix/row_space.hpp"

namespace geodescent {

struct RankRows {
  /// Moves rows between ranks, so that each has whole blocks. The rows of rank 0 come first, then those of rank 1, and
  /// so on. All ranks throw if one of them cannot use its rows: std::invalid_argument or InputError.
  static RankRows of(const Dataset& rows_of_rank, const std::shared_ptr<Communicator>& ranks);

  /// The signs of the rows here, for the two classes of all rows. Throws InputError where there are not two.
  std::vector<std::int8_t> signs_of_classes() const;

  Dataset data;  ///< the rows that this rank works on
  RowSpace space;
  WholeMatrix whole;
};

}  // namespace geodescent
