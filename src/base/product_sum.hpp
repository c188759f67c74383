// Long sums of products of doubles, as precise as in twice the precision. They use double, because
// the long double of x86 is several times slower.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <limits>

// Products are exact only if doubles are rounded to double, as on x86 with SSE2 or later.
#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "sums need arithmetic in double as IEEE 754 defines it; on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "sums need arithmetic as it is written; compile without -ffast-math and -Ofast"
#endif

namespace geodescent {

inline constexpr double double_unit = std::numeric_limits<double>::epsilon();  ///< twice the error of a rounding
inline constexpr double double_tiny = std::numeric_limits<double>::min();      ///< exceeds the error of an underflow
/// Enlarges a bound by more than the roundings of its own computation (fewer than a thousand) can
/// have reduced it.
inline constexpr double generous = 1.001;

/// The true number lies within `error` of `value`. If either is not finite, nothing is known.
struct Approximation {
  double value = 0;
  double error = 0;
};

/// a b as an exact sum of two doubles.
struct Product {
  double rounded = 0;
  double rest = 0;
};

inline Product product_of(double a, double b) {
  const double rounded = a * b;
  return {rounded, std::fma(a, b, -rounded)};
}

/// Each product, and each addition, is split into two doubles whose sum is exact (Ogita, Rump and
/// Oishi, "Accurate sum and dot product", 2005, algorithm Dot2). Only the sum of the second parts
/// is rounded. Let u = 2^-53, n the number of terms and m the sum of their magnitudes. The second
/// parts add up to at most u (n + 1) m, so their sum loses at most u^2 (n + 1)^2 m (1 + small). The
/// class is small because a proof keeps one for every column.
///
/// A sum may also be combined from k parts of at most t terms each. The second parts are then at
/// most u (t + k + 1) m and lose u^2 ((t + 1)^2 + 2 k (t + k + 1)) m. That is less than the bound
/// for n = t + k.
class ProductSum {
 public:
  ProductSum() = default;
  ProductSum(double high, double low, double magnitude) : high_(high), low_(low), magnitude_(magnitude) {}

  void add(double a, double b) { add(product_of(a, b)); }
  void add(const Product& term) {
    const double sum = high_ + term.rounded;
    const double added = sum - high_;
    low_ += ((high_ - (sum - added)) + (term.rounded - added)) + term.rest;
    magnitude_ += std::abs(term.rounded);
    high_ = sum;
  }
  void add(const ProductSum& part) {
    const double sum = high_ + part.high_;
    const double added = sum - high_;
    low_ += ((high_ - (sum - added)) + (part.high_ - added)) + part.low_;
    magnitude_ += part.magnitude_;
    high_ = sum;
  }

  double high() const { return high_; }
  double low() const { return low_; }
  double magnitude() const { return magnitude_; }  ///< sum of |terms|
  /// high + low, rounded. `terms` is at least the number of terms; for a sum of parts, at least the
  /// terms of the longest part plus the number of parts.
  Approximation rounded(std::size_t terms) const {
    const double value = high_ + low_;
    return {value, (lost(terms) + 0.51 * double_unit * std::abs(value)) * generous};
  }

  /// A bound on the difference between high + low and the exact sum.
  double lost(std::size_t terms) const {
    const double depth = (static_cast<double>(terms) + 2) * double_unit;
    if (!(depth < 1e-4)) return std::numeric_limits<double>::infinity();
    // The magnitude is rounded, too: by a factor within 1e-4 of 1. The last term covers products
    // that underflow.
    return depth * depth * 1.01 * magnitude_ + static_cast<double>(terms + 2) * double_tiny;
  }

 private:
  double high_ = 0;
  double low_ = 0;
  double magnitude_ = 0;  ///< sum of |terms|
};

}  // namespace geodescent
