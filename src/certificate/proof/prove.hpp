// The three numbers of a proof, one by one. Internal to the library.
#pragma once

#include "certificate/proof/problem.hpp"
#include "geodescent/certificate.hpp"

namespace geodescent::proof {

inline constexpr std::int64_t largest_step = std::int64_t{1} << 53;  ///< so that every v is a double, exactly
inline constexpr int least_exponent = -1074;                         ///< of the smallest double
inline constexpr int largest_exponent = 1023;

/// f at the model is at most this. Throws InputError when it overflows.
double value_above(const Problem& problem, const LinearModel& model);
/// f* is at least this, and 0 at least. Throws InputError for a dual point that is none.
double bound_below(const Problem& problem, const DualPoint& dual);
/// f of the best model whose feature weights are 0 is at least this.
double reference_below(const Problem& problem);

/// Throws std::logic_error when the value is below what no value can be below: some assumption of the proof is wrong.
void require_no_contradiction(const Problem& problem, double value, double lower_bound);

/// As geodescent::rounded_dual, for a problem that is there.
DualPoint rounded_dual(const Problem& problem, std::span<const double> slopes, int bytes);

/// Exact, and in 128 bits wherever it could be too large for 64.
__extension__ using Wide = __int128;
Wide signed_sum(const Problem& problem, std::span<const std::int64_t> steps);

}  // namespace geodescent::proof
