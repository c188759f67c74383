#include "learn/linear/whole_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "data/ranks/shared_rows.hpp"
#include "matrix/column_parts.hpp"
#include "matrix/row_totals.hpp"

namespace geodescent {
namespace {

constexpr std::size_t few_entries = std::size_t{1} << 20;  // that every rank may hold
constexpr std::size_t entries_per_block = 16384;  // large compared with the cost of handing a block to a thread

std::size_t rows_with(const WholeMatrix& m, std::size_t entries) {
  const double per_row =
      std::max(1.0, static_cast<double>(m.nonzeros) / static_cast<double>(std::max<std::size_t>(m.rows, 1)));
  return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(entries) / per_row));
}

/// Rounds the length of large blocks up to whole groups of rows.
parallel::Blocks whole_groups(parallel::Blocks blocks) {
  constexpr std::size_t group = SparseRows::group;
  if (blocks.length < group) return blocks;
  const std::size_t length = (blocks.length + group - 1) / group * group;
  return {blocks.size, length, (blocks.size + length - 1) / length};
}

/// RowMatrix::squared_norm of the matrix of all rows.
double squared_norm_of(const RowMatrix& here, const RowSpace& rows, const WholeMatrix& whole) {
  const auto* const sparse = dynamic_cast<const SparseRows*>(&here);
  const parallel::Blocks blocks =
      sparse ? sparse_total_blocks(whole.rows, whole.nonzeros) : dense_total_blocks(whole.rows, here.columns());
  return rows.sum<1>(blocks, [&](std::size_t begin, std::size_t end) {
    const RowTotals totals =
        sparse ? totals_of(*sparse, begin, end) : totals_of(dynamic_cast<const DenseRows&>(here), begin, end);
    return parallel::Sums<1>{{totals.squares}};
  })[0];
}

}  // namespace

RowSpace row_space_of(const Dataset& data) {
  if (!data.ranks) return RowSpace(data.rows->rows());
  const SharedRows& all = *data.ranks;
  return {all.ranks, all.rows, all.held[all.ranks->rank()]};
}

double weighted_squares(const Dataset& data, std::size_t begin, std::size_t end) {
  Vector squares(end - begin);
  data.rows->squared_norms(begin, end, squares);
  return dot(std::span(data.weights).subspan(begin, end - begin), squares);
}

WholeMatrix WholeMatrix::of(const SharedRows& all) {
  return {all.rows, all.nonzeros, all.longest_row, all.gram_products};
}

WholeMatrix WholeMatrix::of(const Dataset& data) {
  const RowMatrix& m = *data.rows;
  WholeMatrix whole =
      data.ranks ? of(*data.ranks) : WholeMatrix{m.rows(), m.nonzeros(), m.longest_row(), m.gram_products()};
  whole.total_weight = geodescent::total_weight(data);
  const RowSpace rows = row_space_of(data);
  whole.squared_norm = rows.alone() ? m.squared_norm() : squared_norm_of(m, rows, whole);
  double squares = whole.squared_norm;
  if (!data.weights.empty())
    squares = rows.sum<1>(
        [&](std::size_t begin, std::size_t end) { return parallel::Sums<1>{{weighted_squares(data, begin, end)}}; })[0];
  whole.row_norm = std::sqrt(squares / (data.weights.empty() ? std::max(whole.total_weight, 1.0) : whole.total_weight));
  return whole;
}

parallel::Blocks cut_forward(const RowMatrix& here, const WholeMatrix& m, std::size_t outputs) {
  return whole_groups(parallel::cut(here.rows(), rows_with(m, entries_per_block / outputs)));
}

// Each block of a backward pass has a gradient of its own. Reading 32 entries per number of it
// makes that cheap.
parallel::Blocks cut_backward(const WholeMatrix& m, std::size_t columns, std::size_t outputs) {
  const std::size_t affordable = m.nonzeros / (32 * std::max<std::size_t>(columns, 1));
  return whole_groups(parallel::cut(m.rows, rows_with(m, entries_per_block / outputs),
                                    std::clamp<std::size_t>(affordable, 1, most_backward_blocks)));
}

// Each block has a matrix of its own. The limits: many products per entry of it, and 64 MB for all
// of them.
parallel::Blocks cut_hessian(const WholeMatrix& m, std::size_t columns) {
  const double entries = static_cast<double>(columns) * static_cast<double>(columns) + 1;
  const double most = std::min(8e6 / entries, m.gram_products / (16 * entries));
  return whole_groups(parallel::cut(m.rows, 1024, static_cast<std::size_t>(std::clamp(most, 1.0, 8.0))));
}

bool enough_blocks(const parallel::Blocks& of_all, const WholeMatrix& matrix, std::size_t ranks) {
  return (of_all.count > 1 && ranks <= 2 * of_all.count) || matrix.nonzeros <= few_entries;
}

bool shares_hessian(const WholeMatrix& m, std::size_t columns, std::size_t ranks) {
  return m.rows >= columns && enough_blocks(cut_hessian(m, columns), m, ranks);
}

std::vector<parallel::Blocks> divisions_of_rows(const WholeMatrix& m, std::size_t columns, bool is_dense,
                                                std::size_t outputs, std::size_t ranks) {
  std::vector<parallel::Blocks> divisions{parallel::cut(m.rows)};
  if (!is_dense && ColumnParts::are_faster(m.nonzeros, columns)) return divisions;
  divisions.push_back(cut_backward(m, columns, outputs));
  if (outputs == 1 && shares_hessian(m, columns, ranks)) divisions.push_back(cut_hessian(m, columns));
  return divisions;
}

}  // namespace geodescent
