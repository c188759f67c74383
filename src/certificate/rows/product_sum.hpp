// Sums of products for proofs. They take most of the time of a proof. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/product_sum.hpp"
#include "certificate/numbers/bounded.hpp"
#include "certificate/numbers/clones.hpp"
#include "certificate/rows/row_batch.hpp"

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

  static constexpr std::size_t numbers = 5;
  /// Continues the sum that another rank has put into these numbers.
  void take(std::span<const double, numbers> from) {
    sum_ = ProductSum(from[0], from[1], from[2]);
    errors_ = from[3];
    terms_ = static_cast<std::size_t>(from[4]);
  }
  void put(std::span<double, numbers> to) const {
    to[0] = sum_.high();
    to[1] = sum_.low();
    to[2] = sum_.magnitude();
    to[3] = errors_;
    to[4] = static_cast<double>(terms_);
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

/// A sum of products for each of the columns begin <= j < end of a matrix. If that has few entries,
/// most columns may be empty; then a sum is made when its column first occurs.
class ColumnSums {
 public:
  ColumnSums(std::size_t begin, std::size_t end, const RowMatrix& matrix);

  /// Whether most columns of a matrix of this size may be empty.
  static bool finds_places(std::size_t nonzeros, std::size_t columns);
  /// The multiples of the rows of the batch, as above, in these columns.
  void add_multiples(std::span<const double> factors, const RowBatch& rows);
  std::size_t end() const { return end_; }
  /// Null if the column is known to be empty.
  const ProductSum* of(std::size_t column) const {
    if (!finds_places_) return &sums_[column - begin_];
    const std::uint32_t place = places_[column - begin_];
    return place == 0 ? nullptr : &sums_[place - 1];
  }

 private:
  void find_places(std::span<const std::uint32_t> columns);

  std::size_t begin_, end_;
  bool finds_places_;
  std::vector<std::uint32_t> places_;  ///< of each column in sums_, from 1; 0: no entries
  std::vector<std::uint32_t> found_;   ///< the places of a row
  std::vector<ProductSum> sums_;
};

}  // namespace geodescent::proof
