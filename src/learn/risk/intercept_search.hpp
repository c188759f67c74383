// Minimisation of a convex function of one variable, such as a risk as a function of the intercept.
#pragma once

#include <cmath>
#include <limits>

namespace geodescent {

/// Newton's method inside a bracket, from slopes and curvatures.
class InterceptSearch {
 public:
  /// The smallest meaningful slope, relative to the sum of the magnitudes of its terms.
  static constexpr double exact = 32 * std::numeric_limits<double>::epsilon();

  /// Stops when the slope is at most `tolerance` times the sum of the magnitudes of its terms.
  explicit InterceptSearch(double start, double tolerance = exact)
      : b_(std::isfinite(start) ? start : 0), tolerance_(tolerance) {}

  double b() const { return b_; }
  /// Takes slope and curvature of the function at b(). `magnitude` is the sum of the magnitudes of
  /// the terms of the slope. Returns false if b() is accurate enough, or as accurate as rounding
  /// allows. Otherwise b() becomes the next point to evaluate.
  bool improve(double slope, double curvature, double magnitude);

 private:
  static constexpr int most_steps = 100;

  double b_;
  double tolerance_;
  double low_ = -std::numeric_limits<double>::infinity(), high_ = std::numeric_limits<double>::infinity();
  double stride_ = 1;
  int steps_ = 0;
};

}  // namespace geodescent
