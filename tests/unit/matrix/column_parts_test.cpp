// Backward products by parts of the columns against those of one thread.
#include "matrix/column_parts.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "geodescent/threads.hpp"

namespace geodescent {
namespace {

/// The columns of entries are squares: most are small, as in a vocabulary. Some rows are empty.
SparseArrays text(std::size_t rows, std::size_t columns, std::uint32_t entries) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  const auto step = static_cast<std::uint32_t>(columns / (std::size_t{entries} * entries));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::uint32_t k = 0; k < (i % 7 == 3 ? 0 : entries); ++k)
      indices.push_back(step * k * k + static_cast<std::uint32_t>(i) % step);
    offsets.push_back(indices.size());
  }
  std::vector<float> values(indices.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = 1 / static_cast<float>(1 + k % 1013);
  return {SharedArray(std::move(offsets)), SharedArray(std::move(indices)), SharedArray(std::move(values)), columns};
}

TEST(ColumnParts, HaveTheBitsOfOneThread) {
  const int before = threads();
  for (const double constant : {0.0, 0.5}) {
    SparseArrays arrays = text(6200, 200'000, 200);
    arrays.constant = constant;
    const auto matrix = std::make_shared<const SparseRows>(arrays);
    Vector weights;
    for (std::size_t i = 0; i < matrix->rows(); ++i) weights.push_back(std::sin(static_cast<double>(i)));
    Vector expected(matrix->columns());
    matrix->backward(0, matrix->rows(), weights, expected);
    for (const int count : {1, 3, 20}) {
      set_threads(count);
      const auto parts = ColumnParts::of(matrix);
      ASSERT_NE(parts, nullptr);
      EXPECT_EQ(parts->bytes(), ColumnParts::planned_bytes(*matrix));
      Vector sum(matrix->columns(), 99);
      parts->backward(weights, sum);
      EXPECT_EQ(sum, expected) << count << " threads, constant " << constant;
    }
  }
  set_threads(before);
}

TEST(ColumnParts, HaveTheBitsOfOneThreadWithSeveralVectors) {
  const int before = threads();
  SparseArrays arrays = text(6200, 200'000, 200);
  arrays.constant = 0.5;
  const auto matrix = std::make_shared<const SparseRows>(arrays);
  constexpr std::size_t outputs = 3;
  Vector weights(outputs * matrix->rows());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = std::sin(static_cast<double>(i));
  Vector expected(outputs * matrix->columns());
  matrix->multi_backward(0, matrix->rows(), outputs, weights, expected);
  for (const int count : {1, 3}) {
    set_threads(count);
    Vector sum(expected.size(), 99);
    ColumnParts::of(matrix)->backward(weights, sum, outputs);
    EXPECT_EQ(sum, expected) << count << " threads";
  }
  set_threads(before);
}

TEST(ColumnParts, AreForManyColumnsAndManySparseEntries) {
  EXPECT_EQ(ColumnParts::of(std::make_shared<SparseRows>(text(100, 200'000, 200))), nullptr) << "few entries";
  EXPECT_EQ(ColumnParts::of(std::make_shared<SparseRows>(text(16'000, 6400, 80))), nullptr) << "few columns";
  EXPECT_EQ(ColumnParts::of(std::make_shared<DenseRows>(Vector(1 << 21), 1 << 15)), nullptr) << "dense";
  EXPECT_EQ(ColumnParts::planned_bytes(SparseRows(text(100, 200'000, 200))), 0);
}

}  // namespace
}  // namespace geodescent
