// The lifted point: x together with its image A x. Every vector of a run is a linear combination of earlier ones, and
// combining acts on both parts, so images cost a pass over the data only when `Objective::lift` makes them.
#pragma once

#include <span>

#include "geodescent/vector.hpp"

namespace geodescent {

struct Point {
  Vector x;
  Vector image;  ///< A x; empty for a function that has no image
  /// Where a function that is minimised over one more variable has found it here: where to look first next time. Kept
  /// with the point and not in the function, so that a run does not depend on the runs before it.
  mutable double hint = 0;

  Point() = default;
  Point(std::size_t dimension, std::size_t image_size) : x(dimension), image(image_size) {}
};

/// out = s a + t b, both parts. `out` may be `a` or `b`. No pass, no allocation.
inline void combine(Point& out, double s, const Point& a, double t, const Point& b) {
  combine(std::span<double>(out.x), s, a.x, t, b.x);
  combine(std::span<double>(out.image), s, a.image, t, b.image);
  out.hint = a.hint;
}

}  // namespace geodescent
