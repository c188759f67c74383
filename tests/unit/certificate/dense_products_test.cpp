// Products with dense rows: every way of storing them, against products with more digits.
#include "certificate/rows/dense_products.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/random.hpp"
#include "support/reference/quad_risk.hpp"

namespace geodescent::testing {
namespace {

enum class Order { rows, columns, padded_rows };

/// Numbers of many sizes, and zeros, which are floats and doubles.
template <class Number>
DenseArrays random_arrays(Random& random, std::size_t rows, std::size_t columns, Order order, double constant) {
  DenseArrays arrays;
  arrays.rows = rows;
  arrays.columns = columns;
  arrays.row_stride = order == Order::columns ? 1 : columns + (order == Order::padded_rows ? 3 : 0);
  arrays.column_stride = order == Order::columns ? rows : 1;
  arrays.constant = constant;
  std::vector<Number> entries(rows * (columns + 3));
  for (Number& x : entries)
    if (random.chance(0.9))
      x = static_cast<Number>(std::ldexp(random.normal(), static_cast<int>(random.below(40)) - 20));
  arrays.entries = SharedArray<Number>(std::move(entries));
  return arrays;
}

double entry(const DenseArrays& arrays, std::size_t i, std::size_t j) {
  if (j == arrays.columns) return arrays.constant;
  return std::visit(
      [&](const auto& entries) { return double{entries[i * arrays.row_stride + j * arrays.column_stride]}; },
      arrays.entries);
}

void expect_right_products(Random& random, const DenseArrays& arrays) {
  const std::size_t all_columns = arrays.columns + (arrays.constant != 0);
  const std::size_t begin = arrays.rows / 3, end = arrays.rows;
  Vector factors(all_columns), subtracted(end - begin);
  for (double& x : factors) x = random.normal();
  for (double& x : subtracted) x = random.normal();
  const Product constant = product_of(random.normal(), random.normal());
  proof::ProductSums sums;
  std::vector<Approximation> found(end - begin);
  proof::products(arrays, begin, end, factors, constant, subtracted, sums, found);
  for (std::size_t i = begin; i < end; ++i) {
    Quad truth = static_cast<Quad>(constant.rounded) + constant.rest - subtracted[i - begin];
    for (std::size_t j = 0; j < all_columns; ++j) truth += static_cast<Quad>(entry(arrays, i, j)) * factors[j];
    const Approximation& product = found[i - begin];
    ASSERT_LE(absolute(truth - product.value), product.error) << "row " << i;
    ASSERT_LE(product.error, 0.52 * double_unit * std::abs(product.value) + 1e-20) << "row " << i;
  }
}

void expect_right_sums(Random& random, const DenseArrays& arrays) {
  const std::size_t all_columns = arrays.columns + (arrays.constant != 0);
  const std::size_t begin = arrays.rows / 3, end = arrays.rows;
  Vector factors(end - begin);
  for (double& x : factors) x = random.normal();
  proof::ProductSums sums;
  sums.start(all_columns);
  proof::add_multiples(arrays, begin, end, factors, sums);
  for (std::size_t j = 0; j < all_columns; ++j) {
    ProductSum expected;
    for (std::size_t i = begin; i < end; ++i) expected.add(factors[i - begin], entry(arrays, i, j));
    ASSERT_EQ(sums[j].high(), expected.high()) << "column " << j;
    ASSERT_EQ(sums[j].low(), expected.low()) << "column " << j;
    ASSERT_EQ(sums[j].magnitude(), expected.magnitude()) << "column " << j;
  }
}

TEST(DenseProducts, EveryWayOfStoringGivesRightProducts) {
  Random random(1);
  for (const std::size_t rows : {1, 7, 33, 150}) {
    for (const std::size_t columns : {1, 8, 30, 63, 64, 77, 1100}) {
      for (const Order order : {Order::rows, Order::columns, Order::padded_rows}) {
        const double constant = random.chance(0.5) ? 2.5 : 0;
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns) + ", order " +
                     std::to_string(static_cast<int>(order)) + ", constant " + std::to_string(constant));
        const DenseArrays doubles = random_arrays<double>(random, rows, columns, order, constant);
        const DenseArrays floats = random_arrays<float>(random, rows, columns, order, constant);
        expect_right_products(random, doubles);
        expect_right_products(random, floats);
        expect_right_sums(random, doubles);
        expect_right_sums(random, floats);
      }
    }
  }
}

}  // namespace
}  // namespace geodescent::testing
