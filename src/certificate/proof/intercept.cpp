#include "certificate/proof/intercept.hpp"

#include <algorithm>
#include <utility>

namespace geodescent::proof {

InterceptProblem::InterceptProblem(const AnyProofLoss& loss, std::vector<InterceptTerm> terms)
    : loss_(loss), terms_(std::move(terms)) {}

/// For a regression the ends are the smallest and the largest residual. For two classes, beyond
/// +-(max |offset| + 1) one class has margins over 1 and the other below -1. `reach` further out
/// the sign of the derivative is certain.
InterceptProblem::Bracket InterceptProblem::bracket() const {
  Bracket ends{endless, -endless};
  Real reach = 1, positive = 0, negative = 0;
  for (const InterceptTerm& t : terms_) {
    ends.low = std::min(ends.low, t.target - t.offset);
    ends.high = std::max(ends.high, t.target - t.offset);
    reach = std::max(reach, abs(t.offset) + 1);
    (t.sign > 0 ? positive : negative) += t.weight.value;
  }
  // The ends were rounded by subtractions, so they are moved outward.
  if (!loss_.is_classification()) {
    return {ends.low - inflated(2 * unit * size_of(ends.low)), ends.high + inflated(2 * unit * size_of(ends.high))};
  }
  reach += loss_.reach(positive, negative);
  const double end = inflated(size_of(reach));
  return {-end, end};
}

InterceptProblem::Derivatives InterceptProblem::derivatives(Real b) const {
  Derivatives sum{0, 0, 0};
  for (const InterceptTerm& t : terms_) {
    const Real margin = t.sign * (t.offset + b);
    const Real dual_value = loss_.dual_value(margin, t.target);
    sum.first += t.weight.value * t.sign * dual_value;
    sum.size += t.weight.value * abs(dual_value);
    sum.second += t.weight.value * loss_.curvature(margin, t.target, dual_value);
  }
  return sum;
}

Real InterceptProblem::minimiser() const {
  constexpr int most_steps = 200;
  auto [low, high] = bracket();
  // A higher resolution is not needed: the lower bound holds for every b.
  constexpr double resolution = std::numeric_limits<double>::epsilon() / 16;
  Real b = clamped<Real>(0, low, high);  // predictions include a trained intercept
  for (int step = 0; step < most_steps && low < high; ++step) {
    const Derivatives d = derivatives(b);
    if (abs(d.first) <= resolution * d.size) return b;
    (d.first > 0 ? high : low) = b;
    const Real newton = b - d.first / d.second;
    // Every fourth step halves the bracket, because a kink could make Newton steps alternate.
    const bool trusted = newton > low && newton < high && step % 4 != 3;
    const Real next = trusted ? newton : low / 2 + high / 2;
    if (!(abs(next - b) > unit * abs(b))) return next;
    b = next;
  }
  return b;
}

Real InterceptProblem::lower_bound(Real b) const {
  BoundedSum values, dual_values;
  for (const InterceptTerm& t : terms_) {
    const Bounded margin = Bounded{t.sign, 0} * (Bounded{t.offset, 0} + Bounded{b, 0});
    values.add(t.weight * loss_.value(margin, t.target));
    dual_values.add(t.weight * Bounded{t.sign, 0} * loss_.dual_value(margin, t.target));
  }
  const auto [low, high] = bracket();
  const double farthest = inflated(std::max(size_of(b - low), size_of(high - b)));
  const Bounded drop = Bounded{dual_values.result().magnitude(), 0} * Bounded{farthest, 0};
  return (values.result() - drop).lower();
}

}  // namespace geodescent::proof
