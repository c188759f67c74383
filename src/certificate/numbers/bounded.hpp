// Numbers that know how wrong they can be: the single ones of a proof. What is done for every row is in
// product_sum.hpp.
//
// Assumed: IEEE arithmetic in double rounded to nearest (what C++ gives unless told otherwise) and an exact fma; the
// bounds of double_double.hpp and elementary.hpp follow from them. Every bound takes twice what a rounding can cost,
// and a part in a thousand more, so that the roundings of the bounds themselves, in double, are paid for as well.
// Internal to the library.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include "base/product_sum.hpp"
#include "certificate/numbers/double_double.hpp"
#include "certificate/numbers/elementary.hpp"

namespace geodescent::proof {

using Real = DoubleDouble;

inline constexpr double unit = 0x1p-100;     ///< more than twice the relative error of an operation of Real
inline constexpr double tiny = double_tiny;  ///< more than what underflow can cost
inline constexpr double endless = std::numeric_limits<double>::infinity();

/// The size of a number, for bounds: right to 16 digits.
inline double size_of(const Real& x) { return abs(x.high); }

/// A bound computed by a few roundings in double, made larger than they can have made it smaller.
inline double inflated(double bound) { return bound * generous + tiny; }

/// The true number lies within `error` of `value`. When either is not finite, nothing is known.
struct Bounded {
  Real value = 0;
  double error = 0;

  bool known() const { return is_finite(value) && std::isfinite(error); }
  /// The true number is at most this; infinity when nothing is known.
  Real upper() const { return known() ? value + inflated(error + unit * size_of(value)) : endless; }
  Real lower() const { return known() ? value - inflated(error + unit * size_of(value)) : -endless; }
  /// Its absolute value is at most this.
  double magnitude() const { return known() ? inflated(size_of(value) + error) : endless; }
};

inline Bounded operator-(const Bounded& a) { return {-a.value, a.error}; }

inline Bounded operator+(const Bounded& a, const Bounded& b) {
  const Real value = a.value + b.value;
  return {value, inflated(a.error + b.error + unit * size_of(value))};
}

inline Bounded operator-(const Bounded& a, const Bounded& b) { return a + -b; }

inline Bounded operator*(const Bounded& a, const Bounded& b) {
  const Real value = a.value * b.value;
  const double inherited = size_of(a.value) * b.error + size_of(b.value) * a.error + a.error * b.error;
  return {value, inflated(inherited + unit * size_of(value))};
}

/// The size of what lies within `error` of x is at least this; 0 when x is not known to a half, where a difference of
/// rounded numbers would say little.
inline double nearest_to_zero(const Real& x, double error) {
  const double size = size_of(x);
  return std::isfinite(size) && error <= size / 2 ? (size - error) / generous : 0;
}

inline Bounded operator/(const Bounded& a, const Bounded& b) {
  const double least = nearest_to_zero(b.value, b.error);
  if (!(least > 0)) return {0, endless};
  const Real value = a.value / b.value;
  // Inflated before it is divided, too: the product may have lost all its digits, and `least` may be tiny.
  return {value, inflated(inflated(a.error + size_of(value) * b.error) / least + unit * size_of(value))};
}

inline constexpr double function_error = function_error_of_double_double;  ///< of exp, log and log1p, relative

inline Bounded log(const Bounded& x) {
  const double least = nearest_to_zero(x.value, x.error);
  if (!(x.value > 0 && least > 0)) return {0, endless};
  const Real value = log(x.value);
  return {value, inflated(x.error / least + function_error * size_of(value))};
}

/// log(1 + x).
inline Bounded log1p(const Bounded& x) {
  const Real one_more = 1 + x.value;
  const double least = nearest_to_zero(one_more, x.error);
  if (!(one_more > 0 && least > 0)) return {0, endless};
  const Real value = log1p(x.value);
  return {value, inflated(x.error / least + function_error * size_of(value))};
}

/// A long sum of terms that come with their errors. With n terms the additions lose n units of the sum of their sizes:
/// nothing, beside a double.
class BoundedSum {
 public:
  void add(const Bounded& term) {
    sum_ += term.value;
    errors_ += term.error;
    magnitude_ += size_of(term.value);
    ++terms_;
  }

  Bounded result() const { return {sum_, inflated(errors_ + static_cast<double>(terms_) * unit * magnitude_)}; }

 private:
  Real sum_ = 0;
  double errors_ = 0;
  double magnitude_ = 0;
  std::size_t terms_ = 0;
};

/// The largest double that is not above x, the smallest one that is not below it.
inline double rounded_down(const Real& x) {
  return x.low < 0 ? std::nextafter(x.high, -std::numeric_limits<double>::infinity()) : x.high;
}

inline double rounded_up(const Real& x) { return -rounded_down(-x); }

}  // namespace geodescent::proof
