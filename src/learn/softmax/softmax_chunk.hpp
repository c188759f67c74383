// The losses of a few rows at a time: LossChunk for several predictions per row.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "kernels/kernels.hpp"
#include "learn/softmax/softmax_problem.hpp"
#include "matrix/row_sums.hpp"

namespace geodescent {

/// The images z + t d, and intercepts b that are added in every row. Null: 0.
struct SoftmaxImages {
  const double* z = nullptr;
  const double* d = nullptr;
  double t = 0;
  const double* b = nullptr;
};

class SoftmaxChunk {
 public:
  static constexpr std::size_t most_entries = RiskOperator::chunk;

  SoftmaxChunk(const SoftmaxProblem& risk, std::size_t first_row, std::size_t rows)
      : begin(first_row), count(rows), outputs(risk.classes), entries(rows * outputs), risk_(risk) {}

  const std::size_t begin, count, outputs, entries;

  /// Losses and their derivatives, not weighted. Values are computed only if asked for.
  void evaluate(const SoftmaxImages& at, bool values) {
    const double* const z = at.z + begin * outputs;
    if (at.d)
      kernels().axpby(image_, 1, z, at.t, at.d + begin * outputs, entries);
    else
      std::copy_n(z, entries, image_);
    if (at.b)
      for (std::size_t e = 0; e < entries;)
        for (std::size_t k = 0; k < outputs; ++k) image_[e++] += at.b[k];
    kernels().softmax(image_, risk_.class_of.data() + begin, count, outputs, values ? value_ : nullptr, slope_);
  }

  const double* value() const { return value_; }  ///< for each row
  /// The weighted sum of the values.
  double total_value() const {
    if (risk_.weights.empty()) return kernels().sum(value_, count);
    return kernels().dot(value_, risk_.weights.data() + begin, count);
  }
  const double* slope() const { return slope_; }
  /// The predictions less the largest one of the row.
  const double* image() const { return image_; }
  double weight(std::size_t row) const { return risk_.weight(begin + row); }
  /// 1 less the probability of its class, which is half of the sum of |slope| over the classes.
  double missing(std::size_t row) const { return -slope_[row * outputs + risk_.class_of[begin + row]]; }
  /// For each entry; 1 where rows have no weights.
  const double* weights() {
    for (std::size_t r = 0; r < count; ++r) std::fill_n(weight_ + r * outputs, outputs, weight(r));
    return weight_;
  }
  /// The probabilities of a row, times its weight and `factor`.
  void curvatures(std::size_t row, double factor, double* to) const {
    const double scale = factor * weight(row);
    const double* const u = slope_ + row * outputs;
    for (std::size_t k = 0; k < outputs; ++k) to[k] = scale * u[k];
    to[risk_.class_of[begin + row]] += scale;
  }

 private:
  static constexpr std::size_t room = most_entries + 24;

  const SoftmaxProblem& risk_;
  alignas(64) double image_[room];
  alignas(64) double value_[room];
  alignas(64) double slope_[room];
  alignas(64) double weight_[room];
};

/// Of all rows.
inline parallel::Blocks softmax_blocks(std::size_t rows, std::size_t classes) {
  return parallel::cut(rows, 2048 / classes + 1, 32);
}
inline parallel::Blocks softmax_blocks(const SoftmaxProblem& risk) {
  return softmax_blocks(risk.rows.rows(), risk.classes);
}

/// Scratch memory of `sum_softmax` for this many sums: for each block its sums and those of a
/// chunk.
inline Vector softmax_scratch(const SoftmaxProblem& risk, std::size_t sums) {
  return Vector(2 * risk.rows.here(softmax_blocks(risk)).count * sums);
}

/// The depth of additions of such a sum, with the chunks of a block one after the other.
inline double softmax_sum_depth(const SoftmaxProblem& risk) {
  const parallel::Blocks blocks = softmax_blocks(risk);
  const std::size_t at_a_time = RiskOperator::chunk / risk.classes;
  const std::size_t depth = std::min(at_a_time, blocks.size) + blocks.length / at_a_time + 1 + blocks.count;
  return static_cast<double>(depth);
}

/// The sums over all rows to which add(chunk, sums) adds those of a chunk; in `sums` after `total`
/// is exchanged. It is called for the blocks of this process.
template <class Add>
void sum_softmax(const SoftmaxProblem& risk, RowSums& total, std::span<double> sums, std::span<double> scratch,
                 const Add& add) {
  const std::size_t at_a_time = RiskOperator::chunk / risk.classes, size = sums.size();
  const parallel::Blocks of_all = softmax_blocks(risk), blocks = risk.rows.here(of_all);
  parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
    double *const of_block = scratch.data() + blocks.index(begin) * 2 * size, *const part = of_block + size;
    std::fill_n(of_block, size, 0.0);
    for (std::size_t i = begin; i < end; i += at_a_time) {
      SoftmaxChunk chunk(risk, i, std::min(at_a_time, end - i));
      std::fill_n(part, size, 0.0);
      add(chunk, part);
      for (std::size_t s = 0; s < size; ++s) of_block[s] += part[s];
    }
  });
  std::fill(sums.begin(), sums.end(), 0.0);
  total.add(risk.rows, of_all, scratch.data(), 2 * size, sums);
}

/// body(chunk) for the local rows of the other blocks.
template <class Body>
void for_other_softmax_rows(const SoftmaxProblem& risk, const Body& body) {
  const std::size_t at_a_time = RiskOperator::chunk / risk.classes;
  risk.rows.for_other_rows(softmax_blocks(risk), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; i += at_a_time) {
      SoftmaxChunk chunk(risk, i, std::min(at_a_time, end - i));
      body(chunk);
    }
  });
}

}  // namespace geodescent
