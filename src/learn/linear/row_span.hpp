// A risk in row form: points are multipliers of rows (InnerProduct::by_rows).
//
// All vectors of a run lie in the span of the rows and of its start. With fewer rows than columns
// the multipliers are shorter than the vectors. The linear term of a lower model has multipliers,
// too: the dual values. The number of products with the data stays the same: the product of the
// gradient is now that of the lift.
#pragma once

#include <span>

#include "learn/linear/risk_operator.hpp"

namespace geodescent {

/// Vectors are sum_i r_i s_i a_i + r_n x0, with s_i the signs of the rows. The last term is absent
/// if x0 is 0. With several outputs each row has a multiplier for each. Holds scratch memory of the
/// run.
///
/// Multipliers and images are those of all rows, also where several ranks have the rows: they are
/// shorter than the vectors of coefficients that every rank has otherwise, and sums over them need
/// no messages.
class RowSpan {
 public:
  static bool is_smaller(const RiskOperator& a, std::span<const double> x0);
  /// `a` and `rows` are those of images of all rows.
  RowSpan(const RiskOperator& a, const RowSpace& rows, std::span<const double> x0);

  std::size_t size() const { return multipliers_.size(); }
  /// The facts of the risk in this form.
  Facts facts() const;

  void expand(std::span<const double> multipliers, std::span<double> x);
  /// The image, followed by the product with x0.
  void lift(std::span<const double> multipliers, std::span<double> image);

  /// The lifted linear term 1/W sum_i u_i s_i a_i of the lower model. values(begin, end, u) writes
  /// u and returns sums, as for RiskOperator::backward.
  template <std::size_t K, class Values>
  std::array<double, K> linear_term(Values&& values) {
    const double w = a_.total_weight();
    const auto total = rows_.sum<K>([&](std::size_t begin, std::size_t end) {
      parallel::Sums<K> sum{};
      const std::size_t outputs = a_.outputs(), at_a_time = RiskOperator::chunk / outputs;
      for (std::size_t i = begin; i < end; i += at_a_time) {
        const std::size_t stop = std::min(end, i + at_a_time);
        sum += values(i, stop, std::span<double>(multipliers_).subspan(i * outputs, (stop - i) * outputs));
      }
      for (std::size_t e = begin * outputs; e < end * outputs; ++e) multipliers_[e] /= w;
      return sum;
    });
    lift(multipliers_, image_);
    return total;
  }
  std::span<const double> multipliers() const { return multipliers_; }
  /// The last lifted vector.
  std::span<const double> expanded() const { return expanded_; }
  /// Sets the members of e that describe the linear term.
  void describe(Evaluation& e) const;

 private:
  const RiskOperator& a_;
  const RowSpace& rows_;
  Vector start_;  // x0; empty when it is 0
  double matrix_norm_;
  Vector buffers_, expanded_;  // made by the first product
  Vector multipliers_, image_;
};

}  // namespace geodescent
