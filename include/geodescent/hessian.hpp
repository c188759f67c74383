// All second derivatives of a function at a point.
#pragma once

#include "geodescent/vector.hpp"

namespace geodescent {

/// Made by Objective::hessian_memory and filled by Objective::hessian.
struct Hessian {
  Vector matrix;  ///< dimension x dimension, column by column; the lower triangle is set

  // Scratch of the objective: the curvatures of the rows, the matrices of blocks of rows, the row of a free intercept.
  Vector curvatures, blocks, scratch, border;
};

}  // namespace geodescent
