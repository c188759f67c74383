#include "geodescent/optimize/ball.hpp"

#include <cassert>
#include <cmath>

namespace geodescent {

Ball smallest_ball_around_intersection(const Ball& a, const Ball& b) {
  assert(a.centre.size() == b.centre.size());
  Vector difference(a.centre.size());  // x_A - x_B
  combine(difference, 1, a.centre, -1, b.centre);
  const double d2 = squared_norm(difference);
  const double excess = a.squared_radius - b.squared_radius;  // R_A^2 - R_B^2

  // At least half of the smaller ball lies in the larger one: the smaller one is the answer.
  if (d2 < excess) return b;
  if (d2 < -excess) return a;
  if (d2 == 0) return a;  // equal balls

  // c = (x_A + x_B)/2 - (R_A^2 - R_B^2)/(2 d2) (x_A - x_B), through the sphere in which the two
  // boundaries meet.
  const double towards_a = (d2 - excess) / (2 * d2);
  Ball c{Vector(a.centre.size()), b.squared_radius - towards_a * towards_a * d2};
  combine(c.centre, 1, b.centre, towards_a, difference);
  return c;
}

}  // namespace geodescent
