#include "methods/geod_memory/state.hpp"

#include <algorithm>
#include <cmath>

#include "methods/common.hpp"

namespace geodescent {
namespace {

constexpr double least_relative_gap = 1e-15;  // the smallest gap that double precision resolves

}  // namespace

void State::begin(Oracle& objective, std::span<const double> x0, const Memory& plan, bool lifts_gradients) {
  f = &objective;
  product = f->product();
  x = lifted(*f, x0);
  make_room(plan, lifts_gradients);
  evaluate();
  enclose();
  first_value_ = f_x;
}

void State::change(const Memory& plan, bool lifts_gradients) {
  const LowerModel enclosing = balls.model();
  make_room(plan, lifts_gradients);
  Point* const linear = balls.begin_with(enclosing);
  if (linear && lifts_gradients) f->lift(*linear);
  evaluate();
  enclose();
}

/// Allocates only what is needed: the first touch of a page costs as much as a thousand losses.
void State::make_room(const Memory& plan, bool lifts_gradients) {
  const std::size_t image_size = lifts_gradients || product.by_rows ? f->image_size() : 0;
  g = Point(f->dimension(), image_size);
  balls = Bundle(f->dimension(), image_size, f->strong_convexity(), plan.balls, plan.dual, product);
}

double State::wanted_gap() const {
  return std::max(relative_gap_, least_relative_gap) * (first_value_ - std::max(bound, f->facts().trivial_bound));
}

void State::evaluate() {
  at_x = f->gradient(x, g.x);
  if (product.by_rows) combine(g.image, 1, at_x.linear_image, f->strong_convexity(), x.image);
}

void State::enclose() {
  f_x = at_x.value;
  if (std::isfinite(f_x)) enclose(x, g, at_x);
}

void State::enclose(const Point& at, const Point& gradient, const Evaluation& e) {
  balls.enclose(at, gradient, e);
  if (balls.estimated())
    estimate_bound();
  else
    bound = std::max(bound, balls.model().lower_bound());
}

/// Early in a run the points say little about alpha. So the gap is taken to be at least the gain of
/// the last iterations: of the second half of a young run, of ten iterations of a longer one.
void State::estimate_bound() {
  const std::size_t window = std::clamp<std::size_t>((iterations + 1) / 2, 1, last_values_.size() - 1);
  last_values_[iterations % last_values_.size()] = f_x;
  if (iterations == 0 || !balls.exists()) return;
  const bool falls = f_x < last_values_[(iterations - 1) % last_values_.size()];
  const double gained = falls ? last_values_[(iterations - window) % last_values_.size()] - f_x : 0;
  bound = std::min(balls.model().lower_bound(), f_x - gained);
}

}  // namespace geodescent
