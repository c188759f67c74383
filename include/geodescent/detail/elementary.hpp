// exp and log(1 + x) for loops over many numbers: without branches and tables, so that a compiler
// turns such a loop into vector instructions, and with the same bits on every machine, which the C
// library does not promise.
//
// Both are the classical schemes (see Muller, "Elementary Functions", 2016): reduce the argument,
// evaluate a polynomial (interpolated at Chebyshev's nodes), put the parts together. Errors are at
// most, in units of the last place: 1.5 for exp, 1 for log1p_unit
// (tests/unit/base/elementary_test.cpp). They need IEEE arithmetic: not -ffast-math.
#pragma once

#include <cstdint>

/// Always inlined, so that the function is compiled with the flags of its caller.
#define GEODESCENT_ALWAYS_INLINE inline __attribute__((always_inline))

namespace geodescent::elementary {

constexpr double ln2_high = 0x1.62e42fefa3p-1;  // 41 bits: products with exponents are exact
constexpr double ln2_low = 0x1.3de6af278ece6p-42;

/// 2^k for a whole number k, -1023 < k < 1024.
GEODESCENT_ALWAYS_INLINE double power_of_two(double k) {
  // The last bits of this sum are those of k + 1023, the exponent of the result.
  const double sum = k + (0x1.8p52 + 1023);
  return __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, sum) << 52);
}

/// e^x for every x: infinite from 709.79 on, 0 below -745.14, NaN for NaN.
GEODESCENT_ALWAYS_INLINE double exp(double x) {
  x = x < -746 ? -746 : x;
  x = x > 710 ? 710 : x;
  // x = k ln 2 + r with |r| <= ln 2 / 2. Adding and subtracting 1.5 * 2^52 rounds to a whole
  // number.
  const double k = (x * 0x1.71547652b82fep+0 + 0x1.8p52) - 0x1.8p52;
  const double r = (x - k * ln2_high) - k * ln2_low;
  const double s = r * r;
  // e^r = 1 + (r + r^2 (even + r odd)): the first terms exactly, so that roundings of the others
  // hardly count.
  const double even =
      0x1p-1 + s * (0x1.5555555553d4fp-5 +
                    s * (0x1.6c16c17893833p-10 + s * (0x1.a019b8ef67c6cp-16 + s * 0x1.2891a8c1d838dp-22)));
  const double odd = 0x1.5555555555556p-3 +
                     s * (0x1.11111111109adp-7 +
                          s * (0x1.a01a01a7c8d47p-13 + s * (0x1.71de0d9c145d0p-19 + s * 0x1.af38d53857513p-26)));
  const double power = 1 + (r + s * (even + r * odd));
  // In two steps: 2^k itself may be too large or too small where the result is not.
  const double half = (0.5 * k + 0x1.8p52) - 0x1.8p52;
  return (power * power_of_two(half)) * power_of_two(k - half);
}

/// log(1 + x) for 0 <= x <= 1, NaN for NaN.
GEODESCENT_ALWAYS_INLINE double log1p_unit(double x) {
  // 1 + x = 2^k (1 + f) with -1/4 <= f < 1/2, all exact; then log(1 + f) = 2 artanh(t).
  const bool upper = x >= 0.5;
  const double f = upper ? 0.5 * (x - 1) : x;
  const double high = upper ? ln2_high : 0, low = upper ? ln2_low : 0;
  const double t = f / (2 + f), u = t * t, v = u * u;
  const double even =
      0x1.5555555555555p-1 + v * (0x1.24924923dba6ap-2 + v * (0x1.745cab2727663p-3 + v * 0x1.0e88ea4725d3dp-3));
  const double odd =
      0x1.9999999999f30p-2 + v * (0x1.c71c72e2f78d5p-3 + v * (0x1.3b29fcbbce66dp-3 + v * 0x1.16b68338bd78bp-3));
  const double half_square = 0.5 * f * f;
  // f and k ln 2 exactly, what is less than they are rounded.
  return high - ((half_square - (t * (half_square + u * (even + u * odd)) + low)) - f);
}

}  // namespace geodescent::elementary
