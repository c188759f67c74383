// The three numbers of a proof. Internal to the library.
#pragma once

#include "certificate/proof/problem.hpp"
#include "geodescent/certificate.hpp"

namespace geodescent::proof {

inline constexpr std::int64_t largest_step = std::int64_t{1} << 53;  ///< every v is an exact double
inline constexpr int least_exponent = -1074;                         ///< the exponent of the smallest double
inline constexpr int largest_exponent = 1023;

/// An upper bound on f at the model. Throws InputError if it overflows.
double value_above(const Problem& problem, const LinearModel& model);
/// A lower bound on f*, at least 0. Throws InputError for an invalid dual point.
double bound_below(const Problem& problem, const DualPoint& dual);
/// A lower bound on f of the best model without feature coefficients.
double reference_below(const Problem& problem);

/// Throws std::logic_error if the value is below the lower bound: then an assumption of the proof
/// is false.
void require_no_contradiction(const Problem& problem, double value, double lower_bound);

/// Like geodescent::rounded_dual, for an existing Problem.
DualPoint rounded_dual(const Problem& problem, std::span<const double> slopes, int bytes);

/// Computed exactly, with 128 bits where 64 could overflow.
__extension__ using Wide = __int128;
Wide signed_sum(const Problem& problem, std::span<const std::int64_t> steps);

}  // namespace geodescent::proof
