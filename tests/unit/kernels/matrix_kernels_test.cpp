// Products with matrices: the same bits for every instruction set and for every form in which the
// same numbers are stored; Gram matrices against sums written out.
#include <gtest/gtest.h>

#include <cmath>

#include "geodescent/data/row_matrix.hpp"
#include "kernels/kernels.hpp"
#include "support/instruction_sets.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

/// Compressed rows of random lengths, groups of rows and a rest.
struct Example {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  std::size_t columns;

  Example(Random& random, std::size_t rows, std::size_t d, double density, const auto& value) : columns(d) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double part = i % 7 == 0 ? 0 : density * 2 * random.uniform();
      for (std::uint32_t j = 0; j < d; ++j)
        if (random.chance(part)) {
          indices.push_back(j);
          values.push_back(value());
        }
      offsets.push_back(indices.size());
    }
  }
  std::size_t rows() const { return offsets.size() - 1; }
};

template <class To, class From>
SharedArray<To> as(const std::vector<From>& numbers) {
  std::vector<To> converted;
  for (const From e : numbers) converted.push_back(static_cast<To>(e));
  return SharedArray<To>(std::move(converted));
}

/// Both products of all rows and of some, those with several vectors at once, and the Gram matrix.
Vector products(const RowMatrix& a) {
  Random random(631);
  const std::size_t n = a.rows(), d = a.columns();
  const Vector x = random.normal_vector(d);
  Vector w = random.normal_vector(n);
  Vector image(n), part(n / 2), sum(d, 1), gram(d * d), scratch(a.gram_scratch());
  a.forward(0, n, x, image);
  a.forward(n / 3, n / 3 + n / 2, x, part);
  a.backward(0, n, w, sum);
  for (std::size_t i = 0; i < n; ++i) w[i] = i % 5 == 0 ? 0 : std::abs(w[i]);
  a.add_gram(0, n, w, gram, scratch);
  Vector all = image;
  for (const Vector* more : {&part, &sum, &gram}) all.insert(all.end(), more->begin(), more->end());
  for (const std::size_t outputs : {3u, 10u, 31u}) {
    const Vector xs = random.normal_vector(d * outputs), ws = random.normal_vector(n * outputs);
    Vector images(n * outputs), sums(d * outputs, 1);
    a.multi_forward(0, n, outputs, xs, images);
    a.multi_backward(0, n, outputs, ws, sums);
    Vector grams(d * (d + 1) / 2 * outputs, 1);
    a.add_multi_gram(0, n, outputs, ws, grams, scratch);
    for (const Vector* more : {&images, &sums, &grams}) all.insert(all.end(), more->begin(), more->end());
  }
  return all;
}

Vector expect_same_on_all_sets(const RowMatrix& a) {
  Vector first;
  with_each_instruction_set([&] { return products(a); },
                            [&](const Vector& portable, const Vector& other) {
                              EXPECT_EQ(portable, other);
                              first = portable;
                            });
  return first;
}

void expect_same_in_all_forms(const Example& e, bool repeated) {
  using Indices = decltype(SparseArrays::indices);
  using Values = decltype(SparseArrays::values);
  std::vector<Values> values{Values(as<double>(e.values)), Values(as<float>(e.values))};
  if (repeated) values.emplace_back(e.values[0]);
  Vector first;
  for (const Indices& indices : {Indices(as<std::uint16_t>(e.indices)), Indices(as<std::uint32_t>(e.indices)),
                                 Indices(as<std::uint64_t>(e.indices))})
    for (const Values& v : values) {
      const SparseRows rows(SparseArrays{as<std::uint64_t>(e.offsets), indices, v, e.columns});
      const Vector got = expect_same_on_all_sets(rows);
      if (first.empty()) first = got;
      EXPECT_EQ(got, first) << v.index();
    }
}

TEST(MatrixKernels, SparseProductsHaveTheSameBitsInAllForms) {
  Random random(632);
  for (const std::size_t rows : {1u, 40u, 700u, 1500u}) {
    expect_same_in_all_forms(Example(random, rows, 60, 0.2, [&] { return static_cast<float>(random.normal()); }),
                             false);
    Example ones(random, rows, 60, 0.2, [] { return 1.0; });
    if (!ones.values.empty()) expect_same_in_all_forms(ones, true);
    Example quarters(random, rows, 60, 0.2, [] { return 0.3F; });
    if (!quarters.values.empty()) expect_same_in_all_forms(quarters, true);
  }
}

TEST(MatrixKernels, DenseProductsHaveTheSameBitsInBothForms) {
  Random random(633);
  for (const std::size_t d : {1u, 3u, 8u, 22u, 24u, 61u}) {
    Vector entries = random.normal_vector(150 * d);
    for (double& e : entries) e = static_cast<float>(e);
    const Vector doubles = expect_same_on_all_sets(DenseRows(entries, d));
    EXPECT_EQ(doubles, expect_same_on_all_sets(DenseRows(DenseArray(as<float>(entries)), d))) << d;
  }
}

TEST(MatrixKernels, RowsInTheOrderOfTheirLengthsGiveTheSameRows) {
  // Lengths that change with every row: the group is taken in another order than parts of it.
  Random random(634);
  const Example e(random, 1100, 40, 0.4, [&] { return random.normal(); });
  const SparseRows a(e.offsets, e.indices, e.values, e.columns);
  const Vector x = random.normal_vector(e.columns);
  Vector all(a.rows()), one(1);
  a.forward(0, a.rows(), x, all);
  for (std::size_t i = 0; i < a.rows(); ++i) {
    a.forward(i, i + 1, x, one);
    ASSERT_EQ(all[i], one[0]) << i;
  }
}

TEST(MatrixKernels, GramMatrixOfColumnsIsRight) {
  Random random(635);
  for (const std::size_t m : {1u, 2u, 4u, 7u, 13u})
    for (const std::size_t n : {1u, 9u, 511u, 1300u}) {
      const std::size_t stride = n + 5, sum_stride = m + 2;
      const Vector columns = random.normal_vector(m * stride);
      Vector w(n);
      for (double& e : w) e = random.chance(n % 2 ? 0.6 : 1) ? random.uniform() : 0;
      const auto gram = [&] {
        Vector sum(m * sum_stride, 2), scratch(columns_gram_scratch(m));
        kernels().columns_gram(columns.data(), stride, m, n, w.data(), sum.data(), sum_stride, scratch.data());
        return sum;
      };
      with_each_instruction_set(gram, [&](const Vector& first, const Vector& got) { EXPECT_EQ(first, got); });
      const Vector got = gram();
      for (std::size_t j = 0; j < m; ++j)
        for (std::size_t k = 0; k < sum_stride; ++k) {
          double expected = 2;
          for (std::size_t i = 0; j <= k && k < m && i < n; ++i)
            expected += w[i] * columns[j * stride + i] * columns[k * stride + i];
          EXPECT_NEAR(got[j * sum_stride + k], expected, 1e-12 * static_cast<double>(n + 10)) << j << " " << k;
        }
    }
}

TEST(MatrixKernels, GramMatrixOfDenseRowsStaysBelowTheDiagonal) {
  Random random(636);
  for (const std::size_t d : {1u, 7u, 8u, 9u, 30u}) {
    const std::size_t n = 200;  // three panels and a rest
    const Vector entries = random.normal_vector(n * d);
    const Vector w(n, 0.5);
    Vector sum(d * d), scratch(dense_gram_scratch(d));
    kernels().dense_double.gram({entries.data(), d, 1, 0}, n, d, w.data(), sum.data(), scratch.data());
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < d; ++k) {
        double expected = 0;
        for (std::size_t i = 0; k >= j && i < n; ++i) expected += 0.5 * entries[i * d + j] * entries[i * d + k];
        EXPECT_NEAR(sum[j * d + k], expected, 1e-11) << j << " " << k;
      }
  }
}

}  // namespace
}  // namespace geodescent::testing
