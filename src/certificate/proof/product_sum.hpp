// Sums of products for proofs. They take most of the time of a proof. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/product_sum.hpp"
#include "certificate/numbers/bounded.hpp"
#include "certificate/proof/row_batch.hpp"

// Compiled for these instruction sets and selected at run time. The bits are the same, because
// lanes fix the order of additions. std::fma is a slow function on processors older than 2013. As
// in parallel.hpp, only GCC supports this.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GEODESCENT_FMA_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GEODESCENT_FMA_CLONES
#endif
/// Functions that a clone calls for each entry must be inlined into it.
#define GEODESCENT_PROOF_INLINE inline __attribute__((always_inline))

namespace geodescent::proof {

/// A sum of products with its error bound. `terms` is at least the number of terms.
inline Bounded bounded(const ProductSum& sum, std::size_t terms) {
  const Real value = Real(sum.high()) + Real(sum.low());
  return {value, inflated(sum.lost(terms) + unit * size_of(value))};
}

/// A sum over rows of products in which one factor is approximate.
class RowSum {
 public:
  /// Adds weight times x. The weight is exact.
  void add(double weight, const Approximation& x) {
    // Most weights are 1, and std::fma may be slow.
    sum_.add(weight == 1 ? Product{x.value, 0} : product_of(weight, x.value));
    errors_ += std::abs(weight) * x.error + double_tiny;
    ++terms_;
  }
  /// Adds the square of a sum. `terms` as in ProductSum::rounded.
  void add_square(const ProductSum& x, std::size_t terms) {
    // x = high + low with |low| <= u |high|, u = 2^-53. Its square is high^2 + 2 high low, up to 3
    // u^2 high^2.
    const DoubleDouble value = two_sum(x.high(), x.low());
    sum_.add(value.high, value.high);
    sum_.add(Product{2 * value.high * value.low, 0});
    const double size = std::abs(value.high) * generous, lost = x.lost(terms);
    errors_ += (2 * size * lost + lost * lost) + double_unit * size * (double_unit * size) + double_tiny;
    terms_ += 2;
  }

  Bounded result() const {
    const Bounded sum = bounded(sum_, terms_);
    return {sum.value, inflated(sum.error + errors_)};
  }

 private:
  ProductSum sum_;
  double errors_ = 0;
  std::size_t terms_ = 0;
};

/// out: for each row of the batch, the sum of values_k factors[indices_k], plus `constant`, minus
/// the row's number of `subtracted` unless that is empty. Rounded once, at the end.
void products(const RowBatch& rows, std::span<const double> factors, const Product& constant,
              std::span<const double> subtracted, std::span<Approximation> out);
/// sums[indices_k] += factor values_k, for each row of the batch and its factor.
void add_multiples(std::span<const double> factors, const RowBatch& rows, std::span<ProductSum> sums);

}  // namespace geodescent::proof
