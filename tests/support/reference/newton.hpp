// The independent reference for minima: Newton's method with dense matrices in long double. It
// shares no code, formulas or precision with the library.
#pragma once

#include <functional>
#include <span>

#include "support/reference/real.hpp"

namespace geodescent::testing {

/// f at one point.
struct Sample {
  Real value = 0;
  RealVector gradient;
  RealMatrix hessian;
  Real magnitude = 0;  ///< the sum of the magnitudes of the value's terms, to which roundings are relative
};

/// A function with its exact derivatives and constants.
struct SmoothFunction {
  std::size_t dimension = 0;
  Real alpha = 0;
  Real beta = 0;
  std::function<Sample(const RealVector&)> at;
};

/// The minimum with its proof: it lies in [lower, value].
struct Optimum {
  RealVector x;
  Real value = 0;
  Real lower = 0;
};

/// Newton's method with line search from zero. Ends when strong convexity proves that `value` is
/// the minimum to a relative error of about 1e-19. Throws if it cannot, because a test must not use
/// a doubtful reference.
Optimum newton(const SmoothFunction& f);

Real largest_eigenvalue(const RealMatrix& symmetric);
Real smallest_eigenvalue(const RealMatrix& symmetric);

}  // namespace geodescent::testing
