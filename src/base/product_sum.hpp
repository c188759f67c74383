// Long sums of products of doubles, as precise as if they were made with twice the digits. In double: the long double
// of x86 is several times slower.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <limits>

// A product loses nothing only if doubles are rounded to doubles. So it is wherever processors have had SSE2 or later.
#if !defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD != 0
#error "sums need arithmetic in double as IEEE 754 defines it; on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "sums need arithmetic as it is written; compile without -ffast-math and -Ofast"
#endif

namespace geodescent {

inline constexpr double double_unit = std::numeric_limits<double>::epsilon();  ///< twice the error of a rounding
inline constexpr double double_tiny = std::numeric_limits<double>::min();      ///< more than what underflow can cost
/// Makes a bound larger than the roundings of its own computation (less than a thousand) can have made it smaller.
inline constexpr double generous = 1.001;

/// The true number lies within `error` of `value`. When either is not finite, nothing is known.
struct Approximation {
  double value = 0;
  double error = 0;
};

/// a b, exactly: the sum of both.
struct Product {
  double rounded = 0;
  double rest = 0;
};

inline Product product_of(double a, double b) {
  const double rounded = a * b;
  return {rounded, std::fma(a, b, -rounded)};
}

/// Each product is split into two doubles whose sum it is exactly, and so is each addition (Ogita, Rump and Oishi,
/// "Accurate sum and dot product", 2005, algorithm Dot2). Only the sum of the second parts is rounded: with u half a
/// unit, n terms and m the sum of their sizes it loses at most u^2 (n + 1)^2 m (1 + small), as the second parts are
/// together at most u (n + 1) m. Small, as there is one for every column.
///
/// A sum may also be made of k parts of at most t terms each. The second parts are then together at most u (t + k + 1)
/// m and lose u^2 ((t + 1)^2 + 2 k (t + k + 1)) m: less than a sum of n = t + k terms is said to lose below.
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
  double magnitude() const { return magnitude_; }  ///< sum of the sizes of the terms
  /// high + low, rounded. `terms`: at least as many as were added; of a sum of parts, at least the terms of each part
  /// and the number of parts together.
  Approximation rounded(std::size_t terms) const {
    const double value = high_ + low_;
    return {value, (lost(terms) + 0.51 * double_unit * std::abs(value)) * generous};
  }

  /// By how much high + low may differ from the sum.
  double lost(std::size_t terms) const {
    const double depth = (static_cast<double>(terms) + 2) * double_unit;
    if (!(depth < 1e-4)) return std::numeric_limits<double>::infinity();
    // The size itself is rounded, too: by less than a part 1e-4. The last term is for products that underflow.
    return depth * depth * 1.01 * magnitude_ + static_cast<double>(terms + 2) * double_tiny;
  }

 private:
  double high_ = 0;
  double low_ = 0;
  double magnitude_ = 0;  ///< sum of |terms|
};

}  // namespace geodescent
