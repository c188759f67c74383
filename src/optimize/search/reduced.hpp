// A function restricted to a subspace, to second order.
#pragma once

#include <cstdint>
#include <memory>

#include "matrix/row_sums.hpp"
#include "optimize/search/basis.hpp"
#include "optimize/search/cholesky.hpp"

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

  // The number of blocks, each with a matrix of its own. It limits the threads that compute the
  // Hessian.
  static constexpr std::size_t most_blocks = 8;
  /// The Hessian is updated when the curvatures have changed by more than this part of their sum.
  static constexpr double most_change = 0.2;

  Reduced() = default;
  /// All memory is allocated here.
  Reduced(std::size_t image_size, std::size_t capacity, std::size_t outputs = 1);

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

  // For reduce_grouped, with K entries of the image for each row. Matrices of blocks of rows; with
  // free intercepts b d2f/db2 and its factor L, and for each column L^-1 d2f/db dz.
  std::size_t outputs = 1;
  Scratch intercept_blocks, border_blocks, intercept_factor, intercept_borders;
  Cholesky intercept_cholesky;
  bool has_intercept_factor = false;

  void make_room_for_groups();
  /// Numbers that reduce_grouped needs beside those of reduce_separable.
  static double numbers_for_groups(std::size_t columns, std::size_t outputs);
  /// The derivatives of the optimal intercepts along V z; 0 without free intercepts.
  void intercepts_along(std::span<const double> z, std::span<double> change) const;
  /// The derivative of the optimal intercept along V z; 0 without a free intercept.
  double intercept_along(std::span<const double> z) const {
    return intercept_curvature > 0 ? -dot(std::span(border).first(z.size()), z) / intercept_curvature : 0;
  }
};

/// The blocks of rows, each with a matrix of its own, that the Hessian of reduce_separable is made
/// of.
parallel::Blocks reduced_blocks(std::size_t image_size);
/// The blocks of rows that the Hessian of reduce_grouped is made of.
parallel::Blocks reduced_group_blocks(std::size_t rows, std::size_t outputs);

/// The gradient M's + lambda V'x and the Hessian M'diag(c) M + lambda I of sum_i h_i(image_i) +
/// lambda/2 |x|^2, with s and c the slopes and curvatures in `out`, V the basis and M its images.
/// If f is also minimised over an intercept b, which adds b signs_i to image_i, the Hessian is that
/// of the minimum. signs_i is 1 or -1, and 0 for entries beyond the end of `signs`. Exchanges
/// `sums` once, and again where the Hessian is updated. They may have others before.
void reduce_separable(RowSums& sums, const Basis& basis, double lambda, std::span<const std::int8_t> signs,
                      Reduced& out);

/// The same where the entries of the image come in groups of K = `outputs`, and the second
/// derivatives within a group are diag(c) - c c'/s, with s the sum of the curvatures c: those of
/// multinomial logistic regression. `intercepts`: f is also minimised over K intercepts, one for
/// each place in a group.
void reduce_grouped(RowSums& sums, const Basis& basis, double lambda, bool intercepts, Reduced& out);

}  // namespace geodescent
