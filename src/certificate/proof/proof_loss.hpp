// The loss of a proof: every result has an error bound. These losses share no code with those of
// the solver, so that errors in those are detected. Internal to the library.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>

#include "certificate/numbers/bounded.hpp"
#include "certificate/rows/product_sum.hpp"
#include "geodescent/learn/loss.hpp"

namespace geodescent::proof {

template <class T>
T clamped(T x, T low, T high) {
  return std::min(std::max(x, low), high);
}

inline constexpr double largest_double = std::numeric_limits<double>::max();

/// The interval of allowed dual values, including its ends.
struct DualRange {
  double least = 0;
  double largest = 0;
};

/// The most numbers that a function of many is given.
inline constexpr std::size_t most_at_a_time = 256;

/// The largest allowed formula_error.
inline constexpr double largest_formula_error = 8;

/// phi as a function of a margin, or for a regression of the residual prediction - target. It is
/// convex and not negative. For a regression its minimum is at 0; for a classification it does not
/// increase.
/// * `value(at)` and `dual_value(at)`, for double and Real: phi and phi';
/// * `formula_error`: a bound on the relative error of these two in double, in units of 2^-52. A
/// rounding costs 1/2; exp, log and log1p are wrong by at most 2;
/// * `curvature(at, dual_value)`: phi'', approximately;
/// * `curvature_bound()`: a Lipschitz constant of phi';
/// * `steepness(at, value)`, if it is cheaper than |phi'|: an upper bound on |phi'|, up to
/// `formula_error`;
/// * `dual_range(c)`: the interval of v where c phi*(v / c) is finite, exact to the last bit;
/// * `add_conjugate(v, c, y, sum)`: adds c phi*(v / c) for a v of that interval, plus v y for a
/// regression;
/// * `value_each(at)`, `dual_value_each(at)` and `add_conjugates(v, c, sum)`, if they are faster:
///   `value`,
/// `dual_value` and `add_conjugate` of at most `most_at_a_time` numbers, with the same bits. If c
/// is empty all weights are 1;
/// * `reach(p, n)`, for a classification: p phi'(m) >= n phi'(-m) and n phi'(m) >= p phi'(-m) for m
/// >= 1 + reach.
template <class P>
concept ProofLoss = std::copyable<P> && requires(const P phi, double d, Real r, RowSum& sum) {
  { P::task } -> std::convertible_to<Task>;
  { phi.value(d) } -> std::same_as<double>;
  { phi.value(r) } -> std::same_as<Real>;
  { phi.dual_value(d) } -> std::same_as<double>;
  { phi.dual_value(r) } -> std::same_as<Real>;
  { phi.curvature(r, r) } -> std::same_as<Real>;
  { phi.curvature_bound() } -> std::same_as<double>;
  { phi.dual_range(d) } -> std::same_as<DualRange>;
  { phi.add_conjugate(d, d, d, sum) } -> std::same_as<void>;
} && P::formula_error <= largest_formula_error && (P::task == Task::regression || requires(const P phi, Real r) {
  { phi.reach(r, r) } -> std::same_as<Real>;
});

/// Adds v y + v^2 / (2 c) as two exact products, because terms of different rows may cancel.
inline void add_square_conjugate(double v, double c, double y, RowSum& sum) {
  sum.add(v, {y, 0});
  const double half_quotient = v / c / 2;
  sum.add(v, {half_quotient, c == 1 ? double_tiny : (double_unit * std::abs(half_quotient) + double_tiny) * generous});
}

}  // namespace geodescent::proof
