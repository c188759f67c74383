// The capability of dual coordinate ascent: dual values that are improved row by row.
//
// Every dual point is a ball: f(y) >= D(u) + alpha/2 |y - c(u)|^2, with the centre c(u) =
// -linear/alpha. An epoch visits each row once and never lowers D (Shalev-Shwartz and Zhang,
// "Stochastic dual coordinate ascent methods for regularized loss minimization", 2013; Hsieh et
// al., "A dual coordinate descent method for large-scale linear SVM", 2008).
#pragma once

#include "geodescent/optimize/oracle.hpp"

namespace geodescent {

class DualModel {
 public:
  virtual ~DualModel() = default;

  /// Starts from the dual values phi' of this image, or from 0 if it is empty. Allocates all
  /// memory. Cost: one forward pass; from an image, also the cost of a gradient.
  virtual void begin_dual(std::span<const double> image) = 0;
  /// Improves the dual value of every row once, in an order that depends on the number of rows and
  /// of epochs alone: one pass each way. Returns D, in which a free intercept is still penalized,
  /// or NaN if that would cost more than an epoch's small part.
  virtual double dual_epoch() = 0;
  /// The ball of the dual values, which are moved as little as a free intercept needs. `linear` is
  /// its linear term, by rows its multipliers. Costs what a gradient costs.
  virtual Evaluation dual_ball(std::span<double> linear) = 0;
};

}  // namespace geodescent
