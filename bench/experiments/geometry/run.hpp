// A run in the plane, with all that its balls need.
#pragma once

#include <geodescent/optimize/ball.hpp>
#include <geodescent/optimize/objective.hpp>
#include <memory>
#include <string>
#include <vector>

namespace geodescent::lab {

/// Logistic regression with two weights: smooth, strongly convex, not quadratic.
struct PlaneProblem {
  std::unique_ptr<Objective> f;
  double smoothness = 0;
  Vector start;
  Vector minimiser;
  double minimum = 0;

  double condition() const { return smoothness / f->strong_convexity(); }
  double value(double u, double v) const;
  /// What rounding of values can do to a squared radius, (2/alpha) times a difference of them.
  double rounding() const;
};
PlaneProblem plane_problem();

/// One iteration in the letters of the paper.
struct BallStep {
  std::size_t k = 0;
  std::size_t at = 0;  ///< the index of x: k, but k - 1 for the method `ball`
  Vector x;            ///< where the gradient was computed
  Vector x_plus;       ///< x^+
  Ball before;         ///< the ball of the iteration before
  Ball before_shrunk;  ///< what f(x_k^+) makes of it; the same ball for the method `ball`
  Ball gradient;       ///< B(x_k^{++}, |g|^2/alpha^2)
  Ball gradient_shrunk;
  Ball around;  ///< the method's new ball, around the intersection of the two shrunk ones
  double gap = 0;

  double ratio() const { return around.squared_radius / before.squared_radius; }
};

/// The first iterations of geod, geod-fixed or ball; fewer when the proven gap comes close to rounding before.
std::vector<BallStep> ball_steps(const PlaneProblem& problem, const std::string& method, std::size_t steps);

/// |point - centre|^2
double squared_distance(const Vector& a, const Vector& b);
/// |point - centre|^2 less the squared radius: negative inside.
double squared_excess(const Ball& ball, const Vector& point);

/// The border of the intersection of two discs, counterclockwise.
std::vector<Vector> intersection_border(const Ball& a, const Ball& b, std::size_t points);

}  // namespace geodescent::lab
