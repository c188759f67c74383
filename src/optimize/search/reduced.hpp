// A function restricted to a subspace, to second order.
#pragma once

#include <cstdint>
#include <memory>

#include "matrix/row_space.hpp"
#include "optimize/search/basis.hpp"

namespace geodescent {

/// z -> f(x + V z) at z = 0, with V a basis. Owns the memory of the computation.
///
/// The Hessian costs one product per pair of columns and changes slowly from point to point. So it
/// is kept, and only new columns are computed, with the curvatures of the kept ones. When
/// curvatures have changed too much, or `refresh` is set, the rows whose curvatures have changed
/// are updated; with a hinge these are few near the minimum. The Hessian is recomputed when columns
/// other than the last ones have changed (Basis::version).
struct Reduced {
  /// Not initialised: memory that is never used is never touched, and the first touch is expensive.
  using Scratch = std::unique_ptr<double[]>;
  static Scratch scratch(std::size_t size) { return std::make_unique_for_overwrite<double[]>(size); }

  Reduced() = default;
  /// All memory is allocated here.
  Reduced(std::size_t image_size, std::size_t capacity);

  Vector coordinates;  ///< V'x, the coordinates of x in the basis; set by the caller
  double value = 0;
  Vector gradient;  ///< V'g
  /// V'H V, column by column with columns of length `capacity`; the lower triangle is set.
  Scratch hessian;
  std::size_t capacity = 0;

  bool refresh = false;        ///< requests a Hessian of this very point; reset when it is computed
  std::size_t columns = 0;     ///< number of computed columns of the Hessian
  std::size_t generation = 0;  ///< number of complete recomputations
  bool is_old = false;         ///< whether it was computed at another point
  std::size_t basis_version = 0;

  // Set by the objective first: the derivatives of f with respect to each image entry.
  Vector slopes, curvatures;
  // The curvatures of the Hessian. Not kept if it is recomputed at every point.
  Scratch reference;
  bool is_kept = false;
  Scratch gram;            // M'diag(reference) M
  Scratch partial, tiles;  // the matrices of blocks of rows, and packed rows
  // With a free intercept b: d2f/db dz (`border`), d2f/db2 (`intercept_curvature`, 0 without one)
  // and d2f/db dimage (`weighted`).
  Vector border;
  double intercept_curvature = 0;
  Scratch weighted;

  /// The derivative of the optimal intercept along V z; 0 without a free intercept.
  double intercept_along(std::span<const double> z) const {
    return intercept_curvature > 0 ? -dot(std::span(border).first(z.size()), z) / intercept_curvature : 0;
  }
};

/// The gradient M's + lambda V'x and the Hessian M'diag(c) M + lambda I of sum_i h_i(image_i) + lambda/2 |x|^2, with
/// s and c the slopes and curvatures in `out`, V the basis and M its images.
/// If f is also minimised over an intercept b, which adds b signs_i to image_i, the Hessian is that
/// of the minimum. signs_i is 1 or -1, and 0 for entries beyond the end of `signs`.
void reduce_separable(const RowSpace& rows, const Basis& basis, double lambda, std::span<const std::int8_t> signs,
                      Reduced& out);

}  // namespace geodescent
