// A run in the plane, with its balls.
#pragma once

#include <geodescent/optimize/ball.hpp>
#include <geodescent/optimize/objective.hpp>
#include <memory>
#include <string>
#include <vector>

namespace geodescent::lab {

/// Logistic regression with two coefficients: smooth, strongly convex, not quadratic.
struct PlaneProblem {
  std::unique_ptr<Objective> f;
  double smoothness = 0;
  Vector start;
  Vector minimiser;
  double minimum = 0;

  double condition() const { return smoothness / f->strong_convexity(); }
  double value(double u, double v) const;
  /// The possible rounding of a squared radius, (2/alpha) times a difference of values.
  double rounding() const;
};
PlaneProblem plane_problem();

/// One iteration, in the notation of the paper.
struct BallStep {
  std::size_t k = 0;
  std::size_t at = 0;  ///< the index of x: k, or k - 1 for the method `ball`
  Vector x;            ///< the point of the gradient
  Vector x_plus;       ///< x^+
  Ball before;         ///< the ball of the previous iteration
  Ball before_shrunk;  ///< the same ball with f(x_k^+); unchanged for the method `ball`
  Ball gradient;       ///< B(x_k^{++}, |g|^2/alpha^2)
  Ball gradient_shrunk;
  Ball around;  ///< the new ball, around the intersection of the two shrunk balls
  double gap = 0;

  double ratio() const { return around.squared_radius / before.squared_radius; }
};

/// The first iterations of geod, geod-fixed or ball. Ends earlier if the proven gap is close to
/// rounding.
std::vector<BallStep> ball_steps(const PlaneProblem& problem, const std::string& method, std::size_t steps);

/// |point - centre|^2
double squared_distance(const Vector& a, const Vector& b);
/// point - centre|^2 minus the squared radius; negative inside.
double squared_excess(const Ball& ball, const Vector& point);

/// The border of the intersection of two discs, counterclockwise.
std::vector<Vector> intersection_border(const Ball& a, const Ball& b, std::size_t points);

}  // namespace geodescent::lab
