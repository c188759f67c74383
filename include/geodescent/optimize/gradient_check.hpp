// For authors of functions: is the gradient the derivative of the value, and does the strong
// convexity hold?
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "geodescent/optimize/objective.hpp"

namespace geodescent {

/// The outcome of check_gradient().
struct GradientCheck {
  bool passed = false;               ///< whether the error is within the tolerance
  std::string message;               ///< what was compared, and the worst coordinate
  std::size_t worst_coordinate = 0;  ///< the coordinate with the largest error
  double gradient = 0;               ///< the entry of the gradient there
  double difference_quotient = 0;    ///< the derivative there, from values alone
  double error = 0;                  ///< largest |gradient - quotient| / max(|gradient entries|, |quotient entries|)
  bool strongly_convex = false;      ///< no two points tried contradict alpha
};

/// Compares the gradient at x with central differences of values (2 evaluations a coordinate,
/// extrapolated once: 4), and tests f(y) >= f(x) + g.(y - x) + alpha/2 |y - x|^2 at the same
/// points. `tolerance` bounds the relative error.
GradientCheck check_gradient(const Objective& f, std::span<const double> x, double tolerance = 1e-6);

}  // namespace geodescent
