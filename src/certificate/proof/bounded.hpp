// Numbers that know how wrong they can be: the single ones of a proof. What is done for every row is in
// product_sum.hpp.
//
// Assumed: IEEE arithmetic rounded to nearest (what C++ gives unless told otherwise), and exp, log, log1p accurate to
// 8 units in the last place. Every bound takes a whole unit in the last place where half a unit is what a rounding can
// cost, so that the rounding of the bounds themselves is paid for as well. Internal to the library.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace geodescent::proof {

#ifdef GEODESCENT_PROOF_REAL
using Real = GEODESCENT_PROOF_REAL;  // a test takes double, to see that nothing depends on a wide long double
#else
/// The widest type that rounds as IEEE says; a pair of doubles (PowerPC) does not.
using Real = std::conditional_t<std::numeric_limits<long double>::is_iec559, long double, double>;
#endif
static_assert(std::numeric_limits<Real>::is_iec559 && std::numeric_limits<Real>::digits >= 53);

inline constexpr Real unit = std::numeric_limits<Real>::epsilon();  ///< at least twice the relative error of a rounding
inline constexpr Real tiny = std::numeric_limits<Real>::min();      ///< more than what underflow can cost
inline constexpr Real endless = std::numeric_limits<Real>::infinity();

/// A bound computed by a few roundings, made larger than they can have made it smaller.
inline Real inflated(Real bound) { return bound * (1 + 16 * unit) + tiny; }

/// The true number lies within `error` of `value`. When either is not finite, nothing is known.
struct Bounded {
  Real value = 0;
  Real error = 0;

  bool known() const { return std::isfinite(value) && std::isfinite(error); }
  /// The true number is at most this; infinity when nothing is known.
  Real upper() const { return known() ? value + inflated(error + unit * std::abs(value)) : endless; }
  Real lower() const { return known() ? value - inflated(error + unit * std::abs(value)) : -endless; }
  /// Its absolute value is at most this.
  Real magnitude() const { return known() ? inflated(std::abs(value) + error) : endless; }
};

inline Bounded operator-(const Bounded& a) { return {-a.value, a.error}; }

inline Bounded operator+(const Bounded& a, const Bounded& b) {
  const Real value = a.value + b.value;
  return {value, inflated(a.error + b.error + unit * std::abs(value))};
}

inline Bounded operator-(const Bounded& a, const Bounded& b) { return a + -b; }

inline Bounded operator*(const Bounded& a, const Bounded& b) {
  const Real value = a.value * b.value;
  const Real inherited = std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error;
  return {value, inflated(inherited + unit * std::abs(value))};
}

inline Bounded operator/(const Bounded& a, const Bounded& b) {
  const Real nearest_to_zero = (std::abs(b.value) - b.error) * (1 - 4 * unit);
  if (!(nearest_to_zero > 0)) return {0, endless};
  const Real value = a.value / b.value;
  return {value, inflated((a.error + std::abs(value) * b.error) / nearest_to_zero + unit * std::abs(value))};
}

inline constexpr Real function_error = 8 * unit;  ///< of exp, log and log1p, relative

inline Bounded log(const Bounded& x) {
  const Real least = (x.value - x.error) * (1 - 4 * unit);
  if (!(least > 0)) return {0, endless};
  const Real value = std::log(x.value);
  return {value, inflated(x.error / least + function_error * std::abs(value))};
}

/// log(1 + x).
inline Bounded log1p(const Bounded& x) {
  const Real least = ((1 + x.value) - x.error) * (1 - 4 * unit);
  if (!(least > 0)) return {0, endless};
  const Real value = std::log1p(x.value);
  return {value, inflated(x.error / least + function_error * std::abs(value))};
}

/// A long sum of terms that were rounded once, such as products of two doubles. What each addition loses is added up,
/// too (Knuth), so the error does not grow with the number of terms. Small, as there is one for every column.
class LongSum {
 public:
  void add(Real term) {
    const Real sum = high_ + term;
    const Real added = sum - high_;
    // As doubles: of a correction and of a bound the first digits suffice.
    low_ += static_cast<double>((high_ - (sum - added)) + (term - added));
    magnitude_ += static_cast<double>(std::abs(term));
    high_ = sum;
  }

  /// `terms`: at least as many as were added.
  Bounded result(std::size_t terms) const {
    constexpr Real small = std::numeric_limits<double>::epsilon();
    const Real n = static_cast<Real>(terms) + 2;
    if (n * small > Real{1e-3}) return {0, endless};
    const Real value = high_ + low_;
    const Real size = static_cast<Real>(magnitude_) * Real{1.01};
    const Real lost =
        unit * size + n * n * small * unit * size;  // by the terms themselves; by the sum of what was lost
    return {value, inflated(lost + unit * std::abs(value) + n * std::numeric_limits<double>::min())};
  }

 private:
  Real high_ = 0;
  double low_ = 0;
  double magnitude_ = 0;  ///< sum of |terms|
};

/// The same for terms that come with their errors.
class BoundedSum {
 public:
  void add(const Bounded& term) {
    sum_.add(term.value);
    errors_ += term.error;
    ++terms_;
  }

  Bounded result() const {
    const Bounded sum = sum_.result(terms_);
    return {sum.value, inflated(sum.error + errors_ * Real{1.01})};
  }

 private:
  LongSum sum_;
  Real errors_ = 0;
  std::size_t terms_ = 0;
};

/// The largest double that is not above x, the smallest one that is not below it.
inline double rounded_down(Real x) {
  constexpr double largest = std::numeric_limits<double>::max();
  if (x > static_cast<Real>(largest)) return std::isinf(x) ? std::numeric_limits<double>::infinity() : largest;
  if (x < -static_cast<Real>(largest)) return -std::numeric_limits<double>::infinity();
  const auto nearest = static_cast<double>(x);
  return static_cast<Real>(nearest) > x ? std::nextafter(nearest, -std::numeric_limits<double>::infinity()) : nearest;
}

inline double rounded_up(Real x) { return -rounded_down(-x); }

}  // namespace geodescent::proof
