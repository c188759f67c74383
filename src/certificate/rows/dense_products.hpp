// Products with rows that are stored in full, without copying them. Internal to the library.
#pragma once

#include <cstddef>
#include <span>

#include "base/product_sum.hpp"
#include "geodescent/data/row_matrix.hpp"
#include "geodescent/vector.hpp"

namespace geodescent::proof {

/// Many sums of products, stored by part, so that vector instructions add to adjacent sums.
struct ProductSums {
  Vector high, low, magnitude;

  std::size_t size() const { return high.size(); }
  /// Sets `size` sums to 0.
  void start(std::size_t size) {
    for (Vector* part : {&high, &low, &magnitude}) part->assign(size, 0.0);
  }
  ProductSum operator[](std::size_t k) const { return {high[k], low[k], magnitude[k]}; }
  void add(std::size_t k, double a, double b) {
    ProductSum sum = (*this)[k];
    sum.add(a, b);
    high[k] = sum.high();
    low[k] = sum.low();
    magnitude[k] = sum.magnitude();
  }
};

/// The number of rows to process together.
std::size_t rows_at_a_time(const DenseArrays& arrays);

/// out: for each row begin <= i < end, a_i . factors + `constant`, minus the row's number of
/// `subtracted` unless that is empty. Rounded once, at the end. `sums` is scratch memory.
void products(const DenseArrays& arrays, std::size_t begin, std::size_t end, std::span<const double> factors,
              const Product& constant, std::span<const double> subtracted, ProductSums& sums,
              std::span<Approximation> out);
/// sums[j] += factors[i - begin] a_ij, for rows begin <= i < end in this order.
void add_multiples(const DenseArrays& arrays, std::size_t begin, std::size_t end, std::span<const double> factors,
                   ProductSums& sums);

}  // namespace geodescent::proof
