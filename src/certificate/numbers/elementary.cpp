// With u = 2^-53. The bounds below are on |computed - true|. They add up the roundings and the
// truncation of the series. tests/unit/certificate/elementary_test.cpp compares with numbers of 113
// bits.
#include "certificate/numbers/elementary.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

#include "certificate/numbers/clones.hpp"

namespace geodescent::proof {
namespace {

/// ln 2 in two parts. The first has 41 bits, so that products with exponents are exact. In double
/// only the high part of the second is used.
constexpr double ln2_high = 0x1.62e42fefa3p-1;
constexpr DoubleDouble ln2_low{0x1.3de6af278ece6p-42, 0x1.f97b57a079a19p-103};

/// 1 / j! for j = 2, 3, ...
constexpr DoubleDouble exp_terms[] = {{0x1p-1, 0},
                                      {0x1.5555555555555p-3, 0x1.5555555555555p-57},
                                      {0x1.5555555555555p-5, 0x1.5555555555555p-59},
                                      {0x1.1111111111111p-7, 0x1.1111111111111p-63},
                                      {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
                                      {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73},
                                      {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76},
                                      {0x1.71de3a556c734p-19, -0x1.c154f8ddc6cp-73},
                                      {0x1.27e4fb7789f5cp-22, 0x1.cbbc05b4fa99ap-76},
                                      {0x1.ae64567f544e4p-26, -0x1.c062e06d1f209p-80},
                                      {0x1.1eed8eff8d898p-29, -0x1.2aec959e14c06p-83},
                                      {0x1.6124613a86d09p-33, 0x1.f28e0cc748ebep-87},
                                      {0x1.93974a8c07c9dp-37, 0x1.05d6f8a2efd1fp-92},
                                      {0x1.ae7f3e733b81fp-41, 0x1.1d8656b0ee8cbp-97},
                                      {0x1.ae7f3e733b81fp-45, 0x1.1d8656b0ee8cbp-101},
                                      {0x1.952c77030ad4ap-49, 0x1.ac981465ddc6cp-103},
                                      {0x1.6827863b97d97p-53, 0x1.eec01221a8b0bp-107},
                                      {0x1.2f49b46814157p-57, 0x1.2650f61dbdcb4p-112},
                                      {0x1.e542ba4020225p-62, 0x1.ea72b4afe3c2fp-120},
                                      {0x1.71b8ef6dcf572p-66, -0x1.d043ae40c4647p-120},
                                      {0x1.0ce396db7f853p-70, -0x1.aebcdbd20331cp-124}};
/// 2 / (2 k + 1) for k = 1, 2, ...
constexpr DoubleDouble log_terms[] = {
    {0x1.5555555555555p-1, 0x1.5555555555555p-55},  {0x1.999999999999ap-2, -0x1.999999999999ap-56},
    {0x1.2492492492492p-2, 0x1.2492492492492p-56},  {0x1.c71c71c71c71cp-3, 0x1.c71c71c71c71cp-57},
    {0x1.745d1745d1746p-3, -0x1.745d1745d1746p-58}, {0x1.3b13b13b13b14p-3, -0x1.3b13b13b13b14p-57},
    {0x1.1111111111111p-3, 0x1.1111111111111p-59},  {0x1.e1e1e1e1e1e1ep-4, 0x1.e1e1e1e1e1e1ep-60},
    {0x1.af286bca1af28p-4, 0x1.af286bca1af28p-58},  {0x1.8618618618618p-4, 0x1.8618618618618p-58},
    {0x1.642c8590b2164p-4, 0x1.642c8590b2164p-59},  {0x1.47ae147ae147bp-4, -0x1.eb851eb851eb8p-60},
    {0x1.2f684bda12f68p-4, 0x1.2f684bda12f68p-58},  {0x1.1a7b9611a7b96p-4, 0x1.1a7b9611a7b96p-60},
    {0x1.0842108421084p-4, 0x1.0842108421084p-59},  {0x1.f07c1f07c1f08p-5, -0x1.f07c1f07c1f08p-60},
    {0x1.d41d41d41d41dp-5, 0x1.075075075075p-59},   {0x1.bacf914c1badp-5, -0x1.bacf914c1badp-59},
    {0x1.a41a41a41a41ap-5, 0x1.069069069069p-59},   {0x1.8f9c18f9c18fap-5, -0x1.f3831f3831f38p-60},
    {0x1.7d05f417d05f4p-5, 0x1.7d05f417d05f4p-61},  {0x1.6c16c16c16c17p-5, -0x1.f49f49f49f49fp-60}};

/// The numbers of terms of the two series. Relative truncation errors: exp 0.35^15 / 15! < 2^-63
/// and 0.35^23 / 23! < 2^-109, log 0.2^24 / 25 < 2^-60 and 0.2^46 / 47 < 2^-112.
template <class T>
struct Terms;
template <>
struct Terms<double> {
  static constexpr std::size_t of_exp = 13, of_log = 11;
};
template <>
struct Terms<DoubleDouble> {
  static constexpr std::size_t of_exp = std::size(exp_terms), of_log = std::size(log_terms);
};

template <class T>
GEODESCENT_PROOF_INLINE T as(const DoubleDouble& x) {
  return static_cast<T>(x);
}

/// terms_0 + terms_1 x + ..., with so many terms.
template <std::size_t size, class T>
GEODESCENT_PROOF_INLINE T polynomial(const DoubleDouble* terms, const T& x) {
  T sum = as<T>(terms[size - 1]);
#pragma GCC unroll 16
  for (std::size_t k = 2; k <= size; ++k) sum = as<T>(terms[size - k]) + x * sum;
  return sum;
}

double scaled(double x, int exponent) { return std::ldexp(x, exponent); }

// x = k ln 2 + r with |r| < 0.3466. The product k ln2_high and its difference from x are exact, so
// r is wrong by u (|r| + 2^-30). Then e^r = 1 + (r + r^2 q). In double the error is largest at the
// ends. At r = 0.3466: q = 0.563 is wrong by 0.81 u, r^2 q by 0.24 u, r + r^2 q by 0.65 u, the sum
// with 1 by 1 u more, and the error of r adds 0.49 u: together 2.14 u of 1.41. At r = -0.3466: 0.63
// u, 0.19 u, 0.48 u, 0.5 u more, 0.25 u: together 1.23 u of 0.707, which is 1.74 u < 1 unit of
// 2^-52. In double-double a rounding is 3 u^2 for a sum and 7 u^2 for a product instead of u: less
// than 20 u^2 < 2^-101.
template <class T>
GEODESCENT_PROOF_INLINE T exp_of(const T& x, double k) {
  const T r = (x - T(k * ln2_high)) - T(k) * as<T>(ln2_low);
  const T q = polynomial<Terms<T>::of_exp>(exp_terms, r);
  return T(1) + (r + r * r * q);
}

constexpr double per_ln2 = 0x1.71547652b82fep+0;

template <class T>
T exp_of(const T& x) {
  const auto first = static_cast<double>(x);
  if (std::isnan(first)) return first;
  if (first > 710) return std::numeric_limits<double>::infinity();
  if (first < -746) return 0;  // less than 2^-1075
  const double k = std::nearbyint(first * per_ln2);
  return scaled(exp_of(x, k), static_cast<int>(k));
}

// log(2^k (1 + f)) for -1/4 <= f <= 1/2. With t = f / (2 + f), |t| <= 0.2, and h = f^2 / 2
//     log(1 + f) = 2 artanh t = f - (h - t (h + R)),   R = t^2 (2/3 + 2/5 t^2 + ...).
// In double with exact f the error is largest at f = 1/2: t is wrong by 2 u, R = 0.0274 by 10 u,
// both relative; h + R by 0.56 u, t (h + R) by 0.21 u, with k ln2_low by 0.24 u, h - ... by 0.46 u,
// the difference from f by 0.87 u. For k = 0 nothing is added. For k = -1 the last difference is
// exact (0.69 and 0.41 are within a factor of two): 0.87 u of 0.405 and of 0.288, which is 3.1 u <
// 2 units of 2^-52. For other k the result is at least 0.405 and its rounding u: less than 3.2 u.
// For smaller |f| all parts but f decrease faster than the result. In double-double f is wrong by 3
// u^2 of itself, and each rounding counts at most 16 times as much: less than 60 u^2 < 2^-100.
template <class T>
GEODESCENT_PROOF_INLINE T log_of(const T& f, double k) {
  const T t = f / (T(2) + f), square = t * t, half = T(0.5) * f * f;
  const T rest = square * polynomial<Terms<T>::of_log>(log_terms, square);
  return T(k * ln2_high) - ((half - (t * (half + rest) + T(k) * as<T>(ln2_low))) - f);
}

template <class T>
T log_of(const T& x) {
  const auto first = static_cast<double>(x);
  if (first == 0) return -std::numeric_limits<double>::infinity();
  if (!(first > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(first)) return first;
  int exponent = std::ilogb(first);  // x = 2^exponent times a number in [1, 2)
  if (std::ldexp(first, -exponent) >= 1.5) ++exponent;
  return log_of<T>(scaled(x, -exponent) - T(1), exponent);
}

/// f is exact in double outside [-1/4, 1/2], too: x - 1 is for x from 1/2 to 2, and 1 + 2 x is for
/// x from -1/2 to -1/4.
template <class T>
T log1p_of(const T& x) {
  if (x >= T(-0.25) && x <= T(0.5)) return log_of<T>(x, 0);
  if (x > T(0.5) && x <= T(1)) return log_of<T>(T(0.5) * (x - T(1)), 1);
  if (x < T(-0.25) && x >= T(-0.5)) return log_of<T>(T(1) + T(2) * x, -1);
  return log_of<T>(T(1) + x);
}

// Many numbers -----------------------------------------------------------------------------------

/// The arguments for which a function needs no branch.
struct Usual {
  double least;
  double largest;

  bool contains(double x) const { return x >= least && x <= largest; }
};

/// Each number becomes `branchless` of it, and the unusual ones become `any` of them.
template <class Branchless>
GEODESCENT_PROOF_INLINE void each(std::span<double> all, Usual usual, const Branchless& branchless,
                                  double (*any)(double)) {
  std::array<double, 64> arguments;
  for (; !all.empty(); all = all.subspan(std::min(all.size(), arguments.size()))) {
    const std::span<double> x = all.first(std::min(all.size(), arguments.size()));
    std::copy(x.begin(), x.end(), arguments.begin());
    std::uint64_t unusual = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double argument = arguments[i];
      unusual += argument >= usual.least && argument <= usual.largest ? 0 : 1;
      x[i] = branchless(argument);
    }
    if (unusual == 0) continue;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (!usual.contains(arguments[i])) x[i] = any(arguments[i]);
  }
}

GEODESCENT_PROOF_INLINE std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
GEODESCENT_PROOF_INLINE double number_of(std::uint64_t bits) { return std::bit_cast<double>(bits); }

/// Adding it rounds a number below 2^51 to a whole one, which the last bits of the sum contain.
constexpr double to_whole = 0x1.8p52;

/// For results that are normal numbers.
GEODESCENT_PROOF_INLINE double exp_branchless(double x) {
  const double shifted = x * per_ln2 + to_whole;
  const double power = number_of((bits_of(shifted) + 1023) << 52);  // 2^k
  return exp_of(x, shifted - to_whole) * power;
}

/// For normal numbers.
GEODESCENT_PROOF_INLINE double log_branchless(double x) {
  // x = 2^k times a number in [3/4, 3/2).
  const std::uint64_t first = bits_of(0.75), excess = 1024;
  const std::uint64_t shifted = (bits_of(x) - first + (excess << 52)) >> 52;  // k + excess
  const double part = number_of(bits_of(x) - ((shifted - excess) << 52));
  const double k = number_of(bits_of(0x1p52) + shifted) - (0x1p52 + static_cast<double>(excess));
  return log_of(part - 1, k);
}

/// For -1/2 <= x <= 1.
GEODESCENT_PROOF_INLINE double log1p_branchless(double x) {
  const double above = x > 0.5 ? 0.5 * (x - 1) : x, k = x > 0.5 ? 1 : 0;
  return log_of(x < -0.25 ? 1 + 2 * x : above, x < -0.25 ? -1 : k);
}

}  // namespace

double exp(double x) { return exp_of(x); }
double log(double x) { return log_of(x); }
double log1p(double x) { return log1p_of(x); }
DoubleDouble exp(const DoubleDouble& x) { return exp_of(x); }
DoubleDouble log(const DoubleDouble& x) { return log_of(x); }
DoubleDouble log1p(const DoubleDouble& x) { return log1p_of(x); }

GEODESCENT_FMA_CLONES void exp_each(std::span<double> x) {
  each(
      x, {-708, 709}, [](double at) __attribute__((always_inline)) { return exp_branchless(at); }, exp);
}
GEODESCENT_FMA_CLONES void log_each(std::span<double> x) {
  constexpr double least = std::numeric_limits<double>::min(), largest = std::numeric_limits<double>::max();
  each(
      x, {least, largest}, [](double at) __attribute__((always_inline)) { return log_branchless(at); }, log);
}
GEODESCENT_FMA_CLONES void log1p_each(std::span<double> x) {
  each(
      x, {-0.5, 1}, [](double at) __attribute__((always_inline)) { return log1p_branchless(at); }, log1p);
}

}  // namespace geodescent::proof
