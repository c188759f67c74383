#include "geodescent/optimize/objective.hpp"

#include <algorithm>
#include <cmath>

namespace geodescent {

void Objective::expand(std::span<const double> multipliers, std::span<double> x) const {
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
  hint = x.hint.value;
  hint_slope = hint_step = 0;
}

Counts operator+(const Counts& a, const Counts& b) {
  return {a.forward_passes + b.forward_passes, a.backward_passes + b.backward_passes,
          a.line_evaluations + b.line_evaluations, a.subspace_evaluations + b.subspace_evaluations,
          a.function_evaluations + b.function_evaluations};
}

void CountedObjective::expand(std::span<const double> multipliers, std::span<double> x) const {
  if (product().by_rows) ++counts_.backward_passes;
  ObjectiveDecorator::expand(multipliers, x);
}

void CountedObjective::lift(Point& p) const {
  counts_.forward_passes += static_cast<std::uint64_t>(cost_.forward_per_lift);
  counts_.backward_passes += static_cast<std::uint64_t>(cost_.backward_per_lift);
  ObjectiveDecorator::lift(p);
}

Evaluation CountedObjective::gradient(const Point& p, std::span<double> g) const {
  counts_.backward_passes += static_cast<std::uint64_t>(cost_.backward_per_gradient);
  counts_.forward_passes += static_cast<std::uint64_t>(cost_.forward_per_gradient);
  counts_.function_evaluations += static_cast<std::uint64_t>(cost_.evaluations_per_call);
  return ObjectiveDecorator::gradient(p, g);
}

bool CountedObjective::reduce(const Basis& basis, const Point& x, Reduced& out) const {
  ++counts_.subspace_evaluations;
  return ObjectiveDecorator::reduce(basis, x, out);
}

void CountedObjective::hessian(const Point& p, double width, Hessian& out) const {
  ++counts_.backward_passes;
  ObjectiveDecorator::hessian(p, width, out);
}

LineValue CountedObjective::on(Line& line, double t) const {
  ++counts_.line_evaluations;
  counts_.function_evaluations += static_cast<std::uint64_t>(cost_.evaluations_per_call);
  return ObjectiveDecorator::on(line, t);
}

Evaluation advance(const Objective& f, const Line& line, double t, Point& x, std::span<double> g) {
  const bool already_evaluated = line.trial_step == t;
  combine(x, 1, line.origin(), t, line.direction());
  x.hint = line.hint_at(t);
  if (!already_evaluated) return f.gradient(x, g);
  std::copy(line.trial_gradient.begin(), line.trial_gradient.end(), g.begin());
  return line.trial_evaluation;
}

}  // namespace geodescent
