// What a loss is for a proof: every number comes with a bound on its error. The losses of proofs share nothing with the
// solver's, so that a mistake in those cannot hide. Internal to the library.
#pragma once

#include <algorithm>
#include <concepts>

#include "certificate/numbers/bounded.hpp"
#include "certificate/proof/product_sum.hpp"
#include "geodescent/learn/loss.hpp"

namespace geodescent::proof {

template <class T>
T clamped(T x, T low, T high) {
  return std::min(std::max(x, low), high);
}

inline constexpr double largest_double = std::numeric_limits<double>::max();

/// What a dual value may be, both ends included.
struct DualRange {
  double least = 0;
  double largest = 0;
};

/// More units than this may not be lost by a formula.
inline constexpr double largest_formula_error = 8;

/// phi of a margin, or for a regression of a residual: prediction - target. It is convex and not negative; for a
/// regression it is smallest at 0, for a classification it does not increase.
/// * `value(at)` and `dual_value(at)`, for double and Real: phi and phi';
/// * `formula_error`: more than what these two lose in double, relative, in units of 2^-52. A rounding costs 1/2, and
///   exp, log and log1p are wrong by at most 2;
/// * `curvature(at, dual_value)`: phi'', roughly;
/// * `curvature_bound()`: phi' is Lipschitz with this constant, or a smaller one;
/// * `steepness(at, value)`, if it is cheaper than |phi'|: not less than that, up to `formula_error`;
/// * `dual_range(c)`: where c phi*(v / c) is finite, to the last bit;
/// * `add_conjugate(v, c, y, sum)`: adds c phi*(v / c) for a v of that range, and for a regression v y;
/// * `reach(p, n)`, for a classification: p phi'(m) >= n phi'(-m) and n phi'(m) >= p phi'(-m) where m >= 1 + reach.
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

/// Adds v y + v^2 / (2 c), as two products that lose nothing: the terms of different rows may cancel.
inline void add_square_conjugate(double v, double c, double y, RowSum& sum) {
  sum.add(v, {y, 0});
  const double half_quotient = v / c / 2;
  sum.add(v, {half_quotient, c == 1 ? double_tiny : (double_unit * std::abs(half_quotient) + double_tiny) * generous});
}

}  // namespace geodescent::proof
