// The two products of both matrix forms against sums written out, for every range of rows and odd
// lengths.
#include "geodescent/data/row_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "support/problems.hpp"

namespace geodescent {
namespace {

struct Example {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  std::size_t columns = 0;

  SparseRows sparse() const { return {offsets, indices, values, columns}; }
  DenseRows dense() const {
    Vector entries((offsets.size() - 1) * columns);
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      for (std::size_t k = offsets[i]; k < offsets[i + 1]; ++k) entries[i * columns + indices[k]] = values[k];
    }
    return {entries, columns};
  }
};

/// Rows of lengths 0, 1, 2, ..., so that every remainder of the unrolled loops occurs. The entries
/// are small integers: every sum is exact, whatever its order.
Example staircase(std::size_t rows, std::size_t columns) {
  std::mt19937_64 random(7);
  Example example;
  example.columns = columns;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < std::min(i, columns); ++j) {
      example.indices.push_back(static_cast<std::uint32_t>(columns - std::min(i, columns) + j));
      example.values.push_back(static_cast<double>(random() % 19) - 9);
    }
    example.offsets.push_back(example.values.size());
  }
  return example;
}

Vector integers(std::size_t count) {
  Vector result(count);
  for (std::size_t k = 0; k < count; ++k) result[k] = static_cast<double>((k * 7) % 11) - 5;
  return result;
}

void expect_products(const RowMatrix& matrix, const DenseRows& reference) {
  const Vector x = integers(matrix.columns());
  const Vector weights = integers(matrix.rows());
  for (std::size_t begin = 0; begin <= matrix.rows(); ++begin) {
    for (std::size_t end = begin; end <= matrix.rows(); ++end) {
      Vector image(end - begin, 99);
      matrix.forward(begin, end, x, image);
      Vector sum(matrix.columns(), 2);
      const auto part = std::span(weights).subspan(begin, end - begin);
      matrix.backward(begin, end, part, sum);
      Vector expected_sum(matrix.columns(), 2);
      for (std::size_t i = begin; i < end; ++i) {
        double expected = 0;
        for (std::size_t j = 0; j < matrix.columns(); ++j) {
          expected += reference.row(i)[j] * x[j];
          expected_sum[j] += weights[i] * reference.row(i)[j];
        }
        ASSERT_EQ(image[i - begin], expected) << "row " << i;
      }
      ASSERT_EQ(sum, expected_sum) << begin << " to " << end;
    }
  }
}

TEST(RowMatrix, SparseProducts) {
  const Example example = staircase(22, 19);
  expect_products(example.sparse(), example.dense());
}

TEST(RowMatrix, DenseProducts) {
  for (const std::size_t columns : {1, 2, 7, 8, 9, 16, 19}) {
    const Example example = staircase(6, columns);
    expect_products(example.dense(), example.dense());
  }
}

/// Products with several vectors at once against those with each of them; all sums are exact.
void expect_multi_products(const RowMatrix& matrix) {
  for (const std::size_t outputs : {1, 2, 3, 7, 8, 10, 16, 20, 31}) {
    const Vector x = integers(matrix.columns() * outputs), weights = integers(matrix.rows() * outputs);
    const auto vector = [&](const Vector& all, std::size_t k) {
      Vector one;
      for (std::size_t j = k; j < all.size(); j += outputs) one.push_back(all[j]);
      return one;
    };
    for (const auto& [begin, end] :
         {std::pair{std::size_t{0}, matrix.rows()}, std::pair{matrix.rows() / 3, matrix.rows() - 1}}) {
      Vector image((end - begin) * outputs, 99), sum(matrix.columns() * outputs, 2);
      matrix.multi_forward(begin, end, outputs, x, image);
      matrix.multi_backward(begin, end, outputs, std::span(weights).subspan(begin * outputs), sum);
      for (std::size_t k = 0; k < outputs; ++k) {
        Vector expected(end - begin), expected_sum(matrix.columns(), 2);
        matrix.forward(begin, end, vector(x, k), expected);
        matrix.backward(begin, end, std::span<const double>(vector(weights, k)).subspan(begin), expected_sum);
        EXPECT_EQ(vector(image, k), expected) << outputs << " vectors";
        EXPECT_EQ(vector(sum, k), expected_sum) << outputs << " vectors";
      }
    }
  }
}

TEST(RowMatrix, MultiProductsAreThoseOfEachVector) {
  const Example example = staircase(22, 19);
  const SparseArrays arrays = example.sparse().arrays();
  SparseArrays ones = arrays, twos = arrays;
  ones.values = 1.0;
  twos.values = 2.0;
  const auto columns_of = [&] {  // the same matrix, stored by columns, with gaps
    const DenseRows dense = example.dense();
    Vector entries(2 * 22 * 19);
    for (std::size_t i = 0; i < 22; ++i)
      for (std::size_t j = 0; j < 19; ++j) entries[2 * (j * 22 + i)] = dense.row(i)[j];
    return DenseRows(DenseArrays{SharedArray(std::move(entries)), 22, 19, 2, 44});
  };
  for (const SparseArrays& form : {arrays, ones, twos}) {
    expect_multi_products(SparseRows(form));
    expect_multi_products(*SparseRows(form).with_constant(3));
  }
  expect_multi_products(example.dense());
  expect_multi_products(*example.dense().with_constant(3));
  expect_multi_products(columns_of());
  expect_multi_products(*columns_of().with_constant(3));
  for (const std::size_t columns : {1, 2, 7}) expect_multi_products(staircase(6, columns).dense());
}

/// Gram matrices with several weights at once against those with each of them; all sums are exact.
void expect_multi_gram(const RowMatrix& matrix) {
  const std::size_t d = matrix.columns();
  for (const std::size_t outputs : {1, 3, 8, 21, 40})
    for (const auto& [begin, end] :
         {std::pair{std::size_t{0}, matrix.rows()}, std::pair{matrix.rows() / 3, matrix.rows() - 1}}) {
      const Vector weights = integers((end - begin) * outputs);
      Vector scratch(matrix.gram_scratch()), sums(d * (d + 1) / 2 * outputs, 2);
      matrix.add_multi_gram(begin, end, outputs, weights, sums, scratch);
      for (std::size_t k = 0; k < outputs; ++k) {
        Vector one(end - begin), gram(d * d, 2);
        for (std::size_t i = 0; i < one.size(); ++i) one[i] = weights[i * outputs + k];
        matrix.add_gram(begin, end, one, gram, scratch);
        std::size_t entry = k;
        for (std::size_t j = 0; j < d; ++j)
          for (std::size_t i = j; i < d; ++i, entry += outputs)
            ASSERT_EQ(sums[entry], gram[j * d + i]) << i << ", " << j << ": " << k << " of " << outputs;
      }
    }
}

TEST(RowMatrix, GramMatricesWithSeveralWeightsAreThoseOfEach) {
  const Example example = staircase(140, 19);
  SparseArrays ones = example.sparse().arrays(), twos = ones;
  ones.values = 1.0;
  twos.values = 2.0;
  for (const SparseArrays& form : {example.sparse().arrays(), ones, twos}) {
    expect_multi_gram(SparseRows(form));
    expect_multi_gram(*SparseRows(form).with_constant(3));
  }
  for (const std::size_t columns : {1, 4, 5, 19}) {
    expect_multi_gram(staircase(140, columns).dense());
    expect_multi_gram(*staircase(140, columns).dense().with_constant(3));
  }
}

/// A sweep must have the bits of the two products of each row.
void expect_sweep(const RowMatrix& matrix) {
  const auto multiple = [](std::size_t i, double product) { return i % 3 == 0 ? 0 : 0.1 + 0.3 * product; };
  Vector x(matrix.columns());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = 1.0 / static_cast<double>(j + 3);
  Vector swept = x, norms(matrix.rows());
  std::vector<std::size_t> order;
  matrix.sweep(1, matrix.rows(), swept, [&](std::size_t i, double product) {
    order.push_back(i);
    return multiple(i, product);
  });
  matrix.squared_norms(0, matrix.rows(), norms);
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    matrix.copy_row(i, indices, values);
    double squares = 0;
    for (const double value : values) squares += value * value;
    EXPECT_DOUBLE_EQ(norms[i], squares) << "row " << i;
    if (i == 0) continue;
    EXPECT_EQ(order[i - 1], i);
    double product = 0;
    matrix.forward(i, i + 1, x, {&product, 1});
    const double weight = multiple(i, product);
    if (weight != 0) matrix.backward(i, i + 1, {&weight, 1}, x);
  }
  EXPECT_EQ(swept, x);
}

TEST(RowMatrix, SweepsHaveTheBitsOfTheProducts) {
  const Example example = staircase(22, 19);
  expect_sweep(example.dense());
  expect_sweep(example.sparse());
  expect_sweep(*example.sparse().with_constant(0.7));
  const SparseArrays arrays = example.sparse().arrays();
  SparseArrays floats = arrays, repeated = arrays, ones = arrays, narrow = arrays;
  floats.values = SharedArray(std::vector<float>(example.values.begin(), example.values.end()));
  repeated.values = 0.3;
  ones.values = 1.0;
  narrow.indices = SharedArray(std::vector<std::uint16_t>(example.indices.begin(), example.indices.end()));
  for (const SparseArrays& form : {floats, repeated, ones, narrow}) expect_sweep(SparseRows(form));
}

TEST(RowMatrix, Counts) {
  const Example example = staircase(5, 3);  // lengths 0, 1, 2, 3, 3
  const SparseRows sparse = example.sparse();
  double squares = 0;
  for (const double value : example.values) squares += value * value;
  EXPECT_EQ(sparse.rows(), 5U);
  EXPECT_EQ(sparse.columns(), 3U);
  EXPECT_EQ(sparse.nonzeros(), 9U);
  EXPECT_EQ(sparse.longest_row(), 3U);
  EXPECT_EQ(sparse.squared_norm(), squares);
  EXPECT_EQ(sparse.indices(2).size(), 2U);
  EXPECT_EQ(sparse.indices(2)[0], 1U);
  EXPECT_EQ(sparse.values(1)[0], example.values[0]);
  const DenseRows dense = example.dense();
  EXPECT_EQ(dense.rows(), 5U);
  EXPECT_EQ(dense.nonzeros(), 15U);
  EXPECT_EQ(dense.longest_row(), 3U);
  EXPECT_EQ(dense.squared_norm(), squares);
}

TEST(RowMatrix, NoColumns) {
  const SparseRows rows({0, 0, 0}, {}, {}, 0);
  EXPECT_EQ(rows.rows(), 2U);
  Vector image(2, 5);
  rows.forward(0, 2, {}, image);
  EXPECT_EQ(image, Vector({0, 0}));
  EXPECT_EQ(in_best_form(rows)->rows(), 2U);
}

TEST(RowMatrix, RowsAreTakenInTheOrderOfTheirLengthsWhereACacheHoldsThem) {
  const auto keeps_an_order = [](std::size_t rows) {
    Example example;
    example.columns = 20;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::uint32_t j = 0; j < 8 + i % 5; ++j) example.indices.push_back(j);
      example.offsets.push_back(example.indices.size());
    }
    example.values.assign(example.indices.size(), 0.5);
    const SparseRows matrix = example.sparse();
    return matrix.bytes() > matrix.arrays().bytes();
  };
  EXPECT_TRUE(keeps_an_order(100'000));
  EXPECT_FALSE(keeps_an_order(110'000)) << "memory is read best as it lies";
}

TEST(RowMatrix, SumsAreCloseToExactForAwkwardNumbers) {
  std::mt19937_64 random(3);
  const std::size_t n = 1003;
  Vector a(n);
  Vector x(n);
  long double expected = 0;
  for (std::size_t k = 0; k < n; ++k) {
    a[k] = std::ldexp(static_cast<double>(random() % 1000) + 1, -static_cast<int>(random() % 20));
    x[k] = 1.0 / (1.0 + static_cast<double>(k));
    expected += static_cast<long double>(a[k]) * x[k];
  }
  Vector image(1);
  DenseRows(a, n).forward(0, 1, x, image);
  EXPECT_NEAR(image[0], static_cast<double>(expected), 1e-13 * static_cast<double>(expected));
}

TEST(RowMatrix, BestFormIsDenseFromHalfFullOn) {
  // 2 x 3 with 3 of 6 entries, then with 2 of 6.
  const auto half = in_best_form(SparseRows({0, 2, 3}, {0, 2, 1}, {1, 2, 3}, 3));
  const auto* const dense = dynamic_cast<const DenseRows*>(half.get());
  ASSERT_NE(dense, nullptr);
  EXPECT_EQ(dense->row(0), Vector({1, 0, 2}));
  EXPECT_EQ(dense->row(1), Vector({0, 3, 0}));
  const auto third = in_best_form(SparseRows({0, 1, 2}, {0, 1}, {1, 3}, 3));
  EXPECT_NE(dynamic_cast<const SparseRows*>(third.get()), nullptr);
}

TEST(RowMatrix, BestFormOfHugeShapeStaysSparse) {
  // rows * columns must not overflow into a small number.
  const auto matrix = in_best_form(SparseRows({0, 1, 1, 1, 1}, {4294967290U}, {1}, 4294967295U));
  EXPECT_NE(dynamic_cast<const SparseRows*>(matrix.get()), nullptr);
}

TEST(RowMatrix, AddsUpTheSameGramMatrixDenseAndSparse) {
  testing::Random random(421);
  const std::size_t n = 70, d = 9;
  Vector entries, weights;
  for (std::size_t k = 0; k < n * d; ++k) entries.push_back(random.chance(0.4) ? random.normal() : 0);
  for (std::size_t i = 0; i < n; ++i) weights.push_back(i % 3 == 0 ? 0 : random.uniform());
  for (const bool sparse : {false, true}) {
    const auto rows = testing::rows_of(entries, d, sparse);
    Vector sum(d * d), scratch(rows->gram_scratch());
    // In two ranges, as blocks do.
    rows->add_gram(0, 33, weights, sum, scratch);
    rows->add_gram(33, n, std::span<const double>(weights).subspan(33), sum, scratch);
    EXPECT_GT(rows->gram_products(), 0);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = j; k < d; ++k) {
        double expected = 0;
        for (std::size_t i = 0; i < n; ++i) expected += weights[i] * entries[i * d + j] * entries[i * d + k];
        EXPECT_NEAR(sum[j * d + k], expected, 1e-12) << (sparse ? "sparse " : "dense ") << j << ", " << k;
      }
  }
}

}  // namespace
}  // namespace geodescent
