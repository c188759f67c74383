// exp and log for proofs, with error bounds and the same bits on every machine. They use only
// operations of the C library that are exact or rounded once. They share no code with the solver's
// functions, so that errors in those are detected. Internal to the library.
#pragma once

#include <span>

#include "certificate/numbers/double_double.hpp"

namespace geodescent::proof {

/// Relative, in units of 2^-52; for subnormal results 2^-1074 more.
inline constexpr double function_error_of_double = 2;
/// Relative; a few times 2^-1074 more if the lower half of a result or of an argument is subnormal.
inline constexpr double function_error_of_double_double = 0x1p-97;

double exp(double x);
double log(double x);    ///< for a finite x > 0
double log1p(double x);  ///< log(1 + x) for -1/2 <= x <= 1

// Each number becomes the function of it, with the same bits as above. Vector instructions make
// them several times faster where the arguments are usual: results of exp are normal numbers, so
// are arguments of log.
void exp_each(std::span<double> x);
void log_each(std::span<double> x);
void log1p_each(std::span<double> x);

DoubleDouble exp(const DoubleDouble& x);
DoubleDouble log(const DoubleDouble& x);
DoubleDouble log1p(const DoubleDouble& x);  ///< for every x > -1

}  // namespace geodescent::proof
