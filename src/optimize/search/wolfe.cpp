// The strong Wolfe line search: enlarge the step until an interval with a valid step is bracketed,
// then shrink it by cubic interpolation (Nocedal and Wright, Numerical Optimization, section 3.5).
#include <algorithm>
#include <cmath>
#include <limits>

#include "optimize/search/line_search.hpp"

namespace geodescent {
namespace {

constexpr int max_wolfe_evaluations = 40;

struct WolfeSample {
  double t;
  LineValue at;
};

/// Minimiser of the cubic through two samples, kept away from the ends of their interval.
double interpolate(const WolfeSample& a, const WolfeSample& b) {
  const double width = b.t - a.t;
  const double d1 = a.at.slope + b.at.slope - 3 * (a.at.value - b.at.value) / (a.t - b.t);
  const double discriminant = d1 * d1 - a.at.slope * b.at.slope;
  const double middle = a.t + 0.5 * width;
  if (!(discriminant >= 0)) return middle;
  const double d2 = std::copysign(std::sqrt(discriminant), width);
  const double t = b.t - width * ((b.at.slope + d2 - d1) / (b.at.slope - a.at.slope + 2 * d2));
  const double margin = 0.1 * std::abs(width);
  const double low = std::min(a.t, b.t) + margin, high = std::max(a.t, b.t) - margin;
  return std::isfinite(t) ? std::clamp(t, low, high) : middle;
}

/// A step beyond `s` towards the minimum that the slopes of the two samples predict; 1.1 to 10
/// times as far.
double extrapolate(const WolfeSample& before, const WolfeSample& s) {
  const double t = s.t - s.at.slope * (s.t - before.t) / (s.at.slope - before.at.slope);
  return std::isfinite(t) && t > s.t ? std::clamp(t, 1.1 * s.t, 10 * s.t) : 4 * s.t;
}

}  // namespace

LineStep wolfe_step(Oracle& f, Line& line, const LineValue& start, double first, const WolfeConditions& c) {
  if (!(start.slope < 0)) return {0, start, false, true};
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * std::abs(start.value);
  const auto decreases = [&](const WolfeSample& s) {
    return s.at.value <= start.value + c.c1 * s.t * start.slope ||
           (std::abs(s.at.value - start.value) <= rounding && s.at.slope <= (2 * c.c1 - 1) * start.slope);
  };
  const auto flat = [&](const WolfeSample& s) { return std::abs(s.at.slope) <= c.c2 * std::abs(start.slope); };
  const auto accept = [](const WolfeSample& s) { return LineStep{s.t, s.at, true, true}; };

  WolfeSample low{0, start};   // the best sample that satisfies the first condition
  WolfeSample high{0, start};  // the other end of the bracket, if there is one
  bool bracketed = false, walled = false;
  double t = first;
  for (int i = 0; i < max_wolfe_evaluations; ++i) {
    const WolfeSample s{t, f.on(line, t)};
    if (!std::isfinite(s.at.value) || !std::isfinite(s.at.slope)) {
      walled = true;
      t = low.t + 0.25 * (t - low.t);
      continue;
    }
    if (!decreases(s) || s.at.value > low.at.value + rounding) {
      high = s;
      bracketed = true;
    } else {
      if (flat(s)) return accept(s);
      if (!bracketed) t = extrapolate(low, s);
      if (bracketed ? s.at.slope * (high.t - low.t) >= 0 : s.at.slope >= 0) {
        high = low;
        bracketed = true;
      }
      low = s;
    }
    if (!bracketed) continue;
    if (std::abs(high.t - low.t) <= 4 * std::numeric_limits<double>::epsilon() * std::abs(high.t)) break;
    t = interpolate(low, high);
  }
  // No step satisfied both conditions in floating point. A step that decreases f is accepted.
  if (low.t > 0 && low.at.value < start.value) return {low.t, low.at, true, true};
  return {0, start, false, !walled};
}

}  // namespace geodescent
