// Two losses that the library does not have, written like a user's.
#pragma once

#include <cmath>
#include <limits>

#include "geodescent/learn/loss.hpp"

namespace geodescent::testing {

/// log cosh(z - y): quadratic near the target, linear far from it, smooth everywhere.
struct LogCosh {
  static constexpr std::string_view name = "log-cosh";
  static constexpr Task task = Task::regression;

  LossValue operator()(double z, double y) const {
    const double r = std::abs(z - y), e = std::exp(-2 * r);
    // log cosh r = log1p(2 sinh(r/2)^2), without cancellation for small r.
    const double half = std::sinh(0.5 * std::min(r, 1.0));
    const double value = r < 1 ? std::log1p(2 * half * half) : r + std::log1p(e) - std::log(2.0);
    const double slope = std::copysign(-std::expm1(-2 * r) / (1 + e), z - y);
    return {value, slope, 4 * e / ((1 + e) * (1 + e))};
  }
  double conjugate(double s, double y) const {
    if (s < -1 || s > 1) return std::numeric_limits<double>::infinity();
    const auto entropy = [](double t) { return t > -1 ? 0.5 * (1 + t) * std::log1p(t) : 0; };
    return s * y + entropy(s) + entropy(-s);
  }
  double curvature_bound() const { return 1; }
};

/// width log(1 + exp((1 - z)/width)): a hinge with a smooth corner. It has a parameter.
struct SoftHinge {
  static constexpr std::string_view name = "soft-hinge";
  static constexpr Task task = Task::classification;

  double width = 0.5;

  LossValue operator()(double z, double) const {
    const double v = (1 - z) / width, e = std::exp(-std::abs(v));
    const double larger = 1 / (1 + e), smaller = e / (1 + e);
    return {width * ((v > 0 ? v : 0) + std::log1p(e)), v > 0 ? -larger : -smaller, larger * smaller / width};
  }
  double conjugate(double s, double) const {
    if (s < -1 || s > 0) return std::numeric_limits<double>::infinity();
    const double first = s < 0 ? -s * std::log(-s) : 0, second = s > -1 ? (1 + s) * std::log1p(s) : 0;
    return s + width * (first + second);
  }
  double curvature_bound() const { return 0.25 / width; }
};

}  // namespace geodescent::testing
