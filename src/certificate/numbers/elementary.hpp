// exp and log for proofs, with bounds on their errors and the same bits on every machine: proofs ask nothing of the C
// library but operations that are exact or rounded once. They share nothing with the functions of the solver, so that a
// mistake in those cannot hide. Internal to the library.
#pragma once

#include "certificate/numbers/double_double.hpp"

namespace geodescent::proof {

/// Relative, in units of 2^-52; where a result is below the normal numbers, 2^-1074 more.
inline constexpr double function_error_of_double = 2;
/// Relative; where the lower half of a result or of an argument is below the normal numbers, a few times 2^-1074 more.
inline constexpr double function_error_of_double_double = 0x1p-97;

double exp(double x);
double log(double x);    ///< for a finite x > 0
double log1p(double x);  ///< log(1 + x) for -1/2 <= x <= 1

DoubleDouble exp(const DoubleDouble& x);
DoubleDouble log(const DoubleDouble& x);
DoubleDouble log1p(const DoubleDouble& x);  ///< for every x > -1

}  // namespace geodescent::proof
