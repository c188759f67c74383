// A risk on the span of its rows: points are kept as the multipliers of rows (InnerProduct::by_rows).
//
// All vectors of a run lie in the span of the rows and of its start. Where there are fewer rows than columns, the
// multipliers are shorter than the vectors, and the slope of a lower model is one: the slopes of the losses. The
// products with the data are as many as before: what was the gradient's is now the lift's.
#pragma once

#include <span>

#include "geodescent/detail/risk_operator.hpp"

namespace geodescent {

/// Vectors are sum_i r_i s_i a_i + r_n x0, with s_i the signs of the rows; the last term is missing when x0 is 0.
class RowSpan {
 public:
  static bool is_smaller(const RiskOperator& a, std::span<const double> x0);
  RowSpan(const RiskOperator& a, std::span<const double> x0);

  std::size_t size() const { return multipliers_.size(); }
  InnerProduct product() const { return {true, matrix_norm_}; }
  Cost cost() const;

  void expand(const RiskOperator& a, std::span<const double> multipliers, std::span<double> x) const;
  /// The image, with the product with x0 at its end.
  void lift(const RiskOperator& a, std::span<const double> multipliers, std::span<double> image) const;

  /// The slope 1/W sum_i u_i s_i a_i of the lower model, where slopes(begin, end, u) writes u and returns sums, as for
  /// RiskOperator::backward; lifted.
  template <class Sum, class Slopes>
  Sum slope(const RiskOperator& a, Slopes&& slopes) const {
    const double w = a.total_weight();
    const Sum total = parallel::sum<Sum>(parallel::cut(a.rows()), [&](std::size_t begin, std::size_t end) {
      Sum sum{};
      for (std::size_t i = begin; i < end; i += RiskOperator::chunk) {
        const std::size_t stop = std::min(end, i + RiskOperator::chunk);
        sum += slopes(i, stop, std::span<double>(multipliers_).subspan(i, stop - i));
      }
      for (std::size_t i = begin; i < end; ++i) multipliers_[i] /= w;
      return sum;
    });
    lift(a, multipliers_, image_);
    return total;
  }
  std::span<const double> multipliers() const { return multipliers_; }
  /// What an evaluation says about the slope.
  void describe(const RiskOperator& a, Evaluation& e) const;

 private:
  Vector start_;  // x0; empty when it is 0
  double matrix_norm_;
  double entries_per_pass_;
  mutable Vector expanded_, multipliers_, image_;
};

}  // namespace geodescent
