// Numbers of 113 bits, which serve as exact values for the library's proofs. Exponential and
// logarithm are written here, because libquadmath is not available everywhere.
#pragma once

#include <cmath>

namespace geodescent::testing {

__extension__ using Quad = __float128;

inline Quad absolute(Quad x) { return x < 0 ? -x : x; }

/// Newton's iteration, starting at the root in long double.
inline Quad square_root(Quad x) {
  if (x <= 0) return 0;
  Quad root = std::sqrt(static_cast<long double>(x));
  for (int k = 0; k < 2; ++k) root = (root + x / root) / 2;
  return root;
}

/// Taylor series at x / 2^12, squared 12 times as expm1, e -> e (2 + e), so that no digit is lost
/// next to 1.
inline Quad exponential(Quad x) {
  if (x < -11000) return 0;
  constexpr int halvings = 12;
  int extra = 0;
  for (Quad size = absolute(x); size > 1; size /= 2) ++extra;
  Quad r = x;
  for (int k = 0; k < halvings + extra; ++k) r /= 2;
  Quad term = r, sum = r;
  for (int k = 2; k < 12; ++k) {
    term *= r / k;
    sum += term;
  }
  for (int k = 0; k < halvings + extra; ++k) sum *= 2 + sum;
  return 1 + sum;
}

/// log(x) by third-order steps from the logarithm in long double.
inline Quad logarithm(Quad x) {
  Quad y = std::log(static_cast<long double>(x));
  for (int k = 0; k < 2; ++k) {
    const Quad e = exponential(y);
    y += 2 * (x - e) / (x + e);
  }
  return y;
}

/// log(1 + x); near 0 by the series of 2 artanh(x / (2 + x)), which loses no digit.
inline Quad logarithm_of_one_plus(Quad x) {
  if (absolute(x) > 0.25) return logarithm(1 + x);
  const Quad t = x / (2 + x), square = t * t;
  Quad sum = 0, power = 2 * t;
  for (int k = 1; k < 61; k += 2) {
    sum += power / k;
    power *= square;
  }
  return sum;
}

// The same functions in long double, for code that is compiled for both types.
inline long double absolute(long double x) { return std::abs(x); }
inline long double exponential(long double x) { return std::exp(x); }
inline long double logarithm_of_one_plus(long double x) { return std::log1p(x); }

}  // namespace geodescent::testing
