// Leaving out empty columns and filling them in again.
#include "matrix/used_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geodescent/threads.hpp"
#include "support/random.hpp"

namespace geodescent {
namespace {

/// Rows with entries in every `step`-th column only.
SparseRows rows_in(std::size_t columns, std::size_t step, std::size_t rows, std::size_t entries) {
  testing::Random random(17);
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  const std::size_t used = (columns + step - 1) / step, stride = used / entries;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < entries; ++k) {
      indices.push_back(static_cast<std::uint32_t>(step * (k * stride + random.below(stride))));
      values.push_back(0.1 + random.uniform());
    }
    offsets.push_back(indices.size());
  }
  return {std::move(offsets), std::move(indices), std::move(values), columns};
}

/// The products of both matrices agree to the bit, which have their entries in the same order.
void expect_reduced(const RowMatrix& matrix) {
  const auto used = UsedColumns::of(matrix);
  ASSERT_TRUE(used);
  const auto reduced = used->reduced(matrix);
  ASSERT_EQ(reduced->columns(), used->count());
  EXPECT_LT(used->count(), matrix.columns());
  EXPECT_EQ(reduced->nonzeros(), matrix.nonzeros());

  Vector x(used->count());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = std::sin(static_cast<double>(j));
  const Vector all = used->expanded(x);
  ASSERT_EQ(all.size(), matrix.columns());
  EXPECT_EQ(used->reduced(all), x);
  Vector image(matrix.rows()), image_of_all(matrix.rows());
  reduced->forward(0, matrix.rows(), x, image);
  matrix.forward(0, matrix.rows(), all, image_of_all);
  EXPECT_EQ(image, image_of_all);

  Vector sum(used->count()), sum_of_all(matrix.columns());
  reduced->backward(0, matrix.rows(), image, sum);
  matrix.backward(0, matrix.rows(), image, sum_of_all);
  EXPECT_EQ(used->expanded(sum), sum_of_all) << "an empty column has the sum 0";
}

TEST(UsedColumns, KeepEveryProduct) {
  const int before = threads();
  for (const int count : {1, 3}) {
    set_threads(count);
    expect_reduced(rows_in(1000, 7, 50, 9));
    expect_reduced(rows_in(1'000'000, 10, 1000, 200));  // more than 2^16 are used, and several threads mark them
    expect_reduced(*in_best_form(rows_in(60'000, 3, 100, 20)));
    expect_reduced(*rows_in(1000, 7, 50, 9).with_constant(-2));
  }
  set_threads(before);
}

TEST(UsedColumns, TakeTheFirstAndTheLastColumn) {
  const SparseRows rows({0, 2, 2, 3}, {0, 127, 127}, {1, 2, 3}, 128);
  expect_reduced(rows);
  EXPECT_EQ(UsedColumns::of(rows)->count(), 2);
  const SparseRows none({0, 0, 0}, {}, {}, 5);
  EXPECT_EQ(UsedColumns::of(none)->expanded({}), Vector(5));
}

TEST(UsedColumns, AreAbsentWhereTheyWouldNotPay) {
  EXPECT_FALSE(UsedColumns::of(rows_in(1000, 1, 900, 4))) << "most columns are used";
  EXPECT_FALSE(UsedColumns::of(rows_in(1000, 7, 1000, 9))) << "many entries per column";
  EXPECT_FALSE(UsedColumns::of(DenseRows(Vector(100), 10))) << "dense";
}

}  // namespace
}  // namespace geodescent
