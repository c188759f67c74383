#include "methods/geod_memory/newton_search.hpp"

#include <cmath>
#include <limits>

namespace geodescent {
namespace {

/// More exact steps were not seen to save iterations.
constexpr double line_tolerance = 0.01;
/// The search over the span ends when the gradient in it has fallen to this part of the slope along the new direction.
constexpr double span_tolerance = 0.05;
/// With four, smoothed and squared hinge took as many passes and half as many evaluations again.
constexpr int most_steps = 2;

}  // namespace

NewtonSearch::NewtonSearch(Oracle& f, std::size_t directions)
    : remembers_(directions > 0),
      newton_(*f.hessian()),
      span_(remembers_ ? RememberedSpan(f, directions) : RememberedSpan()),
      direction_(f.dimension(), f.image_size()),
      before_(remembers_ ? direction_ : Point()),
      line_(f.dimension(), f.product()) {}

void NewtonSearch::start(const Point& x) {
  if (remembers_) span_.start(x);
}

bool NewtonSearch::descend(Oracle& f, Point& x, std::span<const double> g, double& value) {
  if (!newton_.at(x, g, direction_.x)) combine(direction_.x, -1, g, 0, g);
  f.lift(direction_);
  const double slope = dot(g, direction_.x);
  return remembers_ ? search_span(f, x, slope, value) : search_line(f, x, slope, value);
}

bool NewtonSearch::search_line(Oracle& f, Point& x, double slope, double& value) {
  line_.set(x, direction_);
  newton_.follow(line_, direction_.x);
  const LineStep step = line_minimum(f, line_, {value, slope, -slope}, 1, line_tolerance);
  if (!step.finite) return false;
  // Near the minimum slopes still tell better from worse where values no longer do.
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(value);
  const bool better = step.found && step.at.value <= value + rounding;
  const double taken = better ? step.t : 0;
  newton_.learn(taken, line_, taken);
  if (!better) return true;
  combine(x, 1, x, step.t, direction_);
  value = step.at.value;
  return true;
}

bool NewtonSearch::search_span(Oracle& f, Point& x, double slope, double& value) {
  span_.remember(direction_, x, {});
  before_ = x;
  // Newton's direction may be almost orthogonal to the gradient: what counts is the slope along it.
  const double length = norm(direction_.x);
  if (!span_.search(f, x, value, {}, span_tolerance * std::abs(slope) / length, most_steps)) return false;
  const double part = (dot(x.x, direction_.x) - dot(before_.x, direction_.x)) / (length * length);
  combine(direction_, 1, x, -1, before_);
  line_.set(before_, direction_);
  newton_.learn(part, line_, 1);
  return true;
}

}  // namespace geodescent
