// Pictures of balls, as gnuplot scripts.
#pragma once

#include <string>

#include "experiments/geometry/run.hpp"

namespace geodescent::lab {

struct Picture {
  std::string name;  ///< of its files
  std::string caption;
  std::string script;
  std::string svg = {};  ///< the picture; empty without gnuplot
  int width = 0;         ///< in points
  int height = 0;
};

/// Figures 1 and 2 of the paper: a unit ball and a ball of radius |g| around g. One of them
/// shrinks, or both.
struct ShrinkingBalls {
  double g = 2;
  double epsilon = 0;
  Ball unit, unit_shrunk, other, other_shrunk, around;
};
ShrinkingBalls shrinking_balls(bool both);
Picture picture_of(const ShrinkingBalls& balls, bool both);

/// A square around the minimiser.
struct PlaneWindow {
  double half_width = 0;
  double zoom = 1;  ///< relative to the first
};
/// Magnified by sqrt(2) repeatedly while the ball before the step fits.
PlaneWindow window_for(const BallStep& step, const PlaneProblem& problem, double first_half_width);
double half_width_for(const BallStep& step, const PlaneProblem& problem);

/// One iteration on the level lines of f. `bound` is the theoretical bound on the ratio of squared
/// radii.
Picture picture_of(const BallStep& step, const PlaneProblem& problem, const PlaneWindow& window, double bound);

}  // namespace geodescent::lab
