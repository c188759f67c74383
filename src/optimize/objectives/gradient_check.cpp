#include "geodescent/optimize/gradient_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "geodescent/vector.hpp"

namespace geodescent {

GradientCheck check_gradient(const Objective& f, std::span<const double> x, double tolerance) {
  if (x.size() != f.dimension())
    throw std::invalid_argument(
        fmt::format("x has {} entries, but the function has dimension {}", x.size(), f.dimension()));
  Vector p(x.begin(), x.end()), g(f.dimension(), std::numeric_limits<double>::quiet_NaN()), ignored(f.dimension());
  const double at_x = f.evaluate(x, g);

  GradientCheck check;
  check.strongly_convex = true;
  double scale = 0, largest_value = std::abs(at_x);
  for (const double v : g) scale = std::max(scale, std::abs(v));

  const auto value_at = [&](std::size_t j, double step) {
    p[j] = x[j] + step;
    const double value = f.evaluate(p, ignored);
    p[j] = x[j];
    largest_value = std::max(largest_value, std::abs(value));
    const double rounding = 1e-12 * (std::abs(value) + std::abs(at_x));
    if (value < at_x + g[j] * step + 0.5 * f.strong_convexity() * step * step - rounding) check.strongly_convex = false;
    return value;
  };

  double worst = -1;
  for (std::size_t j = 0; j < f.dimension(); ++j) {
    // Two central differences and one extrapolation: error h^4 against rounding eps/h, balanced at
    // eps^(1/5).
    const double h = std::pow(std::numeric_limits<double>::epsilon(), 0.2) * std::max(1.0, std::abs(x[j]));
    const double wide = (value_at(j, h) - value_at(j, -h)) / (2 * h);
    const double narrow = (value_at(j, h / 2) - value_at(j, -h / 2)) / h;
    const double quotient = narrow + (narrow - wide) / 3;
    scale = std::max(scale, std::abs(quotient));
    const double difference = std::abs(g[j] - quotient);
    // Not `>`, so that NaN counts as the worst difference.
    if (!(difference <= worst)) {
      worst = difference;
      check.worst_coordinate = j;
      check.gradient = g[j];
      check.difference_quotient = quotient;
      if (std::isnan(difference)) break;
    }
  }
  // Values of size |f| determine a derivative only up to this error.
  const double resolution = 1e-11 * largest_value;
  check.error = scale > 0 ? worst / scale : worst;
  check.passed = worst <= tolerance * scale + resolution;
  if (std::isnan(check.gradient)) {
    check.message = fmt::format("entry {} of the gradient is NaN: the function did not write it, or wrote NaN",
                                check.worst_coordinate);
    return check;
  }
  check.message = fmt::format(
      "{}: the largest difference is at coordinate {}, where the gradient says {} and the values say {} (relative "
      "error "
      "{:.2g}, tolerance {:g}){}",
      check.passed ? "the gradient agrees with the values" : "the gradient does not agree with the values",
      check.worst_coordinate, check.gradient, check.difference_quotient, check.error, tolerance,
      check.strongly_convex ? "" : fmt::format("; the values contradict strong_convexity = {}", f.strong_convexity()));
  return check;
}

}  // namespace geodescent
