// Logistic regression.
#pragma once

#include <cmath>
#include <limits>

#include "geodescent/learn/loss.hpp"

namespace geodescent {

/// log(1 + exp(-z)).
struct Logistic {
  static constexpr std::string_view name = "logistic";
  static constexpr Task task = Task::classification;
  static constexpr bool curvature_is_smooth = true;

  GEODESCENT_ALWAYS_INLINE LossValue operator()(double z, double) const {
    const double e = elementary::exp(z < 0 ? z : -z);  // in [0, 1]: nothing overflows on either side
    const double larger = 1 / (1 + e);                 // the larger of the two probabilities
    const double smaller = e * larger;
    return {elementary::log1p_unit(e) + (z < 0 ? -z : 0), z < 0 ? -larger : -smaller, larger * smaller};
  }
  double conjugate(double s, double) const {
    if (s < -1 || s > 0) return std::numeric_limits<double>::infinity();
    // s log(-s) and (1 + s) log(1 + s), both 0 at their ends; log1p because s is often tiny.
    return (s < 0 ? -s * std::log(-s) : 0) + (s > -1 ? (1 + s) * std::log1p(s) : 0);
  }
  double curvature_bound() const { return 0.25; }
};

}  // namespace geodescent
