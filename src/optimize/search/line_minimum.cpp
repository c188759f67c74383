// The exact line search. It compares slopes, not values: near the minimum values differ by less
// than their rounding.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "optimize/search/line_search.hpp"

namespace geodescent {
namespace {

constexpr int max_evaluations = 64;
constexpr double smallest_width = 4 * std::numeric_limits<double>::epsilon();

bool is_finite(const LineValue& v) { return std::isfinite(v.value) && std::isfinite(v.slope); }

struct Sample {
  double t = 0;
  LineValue at;
};

/// The Newton step from `s`; the secant step through `s` and `other` if the curvature is unknown.
double propose(const Sample& s, const Sample& other) {
  if (s.at.curvature > 0) return s.t - s.at.slope / s.at.curvature;
  return s.t - s.at.slope * (s.t - other.t) / (s.at.slope - other.at.slope);
}

/// A point between the ends of a bracket: the arithmetic mean, or the geometric mean if the ends
/// differ by orders of magnitude.
double middle(double near, double far) {
  if (std::abs(far) <= 100 * std::abs(near)) return near + 0.5 * (far - near);
  return near == 0 ? 0.01 * far : std::copysign(std::sqrt(near * far), far);
}

}  // namespace

LineStep line_minimum(Oracle& f, Line& line, const LineValue& start, double guess, double tolerance) {
  LineStep best{0, start, true, true};
  if (start.slope == 0) return best;

  const double forward = start.slope < 0 ? 1 : -1;  // the sign of t in which f descends
  const double target = tolerance * std::abs(start.slope);
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(start.value);
  Sample near{0, start};                                              // the farthest point that still descends
  Sample far{forward * std::numeric_limits<double>::infinity(), {}};  // the nearest point that does not descend
  Sample last = near, previous = near;
  double width = std::numeric_limits<double>::infinity();
  bool walled = false;  // whether `far` is only a point where f is not finite

  double t = start.curvature > 0 ? propose(near, near) : guess;
  if (!(std::isfinite(t) && t * forward > 0)) t = forward;

  for (int i = 0; i < max_evaluations; ++i) {
    const LineValue at = f.on(line, t);
    if (!is_finite(at)) {
      far = {t, {}};
      walled = true;
      t = middle(near.t, far.t);
      if (std::abs(far.t - near.t) <= smallest_width * std::abs(far.t)) break;
      continue;
    }
    previous = last;
    last = {t, at};
    // A small slope beyond the minimum is not enough. Where the curvature drops by orders of
    // magnitude, as at the kink of a hinge, f may exceed its start although the slope is small.
    // Before the minimum convexity excludes that.
    const bool lower = at.slope * forward <= 0 || at.value <= start.value + rounding;
    if (lower && std::abs(at.slope) <= std::abs(best.at.slope)) best = {t, at, true, true};
    if (lower && std::abs(at.slope) <= target) return best;
    if (at.slope * forward < 0) {
      near = last;
    } else {
      far = last;
      walled = false;
    }

    const bool bracketed = std::isfinite(far.t);
    const double old_width = std::exchange(width, std::abs(far.t - near.t));
    if (bracketed && width <= smallest_width * std::max(std::abs(near.t), std::abs(far.t))) break;
    double next = propose(last, previous);
    if (bracketed) {
      // Halve the bracket if the step leaves it, or if the last step halved neither the bracket nor
      // the slope.
      const bool inside = next > std::min(near.t, far.t) && next < std::max(near.t, far.t);
      const bool slow = width > 0.5 * old_width && std::abs(last.at.slope) > 0.5 * std::abs(previous.at.slope);
      if (!inside || slow) next = middle(near.t, far.t);
    } else {
      // Without a bracket, enlarge the step by at most a factor of ten.
      const double growth = next / last.t;
      if (!(growth > 1) || !std::isfinite(next)) next = 2 * last.t;
      if (growth > 10) next = 10 * last.t;
    }
    if (next == last.t) break;  // the step is below the spacing of doubles
    t = next;
  }
  best.finite = !walled;
  best.found = !walled;
  return best;
}

}  // namespace geodescent
