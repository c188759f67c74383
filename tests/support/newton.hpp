// The independent oracle for optima: Newton's method with dense matrices in long double. It shares nothing with the
// library, neither code nor formulas nor precision.
#pragma once

#include <functional>
#include <span>

#include "support/real.hpp"

namespace geodescent::testing {

/// f at one point.
struct Sample {
  Real value = 0;
  RealVector gradient;
  RealMatrix hessian;
  Real magnitude = 0;  ///< of the terms that add up to the value, before they cancel: what roundings are relative to
};

/// A function with everything known about it.
struct SmoothFunction {
  std::size_t dimension = 0;
  Real alpha = 0;
  Real beta = 0;
  std::function<Sample(const RealVector&)> at;
};

/// The minimum, known to lie in [lower, value].
struct Optimum {
  RealVector x;
  Real value = 0;
  Real lower = 0;
};

/// Newton's method with line search from zero, until strong convexity proves that `value` is the minimum to about 1e-19
/// of its size. Throws if it cannot: a test must not go on with a doubtful oracle.
Optimum newton(const SmoothFunction& f);

Real largest_eigenvalue(const RealMatrix& symmetric);
Real smallest_eigenvalue(const RealMatrix& symmetric);

}  // namespace geodescent::testing
