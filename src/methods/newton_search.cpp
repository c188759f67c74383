#include "methods/newton_search.hpp"

#include <cmath>
#include <limits>

namespace geodescent {
namespace {

/// The next Hessian is worth more than the last digits of a step.
constexpr double line_tolerance = 0.1;

}  // namespace

NewtonSearch::NewtonSearch(const Objective& f)
    : newton_(f), direction_(f.dimension(), f.image_size()), line_(f.dimension(), f.product()) {}

bool NewtonSearch::descend(const Objective& f, Point& x, std::span<const double> g, double& value) {
  if (!newton_.at(f, x, g, direction_.x)) combine(direction_.x, -1, g, 0, g);
  f.lift(direction_);
  line_.set(x, direction_);
  line_.hint_slope = newton_.shift_along(direction_.x);
  const double slope = dot(g, direction_.x);
  const LineStep step = line_minimum(f, line_, {value, slope, -slope}, 1, line_tolerance);
  if (!step.finite) return false;
  // Near the minimum slopes still tell better from worse where values no longer do.
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(value);
  const bool better = step.found && step.at.value <= value + rounding;
  const double taken = better ? step.t : 0;
  newton_.learn(taken, f.image_change(line_, taken));
  if (!better) return true;
  combine(x, 1, x, step.t, direction_);
  x.hint = line_.hint_at(step.t);
  value = step.at.value;
  return true;
}

}  // namespace geodescent
