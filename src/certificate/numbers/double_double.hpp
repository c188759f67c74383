// Numbers of about 106 bits: sums of two doubles. The long double of C++ has 64, 113 or 53 bits,
// depending on the machine. These numbers have the same bits everywhere.
//
// The algorithms and the bounds on their errors are those of Joldes, Muller and Popescu, "Tight and
// rigorous error bounds for basic building blocks of double-word arithmetic" (2017): with u =
// 2^-53, an addition loses at most 3 u^2 + 13 u^3 of its result (Algorithm 6), a product 7 u^2
// (Algorithm 10), a quotient 15 u^2 + 56 u^3 (Algorithm 17). Products that underflow lose a few
// times 2^-1074 more. Internal to the library.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>

#include "base/product_sum.hpp"

namespace geodescent::proof {

struct DoubleDouble {
  double high = 0;  ///< the sum of both parts, rounded
  double low = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double high_part, double low_part) : high(high_part), low(low_part) {}
  // Implicit, because doubles and whole numbers below 2^53 are among these numbers.
  constexpr DoubleDouble(double x) : high(x) {}  // NOLINT(google-explicit-constructor): see above
  template <std::integral Whole>
  constexpr DoubleDouble(Whole x) : high(static_cast<double>(x)) {}  // NOLINT(google-explicit-constructor): see above

  explicit operator double() const { return high; }
};

/// a + b exactly, where |a| >= |b| or a is 0.
inline DoubleDouble fast_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b exactly.
inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b, added = sum - a;
  return {sum, (a - (sum - added)) + (b - added)};
}

inline DoubleDouble operator-(const DoubleDouble& x) { return {-x.high, -x.low}; }

inline DoubleDouble operator+(const DoubleDouble& x, const DoubleDouble& y) {
  const DoubleDouble s = two_sum(x.high, y.high), t = two_sum(x.low, y.low);
  if (!std::isfinite(s.high)) return s.high;
  const DoubleDouble v = fast_two_sum(s.high, s.low + t.high);
  if (!std::isfinite(v.high)) return v.high;
  return fast_two_sum(v.high, t.low + v.low);
}

inline DoubleDouble operator-(const DoubleDouble& x, const DoubleDouble& y) { return x + -y; }

inline DoubleDouble operator*(const DoubleDouble& x, const DoubleDouble& y) {
  const Product p = product_of(x.high, y.high);
  if (!std::isfinite(p.rounded)) return p.rounded;
  return fast_two_sum(p.rounded, p.rest + (x.high * y.low + x.low * y.high));
}

/// x 2^exponent.
inline DoubleDouble scaled(const DoubleDouble& x, int exponent) {
  const double high = std::ldexp(x.high, exponent);
  return {high, std::isfinite(high) ? std::ldexp(x.low, exponent) : 0};
}

inline DoubleDouble operator/(const DoubleDouble& x, const DoubleDouble& y) {
  const double first = x.high / y.high;
  if (x.high == 0 || y.high == 0 || !std::isfinite(x.high) || !std::isfinite(y.high)) return first;
  // Scales both to [1, 2), so that no relevant part of a product underflows.
  const int of_x = std::ilogb(x.high), of_y = std::ilogb(y.high);
  const DoubleDouble a = scaled(x, -of_x), b = scaled(y, -of_y);
  const double quotient = a.high / b.high;
  const Product p = product_of(b.high, quotient);
  const DoubleDouble t = fast_two_sum(p.rounded, b.low * quotient);
  const DoubleDouble r = fast_two_sum(t.high, t.low + p.rest);
  const double rest = (a.high - r.high) + (a.low - r.low);
  return scaled(fast_two_sum(quotient, rest / b.high), of_x - of_y);
}

inline DoubleDouble& operator+=(DoubleDouble& x, const DoubleDouble& y) { return x = x + y; }

inline bool operator==(const DoubleDouble& x, const DoubleDouble& y) { return x.high == y.high && x.low == y.low; }
inline bool operator<(const DoubleDouble& x, const DoubleDouble& y) {
  return x.high < y.high || (x.high == y.high && x.low < y.low);
}
inline bool operator>(const DoubleDouble& x, const DoubleDouble& y) { return y < x; }
inline bool operator<=(const DoubleDouble& x, const DoubleDouble& y) { return x < y || x == y; }
inline bool operator>=(const DoubleDouble& x, const DoubleDouble& y) { return y <= x; }

using std::abs;
inline DoubleDouble abs(const DoubleDouble& x) { return x.high < 0 ? -x : x; }
inline bool is_finite(const DoubleDouble& x) { return std::isfinite(x.high) && std::isfinite(x.low); }

}  // namespace geodescent::proof
