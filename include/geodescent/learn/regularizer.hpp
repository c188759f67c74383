// The regulariser of a risk: an object beside the loss.
#pragma once

#include <span>

#include "geodescent/vector.hpp"

namespace geodescent {

/// lambda/2 |w|^2.
class L2 {
 public:
  /// Throws std::invalid_argument unless lambda is positive and finite.
  explicit L2(double lambda);

  double strong_convexity() const { return lambda_; }  ///< lambda
  /// From |w|^2, which lines and subspaces know without touching w.
  double value(double squared_norm) const { return 0.5 * lambda_ * squared_norm; }
  /// The derivative along a line, from half the derivative of |w|^2.
  double slope(double half_slope) const { return lambda_ * half_slope; }
  /// The second derivative along a line.
  double curvature(double direction_squared_norm) const { return lambda_ * direction_squared_norm; }
  /// gradient = loss_gradient + lambda w. Both gradients may be the same span.
  void add_gradient(std::span<double> gradient, std::span<const double> loss_gradient,
                    std::span<const double> w) const {
    combine(gradient, 1, loss_gradient, lambda_, w);
  }
  /// sup_w v.w - lambda/2 |w|^2 = |v|^2/(2 lambda).
  double conjugate(std::span<const double> v) const { return squared_norm(v) / (2 * lambda_); }

 private:
  double lambda_;
};

}  // namespace geodescent
