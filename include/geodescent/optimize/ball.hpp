// Balls that contain the minimiser, and Algorithm 1 of the paper.
#pragma once

#include "geodescent/vector.hpp"

namespace geodescent {

/// B(centre, squared_radius) of the paper: the second number is the radius squared.
struct Ball {
  Vector centre;              ///< the centre
  double squared_radius = 0;  ///< the square of the radius
};

/// Algorithm 1: the smallest ball that contains the intersection of two balls (which must meet).
Ball smallest_ball_around_intersection(const Ball& a, const Ball& b);

}  // namespace geodescent
