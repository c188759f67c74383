// The losses of a few rows at a time. A chunk with all its results fits the first-level cache.
#pragma once

#include <algorithm>
#include <array>

#include "kernels/kernels.hpp"
#include "learn/risk/risk_problem.hpp"
#include "matrix/row_sums.hpp"

namespace geodescent {

/// The images z + t d + b s of all rows, with s the signs of the rows. A null pointer means 0.
struct Images {
  const double* z = nullptr;
  const double* d = nullptr;
  double t = 0;
  double b = 0;
};

/// Some rows, with one array for each computed quantity. The arrays are aligned, and not a power of
/// two apart, so that they do not evict each other from the cache.
class LossChunk {
 public:
  static constexpr std::size_t size = RiskOperator::chunk;

  LossChunk(const RiskProblem& risk, std::size_t first_row, std::size_t rows)
      : begin(first_row), count(rows), k_(kernels()), risk_(risk) {}

  const std::size_t begin, count;

  LossArrays phi() { return {value_, slope_, curvature_}; }
  double* value() { return value_; }
  double* slope() { return slope_; }
  double* curvature() { return curvature_; }

  /// The sign of each row, +1 or -1.
  const double* sign() {
    if (!signs_are_known_) {
      if (const std::int8_t* const signs = risk_.data.signs())
        k_.widen(sign_, signs + begin, count);
      else
        std::fill_n(sign_, count, 1.0);
    }
    signs_are_known_ = true;
    return sign_;
  }
  /// The weight of each row; 1 if rows have no weights.
  const double* weight() {
    if (!risk_.weights.empty()) return risk_.weights.data() + begin;
    std::fill_n(weight_, count, 1.0);
    return weight_;
  }
  const double* target() const { return risk_.targets.empty() ? nullptr : risk_.targets.data() + begin; }

  const double* image(const Images& at) {
    if (!at.z) std::fill_n(image_, count, 0.0);
    const double* z = at.z ? at.z + begin : image_;
    if (at.d) {
      k_.axpby(image_, 1, z, at.t, at.d + begin, count);
      z = image_;
    }
    if (at.b != 0) {
      k_.axpby(image_, 1, z, at.b, sign(), count);
      z = image_;
    }
    return z;
  }
  /// phi at these images, without weights. Values are computed only if requested.
  void evaluate(const double* z, bool values) {
    risk_.loss->evaluate(z, target(), count, {values ? value_ : nullptr, slope_, curvature_});
  }
  void apply_weights(bool values) {
    if (risk_.weights.empty()) return;
    if (values) k_.multiply(value_, value_, weight(), count);
    k_.multiply(slope_, slope_, weight(), count);
    k_.multiply(curvature_, curvature_, weight(), count);
  }

 private:
  static constexpr std::size_t room = size + 24;

  const Kernels& k_;
  const RiskProblem& risk_;
  bool signs_are_known_ = false;
  alignas(64) double image_[room];
  alignas(64) double value_[room];
  alignas(64) double slope_[room];
  alignas(64) double curvature_[room];
  alignas(64) double sign_[room];
  alignas(64) double weight_[room];
};

/// The K sums over all rows of what sum(chunk, out) writes for each chunk; in `total` after `sums`
/// is exchanged.
template <std::size_t K, class Sum>
void sum_chunks(const RiskProblem& risk, RowSums& sums, std::array<double, K>& total, const Sum& sum) {
  sums.sum(risk.rows, parallel::cut(risk.rows.rows()), total, [&](std::size_t begin, std::size_t end) {
    parallel::Sums<K> of_block{}, part;
    for (std::size_t i = begin; i < end; i += LossChunk::size) {
      LossChunk chunk(risk, i, std::min(LossChunk::size, end - i));
      sum(chunk, part.of.data());
      of_block += part;
    }
    return of_block;
  });
}
/// The same, exchanged.
template <std::size_t K, class Sum>
std::array<double, K> sum_chunks(const RiskProblem& risk, const Sum& sum) {
  RowSums sums(risk.rows);
  std::array<double, K> total;
  sum_chunks(risk, sums, total, sum);
  sums.exchange();
  return total;
}

/// The same for chunks whose weighted losses have been evaluated.
template <std::size_t K, class Sum>
void sum_losses(const RiskProblem& risk, const Images& at, bool values, RowSums& sums, std::array<double, K>& total,
                const Sum& sum) {
  sum_chunks(risk, sums, total, [&](LossChunk& chunk, double* out) {
    chunk.evaluate(chunk.image(at), values);
    chunk.apply_weights(values);
    sum(chunk, out);
  });
}
template <std::size_t K, class Sum>
std::array<double, K> sum_losses(const RiskProblem& risk, const Images& at, bool values, const Sum& sum) {
  RowSums sums(risk.rows);
  std::array<double, K> total;
  sum_losses(risk, at, values, sums, total, sum);
  sums.exchange();
  return total;
}

/// Slope and curvature of f in the intercept, and the sum of the magnitudes of the slope's terms.
inline void intercept_sums(LossChunk& chunk, double* out) {
  kernels().shift_sums(chunk.phi(), chunk.sign(), chunk.count, out);
}

}  // namespace geodescent
