// Least squares.
#pragma once

#include "geodescent/learn/loss.hpp"

namespace geodescent {

/// (z - y)^2 / 2.
struct Squared {
  static constexpr std::string_view name = "squared";
  static constexpr Task task = Task::regression;
  static constexpr bool curvature_is_smooth = true;

  GEODESCENT_ALWAYS_INLINE LossValue operator()(double z, double y) const {
    const double r = z - y;
    return {0.5 * r * r, r, 1};
  }
  double conjugate(double s, double y) const { return s * (y + 0.5 * s); }
  double curvature_bound() const { return 1; }
};

}  // namespace geodescent
