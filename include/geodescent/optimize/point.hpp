// The lifted point: x together with its image A x. Every vector of a run is a linear combination of
// earlier ones, and combining acts on both parts, so images cost a pass over the data only when
// `Oracle::lift` makes them.
#pragma once

#include <cmath>
#include <span>

#include "geodescent/vector.hpp"

namespace geodescent {

/// A vector with its image.
struct Point {
  Vector x;      ///< the vector; in row form, its multipliers
  Vector image;  ///< A x; empty for a function that has no image

  /// An empty point.
  Point() = default;
  /// Zeros of these sizes.
  Point(std::size_t dimension, std::size_t image_size) : x(dimension), image(image_size) {}
};

/// How points are multiplied. Where a matrix has fewer rows than columns, a point can be kept as
/// the multipliers r of its rows, x = A'r: then x_a.x_b = r_a.(A A'r_b) = r_a.image_b, and no
/// vector is longer than the number of rows.
struct InnerProduct {
  bool by_rows = false;    ///< Point::x holds the multipliers of rows
  double matrix_norm = 0;  ///< by rows: a bound on the norm of the matrix, for bounds on rounding

  /// The factor of a point.
  const Vector& partner(const Point& p) const { return by_rows ? p.image : p.x; }
  double operator()(const Point& a, const Point& b) const { return dot(a.x, partner(b)); }  ///< the inner product
  /// By rows, rounding can make the square of a short vector negative. (What is not a number stays
  /// so.)
  double squared_norm(const Point& p) const {
    const double square = dot(p.x, partner(p));
    return square < 0 ? 0 : square;
  }
  double norm(const Point& p) const { return std::sqrt(squared_norm(p)); }  ///< the Euclidean norm
};

/// out = s a + t b, both parts. `out` may be `a` or `b`. No pass, no allocation.
inline void combine(Point& out, double s, const Point& a, double t, const Point& b) {
  combine(std::span<double>(out.x), s, a.x, t, b.x);
  combine(std::span<double>(out.image), s, a.image, t, b.image);
}

}  // namespace geodescent
