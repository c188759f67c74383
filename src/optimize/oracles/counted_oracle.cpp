#include "optimize/oracles/counted_oracle.hpp"

namespace geodescent {
namespace {

std::uint64_t number(int count) { return static_cast<std::uint64_t>(count); }

}  // namespace

void CountedOracle::lift(Point& p) {
  counts_.forward_passes += number(facts().forward_per_lift);
  counts_.backward_passes += number(facts().backward_per_lift);
  OracleDecorator::lift(p);
}

Evaluation CountedOracle::gradient(const Point& p, std::span<double> g) {
  counts_.forward_passes += number(facts().forward_per_gradient);
  counts_.backward_passes += number(facts().backward_per_gradient + (refined_ ? 1 : 0));
  counts_.function_evaluations += number(facts().evaluations_per_call);
  return OracleDecorator::gradient(p, g);
}

bool CountedOracle::refine() {
  const bool more_digits = OracleDecorator::refine();
  refined_ = refined_ || more_digits;
  return more_digits;
}

LineValue CountedOracle::on(Line& line, double t) {
  ++counts_.line_evaluations;
  counts_.function_evaluations += number(facts().evaluations_per_call);
  return OracleDecorator::on(line, t);
}

void CountedOracle::expand(std::span<const double> multipliers, std::span<double> x) {
  if (product().by_rows) ++counts_.backward_passes;
  OracleDecorator::expand(multipliers, x);
}

void CountedOracle::reduce(const Basis& basis, const Point& x, Reduced& out) {
  ++counts_.subspace_evaluations;
  OracleDecorator::reduce(basis, x, out);
}

void CountedOracle::hessian_at(const Point& p, double width, Hessian& out) {
  ++counts_.backward_passes;
  OracleDecorator::hessian_at(p, width, out);
}

/// One forward pass for the lengths of the rows; from an image, also the ball of its dual values.
void CountedOracle::begin_dual(std::span<const double> image) {
  ++counts_.forward_passes;
  if (!image.empty()) {
    counts_.forward_passes += number(facts().forward_per_gradient);
    counts_.backward_passes += number(facts().backward_per_gradient);
  }
  OracleDecorator::begin_dual(image);
}

double CountedOracle::dual_epoch() {
  ++counts_.forward_passes;
  ++counts_.backward_passes;
  return OracleDecorator::dual_epoch();
}

Evaluation CountedOracle::dual_ball(std::span<double> linear) {
  counts_.forward_passes += number(facts().forward_per_gradient);
  counts_.backward_passes += number(facts().backward_per_gradient);
  return OracleDecorator::dual_ball(linear);
}

}  // namespace geodescent
