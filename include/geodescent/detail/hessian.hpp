// All second derivatives of a function at a point.
#pragma once

#include <span>

#include "geodescent/vector.hpp"

namespace geodescent {

/// Made by Objective::hessian_memory and filled by Objective::hessian.
struct Hessian {
  Vector matrix;  ///< dimension x dimension, column by column; the lower triangle is set

  // Scratch of the objective: the curvatures of the rows, the matrices of blocks of rows, the row of a free intercept.
  Vector curvatures, blocks, scratch, border;
  double shift_curvature = 0;  // in the intercept; 0 without any

  /// How the best intercept changes along d.
  double shift_along(std::span<const double> d) const {
    return shift_curvature > 0 ? -dot(std::span(border).first(d.size()), d) / shift_curvature : 0;
  }
};

}  // namespace geodescent
