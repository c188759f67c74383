#include "optimize/oracles/black_box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace geodescent {

std::unique_ptr<Oracle> Objective::oracle() const { return std::make_unique<BlackBox>(*this); }

BlackBox::BlackBox(const Objective& f)
    : Oracle({.dimension = f.dimension(),
              .columns = f.dimension(),
              .strong_convexity = f.strong_convexity(),
              .smoothness = f.smoothness(),
              .evaluations_per_call = 1}),
      f_(f),
      precision_(f.relative_precision()) {}

Evaluation BlackBox::evaluate(std::span<const double> x, std::span<double> g) const {
  const double alpha = strong_convexity();
  Evaluation e;
  std::fill(g.begin(), g.end(), std::numeric_limits<double>::quiet_NaN());  // what f does not write proves nothing
  e.value = f_.evaluate(x, g);
  const double gx = dot(g, x), xx = squared_norm(x), norm_g = norm(g);
  e.offset = e.value - gx + 0.5 * alpha * xx;
  e.value_error = precision_ * std::abs(e.value);
  e.offset_error = precision_ * (std::abs(e.value) + norm_g * std::sqrt(xx) + 0.5 * alpha * xx);
  e.linear_error = precision_ * (norm_g + alpha * std::sqrt(xx));
  return e;
}

LineValue BlackBox::on(Line& line, double t) {
  combine(line.trial, 1, line.origin().x, t, line.direction().x);
  line.trial_evaluation = evaluate(line.trial, line.trial_gradient);
  line.trial_step = t;
  return {line.trial_evaluation.value, dot(line.trial_gradient, line.direction().x), 0};
}

}  // namespace geodescent
