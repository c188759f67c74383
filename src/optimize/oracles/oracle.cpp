#include "geodescent/optimize/oracle.hpp"

#include <algorithm>
#include <cmath>

namespace geodescent {

void Oracle::expand(std::span<const double> multipliers, std::span<double> x) {
  std::copy(multipliers.begin(), multipliers.end(), x.begin());
}

void Line::set(const Point& x, const Point& d) {
  set(x, d, product_.squared_norm(x), product_(x, d), product_.squared_norm(d));
}

void Line::set(const Point& x, const Point& d, double xx, double xd, double dd) {
  origin_ = &x;
  direction_ = &d;
  xx_ = xx;
  xd_ = xd;
  dd_ = dd;
  trial_step = std::numeric_limits<double>::quiet_NaN();
  ++setting_;
}

Evaluation advance(Oracle& f, const Line& line, double t, Point& x, std::span<double> g) {
  const bool already_evaluated = line.trial_step == t;
  f.arrive(line, t);
  combine(x, 1, line.origin(), t, line.direction());
  if (!already_evaluated) return f.gradient(x, g);
  std::copy(line.trial_gradient.begin(), line.trial_gradient.end(), g.begin());
  return line.trial_evaluation;
}

}  // namespace geodescent
