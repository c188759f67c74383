// What a matrix adds up about its rows when it is made, block by block: for matrices whose rows are
// on several ranks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/parallel.hpp"
#include "geodescent/data/row_matrix.hpp"

namespace geodescent {

struct RowTotals {
  double squares = 0;                   ///< of all entries
  std::uint64_t changes_of_length = 0;  ///< from a row to the next one, within a block
};

/// The blocks, for a matrix of this size.
parallel::Blocks sparse_total_blocks(std::size_t rows, std::size_t nonzeros);
parallel::Blocks dense_total_blocks(std::size_t rows, std::size_t columns);
/// The totals of a block.
RowTotals totals_of(const SparseRows& rows, std::size_t begin, std::size_t end);
RowTotals totals_of(const DenseRows& rows, std::size_t begin, std::size_t end);
/// Whether sparse rows with these totals are worked on in the order of their lengths.
bool pays_to_order(std::size_t rows, std::size_t nonzeros, std::uint64_t changes_of_length);

}  // namespace geodescent
