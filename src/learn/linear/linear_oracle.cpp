#include "learn/linear/linear_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace geodescent {
namespace {

constexpr double unit_roundoff = 0.5 * std::numeric_limits<double>::epsilon();

}  // namespace

LinearOracle::LinearOracle(const LinearProblem& problem, const Facts& facts, std::unique_ptr<RowSpan>&& span)
    : Oracle(facts), problem_(problem), span_(std::move(span)) {}

Facts LinearOracle::facts_of(const LinearProblem& problem, const RowSpan* span) {
  Facts facts = span ? span->facts() : problem.data.facts();
  facts.strong_convexity = problem.regularizer.strong_convexity();
  facts.trivial_bound = 0;  // losses are not negative
  facts.condition = problem.smoothness_bound() / facts.strong_convexity;
  if (problem.data.alone()) facts.dual_condition = problem.dual_condition();  // epochs take one row after the other
  return facts;
}

void LinearOracle::lift(Point& p) {
  if (span_) return span_->lift(p.x, p.image);
  problem_.data.forward(p.x, p.image);
}

void LinearOracle::expand(std::span<const double> multipliers, std::span<double> x) {
  if (span_) return span_->expand(multipliers, x);
  Oracle::expand(multipliers, x);
}

std::unique_ptr<Oracle> LinearOracle::row_form(std::span<const double> x0) {
  if (span_ || !RowSpan::is_smaller(problem_.data, x0)) return nullptr;
  return in_row_form(x0);
}

double LinearOracle::sum_error(double roundings_of_loss) const {
  return (problem_.data.sum_depth() + roundings_of_loss) * unit_roundoff;
}

// The lower model is a dual point. With dual values u_i the loss part of the linear term is exactly
// A'u/n, and the offset is the mean of phi(z_i) - u_i z_i = -phi*(u_i). Both hold for every image
// z, so the drift of an image over thousands of combinations cannot invalidate the lower bound.
Evaluation LinearOracle::lower_model(const Point& p, std::span<double> g, const DualSums& sums,
                                     const Roundings& roundings, const InterceptErrors& of_intercepts,
                                     const std::optional<ProductErrors>& refined) {
  const RiskOperator& data = problem_.data;
  const L2& regularizer = problem_.regularizer;
  regularizer.add_gradient(g, span_ ? span_->multipliers() : std::span<const double>(g), p.x);

  const double w = data.total_weight();
  const double mean_loss = sums.losses / w;
  const double xx = product().squared_norm(p), penalty = regularizer.value(xx);
  const double magnitude = mean_loss + (sums.product_sizes + sums.dual_sizes) / w;  // of all terms
  const double rms_dual = std::sqrt(sums.dual_squares / w);
  const double of_sum = sum_error(roundings.of_loss);

  Evaluation e;
  e.value = mean_loss + penalty;
  e.offset = mean_loss - sums.products / w;
  e.offset_error = of_sum * magnitude;
  e.value_error = e.offset_error + of_sum * penalty;
  if (refined) {
    e.linear_error = refined->linear;
    e.value_error += refined->value;
  } else {
    e.linear_error = (data.backward_depth() + roundings.of_dual) * unit_roundoff * rms_dual * data.row_norm();
    e.value_error += 2 * data.forward_depth() * unit_roundoff * rms_dual * data.row_norm() * std::sqrt(xx);
  }
  e.offset_error += of_intercepts.offset;
  e.value_error += of_intercepts.value;
  if (span_) {
    span_->describe(e);
    // |x|^2 has terms of both signs in row form
    e.value_error += of_sum * regularizer.value(norm(p.x) * norm(p.image));
  }
  return e;
}

Evaluation evaluate_at(Oracle& f, std::span<const double> coefficients, std::span<double> gradient) {
  Point p(f.dimension(), f.image_size());
  std::copy(coefficients.begin(), coefficients.end(), p.x.begin());
  if (std::any_of(p.x.begin(), p.x.end(), [](double v) { return v != 0; })) f.lift(p);
  return f.gradient(p, gradient);
}

}  // namespace geodescent
