// The Hessian of a function at a point.
#pragma once

#include <span>

#include "geodescent/vector.hpp"
#include "optimize/search/cholesky.hpp"

namespace geodescent {

/// Allocated by HessianModel::hessian_memory and filled by HessianModel::hessian_at.
struct Hessian {
  Vector matrix;  ///< dimension x dimension, column by column; the lower triangle is set

  // Scratch memory of the oracle: the curvatures of the rows, the matrices of blocks of rows.
  Vector curvatures, blocks, scratch;
  // With a free intercept b: d2f/db dw and d2f/db2. The latter is 0 without one.
  Vector border;
  double intercept_curvature = 0;
  // With K = `outputs` free intercepts: L with L L' = d2f/db2, and in `border` the K numbers L^-1
  // d2f/db dx_j for each entry of x.
  std::size_t outputs = 1;
  Vector intercept_factor;
  Cholesky intercept_cholesky;
  bool has_intercepts = false;

  /// The derivative of the optimal intercept along d.
  double intercept_along(std::span<const double> d) const {
    return intercept_curvature > 0 ? -dot(std::span(border).first(d.size()), d) / intercept_curvature : 0;
  }
  /// Those of K optimal intercepts along d; 0 where f does not depend on them.
  void intercepts_along(std::span<const double> d, std::span<double> change) const;
};

}  // namespace geodescent
