// Rows read in batches are those that copy_row gives, in every form of storage.
#include "certificate/rows/row_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/random.hpp"

namespace geodescent {
namespace {

void expect_same_rows(const RowMatrix& matrix, const std::string& form) {
  proof::RowBatch batch(matrix);
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  std::size_t next = 0;
  while (next < matrix.rows()) {
    batch.read(next, matrix.rows());
    ASSERT_EQ(batch.begin(), next) << form;
    ASSERT_GT(batch.end(), next) << form;
    std::size_t entries = 0;
    for (; next < batch.end(); ++next) {
      matrix.copy_row(next, indices, values);
      EXPECT_TRUE(std::ranges::equal(batch.indices(next), indices)) << form << ", row " << next;
      EXPECT_TRUE(std::ranges::equal(batch.values(next), values)) << form << ", row " << next;
      entries += indices.size();
    }
    EXPECT_EQ(batch.entries(), entries) << form;
  }
  EXPECT_EQ(next, matrix.rows()) << form;
}

/// Rows of all lengths, one longer than any batch, and zeros that are stored.
SparseRows random_rows(std::size_t columns, const std::vector<double>& choice) {
  testing::Random random(3);
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t i = 0; i < 600; ++i) {
    const std::size_t gap = i == 300 ? 1 : 1 + random.below(columns);
    for (std::size_t j = random.below(gap); j < columns; j += gap) {
      indices.push_back(static_cast<std::uint32_t>(j));
      values.push_back(choice[random.below(choice.size())]);
    }
    offsets.push_back(indices.size());
  }
  return {offsets, indices, values, columns};
}

TEST(RowBatch, EveryFormGivesTheRows) {
  for (const std::size_t columns : std::vector<std::size_t>{3, 5000, 70000}) {
    const std::string size = std::to_string(columns) + " columns";
    expect_same_rows(random_rows(columns, {0, 1, -2.5, 0.1}), "doubles, " + size);
    expect_same_rows(*in_best_form(random_rows(columns, {0, 1, -2.5, 0.1})), "doubles in their best form, " + size);
    expect_same_rows(*in_best_form(random_rows(columns, {0, 1, -2.5})), "floats, " + size);
    expect_same_rows(*in_best_form(random_rows(columns, {0.5})), "one value, " + size);
    expect_same_rows(*in_best_form(random_rows(columns, {0})), "zeros, " + size);
  }
  Vector entries(40 * 3000);
  testing::Random random(4);
  for (double& entry : entries) entry = static_cast<double>(random.below(3));
  expect_same_rows(DenseRows(entries, 3000), "dense doubles");
  expect_same_rows(DenseRows(entries, 30), "short dense doubles");
  expect_same_rows(DenseRows(DenseArray(SharedArray(std::vector<float>(entries.begin(), entries.end()))), 30),
                   "dense floats");
}

TEST(RowBatch, StopsWhereItShall) {
  const SparseRows matrix = random_rows(10, {1});
  proof::RowBatch batch(matrix);
  batch.read(20, 23);
  EXPECT_EQ(batch.begin(), 20);
  EXPECT_EQ(batch.end(), 23);
}

}  // namespace
}  // namespace geodescent
