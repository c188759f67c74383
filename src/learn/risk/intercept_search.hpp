// The best intercept of a risk, or any other minimum of a convex function of one variable.
#pragma once

#include <cmath>
#include <limits>

namespace geodescent {

/// The minimum of a convex function of one variable, from its slope and curvature: Newton's steps inside of a bracket.
class InterceptSearch {
 public:
  /// A slope of this size, measured by what was added up for it, is none.
  static constexpr double exact = 32 * std::numeric_limits<double>::epsilon();

  /// Ends where the slope is `tolerance` times the size of what was added up for it.
  explicit InterceptSearch(double start, double tolerance = exact)
      : b_(std::isfinite(start) ? start : 0), tolerance_(tolerance) {}

  double b() const { return b_; }
  /// The function has this slope and curvature at b(). False when b() is good enough, or as good as rounding allows;
  /// else b() is the next one to try. `magnitude` is the size of what was added up for the slope.
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
