// What a regularised risk does with the data, whatever its loss.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geodescent/data/dataset.hpp"
#include "geodescent/data/row_matrix.hpp"
#include "geodescent/detail/parallel.hpp"
#include "geodescent/optimize/objective.hpp"

namespace geodescent {

/// The linear part, common to all losses: both products with the data, blocked and threaded, rows multiplied by their
/// signs. Owns the scratch memory of the backward pass.
class RiskOperator {
 public:
  /// Rows that are worked on together: few enough to stay in the first cache with what is computed of them.
  static constexpr std::size_t chunk = 512;

  RiskOperator(const Dataset& data, std::vector<std::int8_t> signs);

  std::size_t rows() const { return matrix_->rows(); }
  double total_weight() const { return total_weight_; }
  double sign(std::size_t i) const { return signs_[i]; }
  const std::int8_t* signs() const { return signs_.empty() ? nullptr : signs_.data(); }  ///< null: all are +1
  std::size_t columns() const { return matrix_->columns(); }
  const RowMatrix& matrix() const { return *matrix_; }
  Cost cost() const;

  /// image_i = sign_i a_i.x.
  void forward(std::span<const double> x, std::span<double> image) const;

  /// g = 1/W sum_i s_i sign_i a_i with W the total weight of the rows, where slopes(begin, end, s) writes s_begin ..
  /// s_end and returns sums over these rows; the total of these sums is returned. So the loss is evaluated while its
  /// rows are in the cache.
  template <class Sum, class Slopes>
  Sum backward(std::span<double> g, Slopes&& slopes) const {
    const Sum total = parallel::sum<Sum>(backward_blocks_, [&](std::size_t begin, std::size_t end) {
      const std::span<double> buffer = backward_buffer(begin / backward_blocks_.length);
      std::array<double, chunk> s;
      Sum sum{};
      for (std::size_t i = begin; i < end; i += chunk) {
        const std::size_t stop = std::min(end, i + chunk);
        sum += slopes(i, stop, std::span<double>(s).first(stop - i));
        backward_rows(i, stop, std::span<double>(s).first(stop - i), buffer);
      }
      return sum;
    });
    add_buffers(g, total_weight_);
    return total;
  }

  /// x = sum_i r_i sign_i a_i.
  void combine_rows(std::span<const double> r, std::span<double> x) const;

  /// h.matrix = 1/W sum_i h.curvatures_i a_i a_i' + lambda I.
  /// With `free_intercept` that of min_b f(w, b), where the rows are shifted by b times their sign.
  void hessian(double lambda, bool free_intercept, Hessian& h) const;
  Hessian hessian_memory(bool free_intercept) const;

  /// Bounds on rounding, in units of 2^-53: how many additions deep a result lies.
  double forward_depth() const;   ///< of one entry of the image
  double backward_depth() const;  ///< of one entry of the gradient
  double sum_depth() const;       ///< of a sum over rows
  /// sqrt of the (weighted) mean of |a_i|^2.
  double row_norm() const { return row_norm_; }

 private:
  std::span<double> backward_buffer(std::size_t block) const;
  void backward_rows(std::size_t begin, std::size_t end, std::span<double> slopes, std::span<double> buffer) const;
  void add_buffers(std::span<double> g, double divisor) const;
  void eliminate_shift(Hessian& h) const;

  std::shared_ptr<const RowMatrix> matrix_;
  std::vector<std::int8_t> signs_;  // empty: all +1
  double total_weight_;
  parallel::Blocks forward_blocks_;
  parallel::Blocks backward_blocks_;
  double row_norm_;
  mutable Vector buffers_;
};

}  // namespace geodescent
