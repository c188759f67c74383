#include "learn/linear/risk_operator.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "data/ranks/shared_rows.hpp"
#include "kernels/kernels.hpp"
#include "matrix/row_totals.hpp"

namespace geodescent {
namespace {

constexpr std::size_t few_rows = 8192;            // that ranks may hold twice
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

parallel::Blocks cut_forward(const RowMatrix& here, const WholeMatrix& m, std::size_t outputs) {
  return whole_groups(parallel::cut(here.rows(), rows_with(m, entries_per_block / outputs)));
}

// Each block of a backward pass has a gradient of its own. Reading 32 entries per number of it
// makes that cheap.
parallel::Blocks cut_backward(const WholeMatrix& m, std::size_t columns, std::size_t outputs) {
  const std::size_t affordable = m.nonzeros / (32 * std::max<std::size_t>(columns, 1));
  return whole_groups(
      parallel::cut(m.rows, rows_with(m, entries_per_block / outputs), std::clamp<std::size_t>(affordable, 1, 64)));
}

// Each block has a matrix of its own. The limits: many products per entry of it, and 64 MB for all
// of them.
parallel::Blocks cut_hessian(const WholeMatrix& m, std::size_t columns) {
  const double entries = static_cast<double>(columns) * static_cast<double>(columns) + 1;
  const double most = std::min(8e6 / entries, m.gram_products / (16 * entries));
  return whole_groups(parallel::cut(m.rows, 1024, static_cast<std::size_t>(std::clamp(most, 1.0, 8.0))));
}

/// Whether there are enough blocks. The large matrices of many columns have few, and a rank would need the rows of many
/// others for one.
bool shares_hessian(const WholeMatrix& m, std::size_t columns, std::size_t ranks) {
  return ranks <= 2 * cut_hessian(m, columns).count || m.rows <= few_rows;
}

/// sum += block_0 + block_1 + ..., in order.
void add_blocks(std::span<double> sum, const double* blocks, std::size_t stride, std::size_t count) {
  static constexpr auto ones = [] {
    std::array<double, parallel::max_blocks> all{};
    all.fill(1);
    return all;
  }();
  kernels().multi_axpy(sum.data(), ones.data(), blocks, stride, count, sum.size());
}

/// Whether products by parts of the columns are faster.
bool is_wide(const RowMatrix& here, const WholeMatrix& whole) {
  return dynamic_cast<const SparseRows*>(&here) && ColumnParts::are_faster(whole.nonzeros, here.columns());
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

WholeMatrix WholeMatrix::of(const Dataset& data) {
  const RowMatrix& m = *data.rows;
  WholeMatrix whole;
  if (data.ranks)
    whole = {data.ranks->rows, data.ranks->nonzeros, data.ranks->longest_row, data.ranks->gram_products};
  else
    whole = {m.rows(), m.nonzeros(), m.longest_row(), m.gram_products()};
  whole.total_weight = geodescent::total_weight(data);
  const RowSpace rows = row_space_of(data);
  double squares = 0;
  if (!data.weights.empty())
    squares = rows.sum<1>(
        [&](std::size_t begin, std::size_t end) { return parallel::Sums<1>{{weighted_squares(data, begin, end)}}; })[0];
  else
    squares = rows.alone() ? m.squared_norm() : squared_norm_of(m, rows, whole);
  whole.row_norm = std::sqrt(squares / (data.weights.empty() ? std::max(whole.total_weight, 1.0) : whole.total_weight));
  return whole;
}

std::vector<parallel::Blocks> divisions_of_rows(const WholeMatrix& m, std::size_t columns, std::size_t ranks) {
  std::vector<parallel::Blocks> divisions{parallel::cut(m.rows)};
  // Others are refused by RiskOperator. They have few blocks, and a rank would hold the rows of many.
  if (m.rows >= columns && !ColumnParts::are_faster(m.nonzeros, columns))
    divisions.push_back(cut_backward(m, columns, 1));
  if (shares_hessian(m, columns, ranks)) divisions.push_back(cut_hessian(m, columns));
  return divisions;
}

RiskOperator::RiskOperator(const Dataset& data, std::vector<std::int8_t> signs, std::size_t outputs)
    : RiskOperator(data, std::move(signs), row_space_of(data), outputs) {}

RiskOperator::RiskOperator(const Dataset& data, std::vector<std::int8_t> signs, const RowSpace& rows,
                           std::size_t outputs)
    : matrix_(data.rows),
      outputs_(outputs),
      signs_(std::move(signs)),
      whole_(WholeMatrix::of(data)),
      forward_blocks_(cut_forward(*matrix_, whole_, outputs)),
      backward_blocks_(cut_backward(whole_, columns(), outputs)),
      local_blocks_(rows.here(backward_blocks_)),
      alone_(rows.alone()),
      has_hessian_(outputs == 1 && (alone_ || shares_hessian(whole_, columns(), rows.ranks()->ranks()))),
      parts_(alone_ ? ColumnParts::of(matrix_) : nullptr) {
  if (alone_) return;
  if (whole_.rows < columns())
    throw std::invalid_argument("ranks need at least as many rows as columns; use one process for fewer rows");
  if (is_wide(*matrix_, whole_))
    throw std::invalid_argument(
        "ranks need 128 or more entries per column, or fewer than 2^20 entries; use one process for sparser columns");
}

void RiskOperator::forward(std::span<const double> x, std::span<double> image) const {
  parallel::for_each(forward_blocks_, [&](std::size_t begin, std::size_t end) {
    if (outputs_ > 1)
      return matrix_->multi_forward(begin, end, outputs_, x, image.subspan(begin * outputs_, (end - begin) * outputs_));
    matrix_->forward(begin, end, x, image.subspan(begin, end - begin));
    if (!signs_.empty()) kernels().apply_signs(image.data() + begin, signs_.data() + begin, end - begin);
  });
}

std::span<double> RiskOperator::cleared_buffer(std::span<double> buffers, std::size_t block) const {
  const std::size_t size = columns() * outputs_;
  const std::span<double> buffer = buffers.subspan(block * size, size);
  std::fill(buffer.begin(), buffer.end(), 0.0);
  return buffer;
}

void RiskOperator::backward_rows(std::size_t begin, std::size_t end, std::span<double> slopes,
                                 std::span<double> buffer) const {
  if (outputs_ > 1) return matrix_->multi_backward(begin, end, outputs_, slopes, buffer);
  if (!signs_.empty()) kernels().apply_signs(slopes.data(), signs_.data() + begin, end - begin);
  matrix_->backward(begin, end, slopes, buffer);
}

void RiskOperator::combine_rows(const RowSpace& rows, std::span<const double> r, std::span<double> x,
                                std::span<double> buffers) const {
  if (parts_) {
    std::copy(r.begin(), r.end(), buffers.begin());
    return add_parts(buffers, x, 1);
  }
  parallel::for_each(local_blocks_, [&](std::size_t begin, std::size_t end) {
    const std::span<double> buffer = cleared_buffer(buffers, local_blocks_.index(begin));
    std::array<double, chunk> s;
    for (std::size_t i = begin; i < end; i += chunk / outputs_) {
      const std::size_t stop = std::min(end, i + chunk / outputs_);
      const std::span<const double> from = r.subspan(i * outputs_, (stop - i) * outputs_);
      std::copy(from.begin(), from.end(), s.begin());
      backward_rows(i, stop, std::span<double>(s).first(from.size()), buffer);
    }
  });
  add_buffers(rows, buffers, x, 1);
}

void RiskOperator::add_buffers(const RowSpace& rows, std::span<const double> buffers, std::span<double> g,
                               double divisor) const {
  const std::size_t size = columns() * outputs_;
  const auto add = [&](std::span<double> part, std::size_t begin) {
    if (local_blocks_.count > 0) add_blocks(part, buffers.data() + begin, size, local_blocks_.count);
  };
  if (!rows.alone()) {
    std::fill(g.begin(), g.end(), 0.0);
    rows.add_in_order(g, [&](std::size_t from, std::size_t to) {
      parallel::for_each(parallel::cut(to - from), [&](std::size_t begin, std::size_t end) {
        add(g.subspan(from + begin, end - begin), from + begin);
      });
    });
  }
  parallel::for_each(parallel::cut(size), [&](std::size_t begin, std::size_t end) {
    const std::span<double> part = g.subspan(begin, end - begin);
    if (rows.alone()) {
      std::fill(part.begin(), part.end(), 0.0);
      add(part, begin);
    }
    for (double& e : part) e /= divisor;
  });
}

void RiskOperator::add_parts(std::span<double> s, std::span<double> g, double divisor) const {
  if (!signs_.empty())
    parallel::for_each(parallel::cut(this->rows()), [&](std::size_t begin, std::size_t end) {
      kernels().apply_signs(s.data() + begin, signs_.data() + begin, end - begin);
    });
  parts_->backward(s, g, outputs_);
  if (divisor != 1)
    parallel::for_each(parallel::cut(g.size()), [&](std::size_t begin, std::size_t end) {
      for (double& e : g.subspan(begin, end - begin)) e /= divisor;
    });
}

Facts RiskOperator::facts() const {
  return {.dimension = columns() * outputs_,
          .columns = columns() * outputs_,
          .image_size = whole_.rows * outputs_,
          .image_elsewhere = (whole_.rows - rows()) * outputs_,
          .dual_size = whole_.rows * outputs_,
          .outputs = outputs_,
          .forward_per_lift = 1,
          .backward_per_gradient = 1,
          .entries_per_pass = static_cast<double>(whole_.nonzeros * outputs_),
          .hessian_products = has_hessian_ ? whole_.gram_products : 0,
          .hessian_is_dense = matrix_->gram_scratch() > 0};
}

Hessian RiskOperator::hessian_memory(const RowSpace& rows, bool free_intercept) const {
  const std::size_t size = columns() * columns(), blocks = rows.here(cut_hessian(whole_, columns())).count;
  Hessian h;
  h.matrix.resize(size);
  h.curvatures.resize(this->rows());
  h.blocks.resize(blocks * size);
  h.scratch.resize(blocks * matrix_->gram_scratch());
  if (free_intercept) h.border.resize(std::max<std::size_t>(blocks, 1) * columns());
  return h;
}

void RiskOperator::hessian(const RowSpace& rows, double lambda, bool free_intercept, Hessian& h) const {
  const std::size_t d = columns(), size = d * d, scratch = matrix_->gram_scratch();
  const parallel::Blocks blocks = rows.here(cut_hessian(whole_, d));
  parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
    const std::size_t block = blocks.index(begin);
    const auto sum = std::span<double>(h.blocks).subspan(block * size, size);
    for (std::size_t j = 0; j < d; ++j) std::fill_n(sum.begin() + j * d + j, d - j, 0.0);  // clear the lower triangle
    const auto curvatures = std::span<const double>(h.curvatures).subspan(begin, end - begin);
    matrix_->add_gram(begin, end, curvatures, sum, std::span<double>(h.scratch).subspan(block * scratch, scratch));
    if (!free_intercept) return;
    const auto border = std::span<double>(h.border).subspan(block * d, d);
    std::fill(border.begin(), border.end(), 0.0);
    // The sign of a row multiplies both the row and its intercept, so it cancels.
    matrix_->backward(begin, end, curvatures, border);
  });
  if (!rows.alone()) {
    const auto add_all = [&](std::span<double> sums, const Vector& of_blocks) {
      std::fill(sums.begin(), sums.end(), 0.0);
      rows.add_in_order(sums, [&](std::size_t begin, std::size_t end) {
        if (blocks.count == 0) return;
        add_blocks(sums.subspan(begin, end - begin), of_blocks.data() + begin, sums.size(), blocks.count);
      });
    };
    add_all(h.matrix, h.blocks);
    Vector border(free_intercept ? d : 0);
    add_all(border, h.border);
    std::copy(border.begin(), border.end(), h.border.begin());
  }
  const std::size_t borders = rows.alone() ? blocks.count : 1;
  parallel::for_each(parallel::cut(d, 16), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const std::span<double> column(h.matrix.data() + j * d + j, d - j);
      if (rows.alone()) {
        std::fill(column.begin(), column.end(), 0.0);
        add_blocks(column, h.blocks.data() + j * d + j, size, blocks.count);
      }
      for (double& e : column) e /= whole_.total_weight;
    }
    if (!free_intercept) return;
    for (std::size_t j = begin; j < end; ++j) {
      double sum = 0;
      for (std::size_t b = 0; b < borders; ++b) sum += h.border[b * d + j];
      h.border[j] = sum / whole_.total_weight;
    }
  });
  for (std::size_t j = 0; j < d; ++j) h.matrix[j * d + j] += lambda;
  if (free_intercept) eliminate_intercept(rows, h);
}

/// Turns the Hessian of f(., b) into that of min_b f(w, b).
void RiskOperator::eliminate_intercept(const RowSpace& rows, Hessian& h) const {
  const double sum = rows.sum<1>([&](std::size_t begin, std::size_t end) {
    return parallel::Sums<1>{{kernels().sum(h.curvatures.data() + begin, end - begin)}};
  })[0];
  const double curvature = sum / total_weight();
  h.intercept_curvature = curvature;
  if (!(curvature > 0)) return;  // f does not depend on b to second order
  const std::size_t d = columns();
  parallel::for_each(parallel::cut(d, 16), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j)
      for (std::size_t i = j; i < d; ++i) h.matrix[j * d + i] -= h.border[i] * h.border[j] / curvature;
  });
}

double RiskOperator::forward_depth() const {
  const std::size_t in_a_lane = whole_.longest_row / (outputs_ == 1 ? 4 : 2);
  return static_cast<double>(in_a_lane + 8);
}

double RiskOperator::backward_depth() const {
  return static_cast<double>(backward_blocks_.length + backward_blocks_.count + 4);
}

// The larger depth of the blocks of a backward pass and those of a sum without one (RowSpan).
double RiskOperator::sum_depth() const {
  const auto depth = [this](const parallel::Blocks& blocks) {
    return blocks.length / (chunk / outputs_) + 1 + blocks.count;
  };
  const std::size_t blocks = std::max(depth(backward_blocks_), depth(parallel::cut(whole_.rows)));
  constexpr std::size_t in_a_lane = chunk / parallel::lanes;
  return static_cast<double>(in_a_lane + parallel::lanes + blocks);
}

}  // namespace geodescent
