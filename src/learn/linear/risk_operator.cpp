#include "learn/linear/risk_operator.hpp"

#include <utility>

#include "kernels/kernels.hpp"

namespace geodescent {
namespace {

/// sum += block_0 + block_1 + ..., in order.
void add_blocks(std::span<double> sum, const double* blocks, std::size_t stride, std::size_t count) {
  static constexpr auto ones = [] {
    std::array<double, parallel::max_blocks> all{};
    all.fill(1);
    return all;
  }();
  kernels().multi_axpy(sum.data(), ones.data(), blocks, stride, count, sum.size());
}

}  // namespace

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
      local_blocks_{},
      space_(rows),
      parts_(alone() ? ColumnParts::of(matrix_) : ColumnParts::of_ranks(matrix_, whole_.nonzeros, rows)) {
  if (!parts_) local_blocks_ = rows.here(backward_blocks_);
  has_hessian_ = outputs == 1 && (alone() || (!parts_ && shares_hessian(whole_, columns(), rows.ranks()->ranks())));
}

RiskOperator RiskOperator::with_images_of_all_rows(std::vector<std::int8_t> signs) const {
  RiskOperator by_rows = *this;
  by_rows.signs_ = std::move(signs);
  by_rows.images_of_all_ = true;
  return by_rows;
}

void RiskOperator::forward(std::span<const double> x, std::span<double> image) const {
  Vector local(images_of_all_ ? matrix_->rows() * outputs_ : 0);
  const std::span<double> here = images_of_all_ ? std::span<double>(local) : image;
  parallel::for_each(forward_blocks_, [&](std::size_t begin, std::size_t end) {
    if (outputs_ > 1)
      return matrix_->multi_forward(begin, end, outputs_, x, here.subspan(begin * outputs_, (end - begin) * outputs_));
    matrix_->forward(begin, end, x, here.subspan(begin, end - begin));
    if (!signs_.empty()) kernels().apply_signs(here.data() + begin, signs_here() + begin, end - begin);
  });
  if (images_of_all_) std::ranges::copy(space_.of_all_rows(local, outputs_), image.begin());
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
  if (!signs_.empty()) kernels().apply_signs(slopes.data(), signs_here() + begin, end - begin);
  matrix_->backward(begin, end, slopes, buffer);
}

void RiskOperator::combine_rows(std::span<const double> r, std::span<double> x, std::span<double> buffers) const {
  if (images_of_all_) r = r.subspan(space_.first() * outputs_, matrix_->rows() * outputs_);
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
  add_buffers(buffers, x, 1);
}

void RiskOperator::add_buffers(std::span<double> buffers, std::span<double> g, double divisor,
                               std::span<const double> of_blocks, std::span<double> totals) const {
  const std::size_t size = columns() * outputs_;
  const auto add = [&](std::span<double> part, std::size_t begin) {
    if (local_blocks_.count > 0) add_blocks(part, buffers.data() + begin, size, local_blocks_.count);
  };
  const auto add_totals = [&](std::span<double> to) {
    for (std::size_t b = 0; b < local_blocks_.count; ++b)
      for (std::size_t k = 0; k < to.size(); ++k) to[k] += of_blocks[b * to.size() + k];
  };
  if (alone()) {
    add_totals(totals);
  } else {
    const std::size_t short_part = totals.size();  // in the first message, which a vector follows
    const std::span<double> message = buffers.subspan(local_blocks_.count * size, short_part + size);
    std::ranges::fill(message, 0.0);
    space_.add_in_order(message, [&](std::size_t from, std::size_t to) {
      if (from == 0) add_totals(message.first(short_part));
      const std::size_t first = std::max(from, short_part);
      parallel::for_each(parallel::cut(to - first), [&](std::size_t begin, std::size_t end) {
        add(message.subspan(first + begin, end - begin), first + begin - short_part);
      });
    });
    std::copy_n(message.begin(), short_part, totals.begin());
    std::copy(message.begin() + static_cast<std::ptrdiff_t>(short_part), message.end(), g.begin());
  }
  parallel::for_each(parallel::cut(size), [&](std::size_t begin, std::size_t end) {
    const std::span<double> part = g.subspan(begin, end - begin);
    if (alone()) {
      std::fill(part.begin(), part.end(), 0.0);
      add(part, begin);
    }
    for (double& e : part) e /= divisor;
  });
}

void RiskOperator::add_parts(std::span<double> s, std::span<double> g, double divisor) const {
  if (!signs_.empty())
    parallel::for_each(parallel::cut(matrix_->rows()), [&](std::size_t begin, std::size_t end) {
      kernels().apply_signs(s.data() + begin, signs_here() + begin, end - begin);
    });
  parts_->backward(space_, s, g, outputs_);
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

Hessian RiskOperator::hessian_memory(bool free_intercept) const {
  const std::size_t size = columns() * columns(), blocks = space_.here(cut_hessian(whole_, columns())).count;
  Hessian h;
  h.matrix.resize(size);
  h.curvatures.resize(this->rows());
  h.blocks.resize(blocks * size);
  h.scratch.resize(blocks * matrix_->gram_scratch());
  if (free_intercept) h.border.resize(std::max<std::size_t>(blocks, 1) * columns());
  return h;
}

void RiskOperator::hessian(double lambda, bool free_intercept, Hessian& h) const {
  const std::size_t d = columns(), size = d * d, scratch = matrix_->gram_scratch();
  const parallel::Blocks blocks = space_.here(cut_hessian(whole_, d));
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
  double curvature = 0;  // of all rows, for an intercept
  if (!alone())
    curvature = add_hessians_of_ranks(blocks, free_intercept, h);
  else if (free_intercept)
    curvature = sum_of_curvatures(h);
  const std::size_t borders = alone() ? blocks.count : 1;
  parallel::for_each(parallel::cut(d, 16), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      const std::span<double> column(h.matrix.data() + j * d + j, d - j);
      if (alone()) {
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
  if (free_intercept) eliminate_intercept(curvature / total_weight(), h);
}

double RiskOperator::sum_of_curvatures(const Hessian& h) const {
  return space_.sum<1>([&](std::size_t begin, std::size_t end) {
    return parallel::Sums<1>{{kernels().sum(h.curvatures.data() + begin, end - begin)}};
  })[0];
}

/// h.matrix and the first border = the sums over all blocks. Returns the sum of the curvatures if
/// there is an intercept. One round, in which lower triangles travel.
double RiskOperator::add_hessians_of_ranks(const parallel::Blocks& blocks, bool free_intercept, Hessian& h) const {
  const std::size_t d = columns(), size = d * d, head = free_intercept ? 1 + d : 0;
  const parallel::Blocks curvature_blocks = space_.here(parallel::cut(whole_.rows));
  Vector curvatures(curvature_blocks.count), message(head + d * (d + 1) / 2);
  parallel::for_each(curvature_blocks, [&](std::size_t begin, std::size_t end) {
    curvatures[curvature_blocks.index(begin)] = kernels().sum(h.curvatures.data() + begin, end - begin);
  });
  space_.add_in_order(message, [&](std::size_t begin, std::size_t end) {
    const auto add = [&](std::size_t at, std::size_t length, const double* of_blocks, std::size_t stride) {
      const std::size_t from = std::max(begin, at), to = std::min(end, at + length);
      if (from < to)
        add_blocks(std::span(message).subspan(from, to - from), of_blocks + (from - at), stride, blocks.count);
    };
    if (free_intercept && begin == 0)
      for (const double c : curvatures) message[0] += c;
    if (blocks.count == 0) return;
    if (free_intercept) add(1, d, h.border.data(), d);
    for (std::size_t j = 0, at = head; j < d; at += d - j++) add(at, d - j, h.blocks.data() + j * (d + 1), size);
  });
  const double* from = message.data() + head;
  for (std::size_t j = 0; j < d; from += d - j++) std::copy_n(from, d - j, h.matrix.begin() + j * (d + 1));
  if (!free_intercept) return 0;
  std::copy_n(message.begin() + 1, d, h.border.begin());
  return message[0];
}

/// Turns the Hessian of f(., b) into that of min_b f(w, b).
void RiskOperator::eliminate_intercept(double curvature, Hessian& h) const {
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
