// The evaluation of an objective at a point, with copies of all vectors.
#pragma once

#include "geodescent/optimize/objective.hpp"
#include "geodescent/optimize/oracle.hpp"

namespace geodescent::testing {

struct Information {
  Point x, g;
  Evaluation e;
};

/// Evaluates at x; point and gradient are lifted.
inline Information at(Oracle& f, const Vector& x) {
  Information i{Point(f.dimension(), f.image_size()), Point(f.dimension(), f.image_size()), {}};
  i.x.x = x;
  f.lift(i.x);
  i.e = f.gradient(i.x, i.g.x);
  f.lift(i.g);
  return i;
}
inline Information at(const Objective& f, const Vector& x) {
  Information i = at(*f.oracle(), x);
  i.e.dual = i.e.linear_multipliers = i.e.linear_image = {};  // these refer to memory of the oracle
  return i;
}

}  // namespace geodescent::testing
