// The Hessian of a function at a point.
#pragma once

#include <span>

#include "geodescent/vector.hpp"

namespace geodescent {

/// Allocated by HessianModel::hessian_memory and filled by HessianModel::hessian_at.
struct Hessian {
  Vector matrix;  ///< dimension x dimension, column by column; the lower triangle is set

  // Scratch memory of the oracle: the curvatures of the rows, the matrices of blocks of rows.
  Vector curvatures, blocks, scratch;
  // With a free intercept b: d2f/db dw and d2f/db2. The latter is 0 without one.
  Vector border;
  double intercept_curvature = 0;

  /// The derivative of the optimal intercept along d.
  double intercept_along(std::span<const double> d) const {
    return intercept_curvature > 0 ? -dot(std::span(border).first(d.size()), d) / intercept_curvature : 0;
  }
};

}  // namespace geodescent
