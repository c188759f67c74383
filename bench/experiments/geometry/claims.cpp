#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/geometry/geometry.hpp"

namespace geodescent::lab {
namespace {

/// The largest squared radius minus the bound of the lemma, over a grid of |g| and epsilon.
Claim lemma(bool both) {
  double worst = -std::numeric_limits<double>::infinity();
  int cases = 0;
  for (const double g : {1.0, 1.1, 1.5, 2.0, 4.0, 10.0, 100.0}) {
    for (double epsilon = 0.9; epsilon > 1e-6; epsilon *= 0.7) {
      const Ball unit{{0, 0}, both ? 1 - epsilon * g * g : 1};
      const Ball other{{g, 0}, g * g * (1 - epsilon)};
      const bool meet =
          unit.squared_radius > 0 && std::sqrt(unit.squared_radius) + std::sqrt(other.squared_radius) >= g;
      if (!meet) continue;
      const double bound = 1 - (both ? std::sqrt(epsilon) : epsilon);
      worst = std::max(worst, smallest_ball_around_intersection(other, unit).squared_radius - bound);
      ++cases;
    }
  }
  return {
      both ? "section 2.2, Figure 2, Lemma 1" : "section 2.1, Figure 1",
      both ? "When both balls shrink by the same amount, the squared radius around their intersection falls to at "
             "most 1 - sqrt(epsilon)."
           : "When one of the balls shrinks, the squared radius around the intersection falls to at most "
             "1 - epsilon.",
      fmt::format("{} pairs of |g| >= 1 and epsilon for which the balls meet: the squared radius exceeds the bound by "
                  "at most {:.1e} (negative: stays below).",
                  cases, worst),
      worst <= 1e-12 ? Verdict::holds : Verdict::does_not_hold};
}

Claim shrinking(const std::vector<BallStep>& steps, double bound) {
  double largest = 0;
  for (const BallStep& step : steps) largest = std::max(largest, step.ratio());
  return {
      "Theorem 1 and section 2.1",
      fmt::format("Each iteration shrinks the squared radius at least by the factor {:.3f}, which is 1 - 1/sqrt(kappa) "
                  "for GeoD and 1 - 1/kappa for the ball method.",
                  bound),
      fmt::format("Over {} iterations the factor was at most {:.3f}.", steps.size(), largest),
      largest <= bound ? Verdict::holds : Verdict::does_not_hold};
}

constexpr double lowest = -std::numeric_limits<double>::infinity();

Claim minimiser_inside(const PlaneProblem& problem, const std::vector<BallStep>& steps) {
  double excess = lowest;
  for (const BallStep& step : steps) {
    for (const Ball* ball : {&step.before, &step.before_shrunk, &step.gradient, &step.gradient_shrunk, &step.around})
      excess = std::max(excess, squared_excess(*ball, problem.minimiser));
  }
  return {"section 3", "The minimiser lies in every ball.",
          fmt::format("{} balls: its squared distance from the centre exceeds the squared radius by at most {:.1e} "
                      "(negative: stays below); rounding of f may make {:.1e}.",
                      5 * steps.size(), excess, problem.rounding()),
          excess <= problem.rounding() ? Verdict::holds : Verdict::does_not_hold};
}

Claim intersection_inside(const PlaneProblem& problem, const std::vector<BallStep>& steps) {
  constexpr std::size_t points = 500;
  double excess = lowest;
  double difference = 0;
  for (const BallStep& step : steps) {
    for (const Vector& p : intersection_border(step.before_shrunk, step.gradient_shrunk, points))
      excess = std::max(excess, squared_excess(step.around, p));
    const double smallest = smallest_ball_around_intersection(step.gradient_shrunk, step.before_shrunk).squared_radius;
    difference = std::max(difference, std::abs(step.around.squared_radius - smallest));
  }
  const double rounding = problem.rounding();
  return {
      "section 3, Algorithm 1", "The new ball is the smallest one around the intersection of the two shrunk balls.",
      fmt::format("{} points on each border: their squared distance from the centre exceeds the squared radius by at "
                  "most {:.1e}; the squared radii of the method and of Algorithm 1 differ by at most {:.1e}; rounding "
                  "of f may make {:.1e}.",
                  points, excess, difference, rounding),
      excess <= rounding && difference <= rounding ? Verdict::holds : Verdict::does_not_hold};
}

}  // namespace

std::vector<Claim> geometry_claims(const PlaneProblem& problem, const std::vector<BallStep>& steps, double bound) {
  return {lemma(false), lemma(true), shrinking(steps, bound), minimiser_inside(problem, steps),
          intersection_inside(problem, steps)};
}

}  // namespace geodescent::lab
