// Regression that outliers cannot dominate.
#pragma once

#include <limits>

#include "geodescent/learn/loss.hpp"

namespace geodescent {

/// r^2 / 2 for |r| <= delta and delta (|r| - delta / 2) beyond, r = z - y.
struct Huber {
  static constexpr std::string_view name = "huber";
  static constexpr Task task = Task::regression;

  double delta = 1;

  GEODESCENT_ALWAYS_INLINE LossValue operator()(double z, double y) const {
    const double r = z - y;
    double s = r < delta ? r : delta;  // the residual clipped to [-delta, delta]: one formula for all three pieces
    s = s > -delta ? s : -delta;
    return {s * (r - 0.5 * s), s, ((r < delta) & (r > -delta)) ? 1.0 : 0.0};
  }
  double conjugate(double s, double y) const {
    return s < -delta || s > delta ? std::numeric_limits<double>::infinity() : s * (y + 0.5 * s);
  }
  double curvature_bound() const { return 1; }
};

}  // namespace geodescent
