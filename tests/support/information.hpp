// What an objective says at a point.
#pragma once

#include "geodescent/optimize/objective.hpp"

namespace geodescent::testing {

struct Information {
  Point x, g;
  Evaluation e;
};

/// Both points lifted.
inline Information at(const Objective& f, const Vector& x) {
  Information i{Point(f.dimension(), f.image_size()), Point(f.dimension(), f.image_size()), {}};
  i.x.x = x;
  f.lift(i.x);
  i.e = f.gradient(i.x, i.g.x);
  f.lift(i.g);
  return i;
}

}  // namespace geodescent::testing
