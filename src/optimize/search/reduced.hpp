// A function restricted to a subspace, to second order: what a search over many directions works with.
#pragma once

#include <cstdint>
#include <memory>

#include "matrix/row_space.hpp"
#include "optimize/search/basis.hpp"

namespace geodescent {

/// z -> f(x + V z) at z = 0, V a basis. Owns the memory that is needed to compute it.
///
/// The Hessian costs as many products as the basis has columns, squared, and changes slowly from one point to the next.
/// So it is kept: only the columns that are new are computed, with the curvatures it was made with, until curvatures
/// have changed too much or `refresh` asks for it. Then the rows whose curvatures have changed are brought up to date:
/// few, with a hinge, near the minimum. It is made anew where columns other than the last ones have changed
/// (Basis::version).
struct Reduced {
  /// Not cleared: what is never used of it is never touched, and the first touch of memory is what costs.
  using Scratch = std::unique_ptr<double[]>;
  static Scratch scratch(std::size_t size) { return std::make_unique_for_overwrite<double[]>(size); }

  Reduced() = default;
  /// All memory is allocated here.
  Reduced(std::size_t image_size, std::size_t capacity);

  Vector coordinates;  ///< of x in the basis: V'x, to be told before
  double value = 0;
  Vector gradient;  ///< V'g
  /// V'H V, column by column with columns of length `capacity`; the lower triangle is set.
  Scratch hessian;
  std::size_t capacity = 0;

  bool refresh = false;        ///< asks for a Hessian of this very point; granted requests are taken back
  std::size_t columns = 0;     ///< of the Hessian that are made
  std::size_t generation = 0;  ///< how often all of them were made anew
  bool is_old = false;         ///< it was made at another point
  std::size_t basis_version = 0;

  // Filled by the objective first: the derivatives of f in each entry of the image.
  Vector slopes, curvatures;
  // The curvatures that the Hessian was made with. Where it is made anew at every point they are not kept.
  Scratch reference;
  bool is_kept = false;
  Scratch gram;            // M'diag(reference) M
  Scratch partial, tiles;  // the matrices of blocks of rows, and rows on their way there
  // With a free intercept b: d2f/db dz, d2f/db2 (0 without any), d2f/db dimage.
  Vector border;
  double intercept_curvature = 0;
  Scratch weighted;

  /// How the optimal intercept changes along V z; 0 without any.
  double intercept_along(std::span<const double> z) const {
    return intercept_curvature > 0 ? -dot(std::span(border).first(z.size()), z) / intercept_curvature : 0;
  }
};

/// The gradient M's + lambda V'x and the Hessian M'diag(c) M + lambda I of sum_i h_i(image_i) + lambda/2 |x|^2, with
/// s and c the slopes and curvatures in `out`, V the basis and M its images.
/// For a function that is also minimised over an intercept b, image_i + b signs_i with signs_i = 1 or -1 (0 for entries
/// beyond the end of `signs`): the Hessian of the minimum.
void reduce_separable(const RowSpace& rows, const Basis& basis, double lambda, std::span<const std::int8_t> signs,
                      Reduced& out);

}  // namespace geodescent
