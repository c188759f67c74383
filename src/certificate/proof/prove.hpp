// The three numbers of a proof. Internal to the library.
#pragma once

#include "certificate/proof/dual_steps.hpp"
#include "certificate/proof/problem.hpp"
#include "geodescent/certificate.hpp"

namespace geodescent::proof {

/// An upper bound on f at the model. Throws InputError if it overflows.
double value_above(const Problem& problem, const LinearModel& model);
/// A lower bound on f*, at least 0. Throws InputError for an invalid dual point.
double bound_below(const Problem& problem, const DualPoint& dual);
/// A lower bound on f of the best model without feature coefficients.
double reference_below(const Problem& problem);

/// l2/2 |w|^2.
Bounded regularizer(const ProblemData& problem, std::span<const double> weights);
/// The steps of the rows here, of a dual point for all rows or for those here. Throws InputError
/// unless there is this number of them for each row and the step is a double.
std::span<const std::int64_t> checked_steps(const ProblemData& problem, const DualPoint& dual, std::size_t per_row);
/// The value of this many steps of 2^exponent, exactly. Throws InputError for more steps than are
/// allowed.
double step_value(const ProblemData& problem, std::size_t row, std::int64_t steps, double step);

/// -1/W `conjugates` - `squares` / (2 l2 W^2), and at least 0: losses are not negative.
double lower_bound_of(const ProblemData& problem, const Bounded& conjugates, const Bounded& squares);

/// Throws std::logic_error if the value is below the lower bound: then an assumption of the proof
/// is false.
void require_no_contradiction(const ProblemData& problem, double value, double lower_bound);

/// Like geodescent::rounded_dual, for an existing Problem: for the rows here.
DualPoint rounded_dual(const Problem& problem, std::span<const double> slopes, int bytes);

/// Like geodescent::slopes_at, for an existing Problem: for the rows here.
Vector slopes_at(const Problem& problem, const LinearModel& model);

/// Of the steps of the rows here, the sum over all rows: exactly, with 128 bits where 64 could
/// overflow.
Wide signed_sum(const Problem& problem, std::span<const std::int64_t> steps);

}  // namespace geodescent::proof
