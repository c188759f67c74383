#include "learn/softmax/softmax_rows.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "base/column_products.hpp"
#include "data/ranks/shared_rows.hpp"
#include "learn/softmax/softmax_chunk.hpp"
#include "learn/softmax/softmax_hessian.hpp"
#include "optimize/search/reduced.hpp"

namespace geodescent {

RowRange held_for_softmax(const WholeMatrix& matrix, std::size_t columns, bool is_dense, std::size_t classes,
                          std::size_t rank, std::size_t ranks) {
  const std::size_t rows = matrix.rows, group = RowShares::group(is_dense);
  std::vector<parallel::Blocks> of_rows = divisions_of_rows(matrix, columns, is_dense, classes, ranks);
  of_rows.push_back(softmax_blocks(rows, classes));
  of_rows.push_back(reduced_group_blocks(rows, classes));
  if (ranks_have_softmax_hessian(matrix, columns, classes, ranks))
    for (const parallel::Blocks& blocks : softmax_hessian_blocks(matrix, columns, classes)) of_rows.push_back(blocks);
  const std::vector<parallel::Blocks> of_entries{parallel::cut(rows * classes), column_product_blocks(rows * classes)};

  const RowRange held = RowShares{rows, ranks}.held(of_rows, rank, group);
  const RowRange entries = RowShares{rows * classes, ranks, classes}.held(of_entries, rank, group);
  return {std::min(held.begin, entries.begin / classes), std::max(held.end, entries.end / classes)};
}

void require_rows_for_softmax(const Dataset& data, std::size_t classes) {
  if (!data.ranks) return;
  const WholeMatrix matrix = WholeMatrix::of(*data.ranks);
  const std::vector<RowRange>& held = data.ranks->held;
  for (std::size_t r = 0; r < held.size(); ++r) {
    const bool is_dense = dynamic_cast<const DenseRows*>(data.rows.get()) != nullptr;
    const RowRange needed = held_for_softmax(matrix, data.rows->columns(), is_dense, classes, r, held.size());
    if (needed.begin < held[r].begin || needed.end > held[r].end)
      throw std::invalid_argument(fmt::format(
          "{}: softmax over {} classes on ranks needs rows with {} different targets when on_ranks moves them",
          data.name, classes, classes));
  }
}

}  // namespace geodescent
