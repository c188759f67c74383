// The sums of products of which proofs are made; they spend their time here. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/product_sum.hpp"
#include "certificate/numbers/bounded.hpp"
#include "certificate/proof/row_batch.hpp"

namespace geodescent::proof {

/// A sum of products with what it may have lost. `terms`: at least as many as were added.
inline Bounded bounded(const ProductSum& sum, std::size_t terms) {
  const Real value = Real(sum.high()) + Real(sum.low());
  return {value, inflated(sum.lost(terms) + unit * size_of(value))};
}

/// A sum over rows of products of which one factor is known approximately.
class RowSum {
 public:
  /// weight times x, for a weight that is exact.
  void add(double weight, const Approximation& x) {
    // Most weights are 1, and std::fma may be a slow function.
    sum_.add(weight == 1 ? Product{x.value, 0} : product_of(weight, x.value));
    errors_ += std::abs(weight) * x.error + double_tiny;
    ++terms_;
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

/// out: for each row of the batch, the sum of values_k factors[indices_k], and of `constant`, less the number of
/// `subtracted` that belongs to the row, if there are any. Rounded once, at the end.
void products(const RowBatch& rows, std::span<const double> factors, const Product& constant,
              std::span<const double> subtracted, std::span<Approximation> out);
/// sums[indices_k] += factor values_k, for each row of the batch and its factor.
void add_multiples(std::span<const double> factors, const RowBatch& rows, std::span<ProductSum> sums);

}  // namespace geodescent::proof
