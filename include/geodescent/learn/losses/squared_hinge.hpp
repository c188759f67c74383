// The loss of LIBLINEAR's L2-loss support vector machine, halved.
#pragma once

#include <limits>

#include "geodescent/learn/loss.hpp"

namespace geodescent {

/// max(0, 1 - z)^2 / 2.
struct SquaredHinge {
  static constexpr std::string_view name = "squared-hinge";
  static constexpr Task task = Task::classification;

  GEODESCENT_ALWAYS_INLINE LossValue operator()(double z, double) const {
    const double d = 1 - z;
    const double m = d < 0 ? 0 : d;  // in this order a margin that is no number gives a loss that is none
    return {0.5 * m * m, -m, d > 0 ? 1.0 : 0.0};
  }
  double conjugate(double s, double) const { return s > 0 ? std::numeric_limits<double>::infinity() : s + 0.5 * s * s; }
  double curvature_bound() const { return 1; }
};

}  // namespace geodescent
