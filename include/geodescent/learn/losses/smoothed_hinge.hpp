// The loss of the paper's experiments (section 4.1).
#pragma once

#include <limits>

#include "geodescent/learn/loss.hpp"

namespace geodescent {

/// 0 for z >= 1, 1/2 - z for z <= 0, (1 - z)^2 / 2 between.
struct SmoothedHinge {
  static constexpr std::string_view name = "smoothed-hinge";
  static constexpr Task task = Task::classification;

  GEODESCENT_ALWAYS_INLINE LossValue operator()(double z, double) const {
    const double d = 1 - z;
    double m = d < 1 ? d : 1;  // d clipped to [0, 1]: one formula for all three pieces
    m = m > 0 ? m : 0;
    return {m * (d - 0.5 * m), -m, ((d > 0) & (d < 1)) ? 1.0 : 0.0};
  }
  double conjugate(double s, double) const {
    return s < -1 || s > 0 ? std::numeric_limits<double>::infinity() : s + 0.5 * s * s;
  }
  double curvature_bound() const { return 1; }
};

}  // namespace geodescent
