// Counts of several runs. Internal to the library.
#pragma once

#include "geodescent/optimize/oracle.hpp"

namespace geodescent {

inline Counts& operator+=(Counts& sum, const Counts& one) {
  sum.forward_passes += one.forward_passes;
  sum.backward_passes += one.backward_passes;
  sum.line_evaluations += one.line_evaluations;
  sum.subspace_evaluations += one.subspace_evaluations;
  sum.function_evaluations += one.function_evaluations;
  return sum;
}

}  // namespace geodescent
