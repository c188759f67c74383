#include "optimize/models/convexity_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/parallel.hpp"

namespace geodescent {
namespace {

/// The largest alpha with
///     f(y) >= f(x) + grad f(x).(y - x) + alpha/2 |y - x|^2,   the same with x and y exchanged,
///     (grad f(y) - grad f(x)).(y - x) >= alpha |y - x|^2,
/// Each left side is increased by its possible rounding. The third inequality follows from the
/// others, but near the minimum gradients still differ where values no longer do.
double largest_between(const ConvexityEstimate::Sample& a, const Point& x, const Point& g, const Evaluation& e) {
  const auto sums =
      parallel::sum<parallel::Sums<3>>(parallel::cut(x.x.size()), [&](std::size_t begin, std::size_t end) {
        return parallel::sum_in_lanes<3>(begin, end, [&](std::size_t i) {
          const double s = x.x[i] - a.x.x[i];
          return std::array{s * s, a.g.x[i] * s, g.x[i] * s};
        });
      }).of;
  const double squared = sums[0], slope_a = sums[1], slope_x = sums[2];
  if (!(squared > 0)) return std::numeric_limits<double>::infinity();
  const double slope_error = (a.e.linear_error + e.linear_error) * std::sqrt(squared);
  const double value_error = a.e.value_error + e.value_error + slope_error;
  const double from_values =
      2 * (std::min(e.value - a.e.value - slope_a, a.e.value - e.value + slope_x) + value_error) / squared;
  return std::min(from_values, (slope_x - slope_a + slope_error) / squared);
}

}  // namespace

void ConvexityEstimate::clear() {
  count_ = 0;
  alpha_ = std::numeric_limits<double>::infinity();
}

bool ConvexityEstimate::add(const Point& x, const Point& g, const Evaluation& e) {
  const double before = alpha_;
  for (std::size_t i = 0; i < size(); ++i) alpha_ = std::min(alpha_, largest_between(sample(i), x, g, e));
  // For a function that is not convex the estimate is meaningless but stays positive.
  alpha_ = std::max(alpha_, std::numeric_limits<double>::min());
  Sample& s = samples_[count_++ % samples_.size()];
  s.x.x = x.x;
  s.g.x = g.x;
  s.e = e;
  return alpha_ != before;
}

}  // namespace geodescent
