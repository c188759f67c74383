// Numbers with error bounds, for the single numbers of a proof. Sums over rows are in
// product_sum.hpp.
//
// Assumptions: IEEE double arithmetic rounded to nearest (the default of C++) and an exact fma. The
// bounds of double_double.hpp and elementary.hpp follow from these. Every bound allows twice the
// error of a rounding, and a factor of 1.001 more, which covers the roundings of the bounds
// themselves. Internal to the library.
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
inline constexpr double tiny = double_tiny;  ///< more than the error of an underflow
inline constexpr double endless = std::numeric_limits<double>::infinity();

/// The magnitude of a number, for bounds: accurate to 16 digits.
inline double size_of(const Real& x) { return abs(x.high); }

/// A bound computed with a few roundings in double, enlarged by more than they can have reduced it.
inline double inflated(double bound) { return bound * generous + tiny; }

/// The true number lies within `error` of `value`. If either is not finite, nothing is known.
struct Bounded {
  Real value = 0;
  double error = 0;

  bool known() const { return is_finite(value) && std::isfinite(error); }
  /// An upper bound on the true number; infinity if nothing is known.
  Real upper() const { return known() ? value + inflated(error + unit * size_of(value)) : endless; }
  Real lower() const { return known() ? value - inflated(error + unit * size_of(value)) : -endless; }
  /// An upper bound on the absolute value.
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

/// A lower bound on |y| for all y within `error` of x. 0 if the error exceeds half of |x|, because
/// the rounded difference would be inaccurate.
inline double nearest_to_zero(const Real& x, double error) {
  const double size = size_of(x);
  return std::isfinite(size) && error <= size / 2 ? (size - error) / generous : 0;
}

inline Bounded operator/(const Bounded& a, const Bounded& b) {
  const double least = nearest_to_zero(b.value, b.error);
  if (!(least > 0)) return {0, endless};
  const Real value = a.value / b.value;
  // The product is inflated before the division, too: it may have no correct digit, and `least` may
  // be tiny.
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

/// A long sum of terms with error bounds. With n terms the additions lose n units of the sum of
/// magnitudes, which is negligible beside a double.
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

/// The largest double that is not above x, and the smallest that is not below x.
inline double rounded_down(const Real& x) {
  return x.low < 0 ? std::nextafter(x.high, -std::numeric_limits<double>::infinity()) : x.high;
}

inline double rounded_up(const Real& x) { return -rounded_down(-x); }

}  // namespace geodescent::proof
