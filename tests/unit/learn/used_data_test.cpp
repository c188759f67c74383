// Training without the columns that have no entries is training on a matrix that never had them.
#include "learn/train/used_data.hpp"

#include <gtest/gtest.h>

#include "geodescent/learn/path.hpp"
#include "geodescent/learn/train.hpp"
#include "geodescent/threads.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

constexpr std::size_t spread = 7;

/// The same rows with column j at 2 + 7 j, and empty columns around it.
Dataset with_empty_columns(const Dataset& data) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices, row_indices;
  std::vector<double> values, row_values;
  for (std::size_t i = 0; i < data.rows->rows(); ++i) {
    data.rows->copy_row(i, row_indices, row_values);
    for (const std::uint32_t j : row_indices) indices.push_back(static_cast<std::uint32_t>(2 + spread * j));
    values.insert(values.end(), row_values.begin(), row_values.end());
    offsets.push_back(values.size());
  }
  Dataset spread_out = data;
  spread_out.rows = std::make_shared<SparseRows>(std::move(offsets), std::move(indices), std::move(values),
                                                 spread * data.rows->columns() + 5);
  return spread_out;
}

Vector spread_out(const Vector& weights) {
  Vector all(spread * weights.size() + 5);
  for (std::size_t j = 0; j < weights.size(); ++j) all[2 + spread * j] = weights[j];
  return all;
}

/// Fewer and more columns than rows, none of them empty, without and with weights.
std::vector<Dataset> narrow_data(Task task) {
  Random random(61);
  std::vector<Dataset> all;
  for (const bool weighted : {false, true}) {
    all.push_back(random_data(random, task, {.rows = 60, .columns = 150, .density = 0.15, .weighted = weighted}).data);
    all.push_back(random_data(random, task, {.rows = 100, .columns = 40, .density = 0.1, .weighted = weighted}).data);
  }
  return all;
}

void expect_same(const TrainResult& narrow, const TrainResult& wide, const Dataset& data) {
  EXPECT_EQ(wide.run.status, Status::converged) << wide.run.message;
  EXPECT_EQ(wide.model.weights, spread_out(narrow.model.weights));
  EXPECT_EQ(wide.run.x.size(), data.rows->columns() + (wide.model.risk.bias == Bias::regularized ? 1 : 0));
  EXPECT_EQ(wide.model.bias_weights, narrow.model.bias_weights);
  EXPECT_EQ(wide.certificate->features, data.rows->columns());
  EXPECT_EQ(wide.certificate->dual.steps, narrow.certificate->dual.steps);
  EXPECT_NEAR(wide.certificate->lower_bound, narrow.certificate->lower_bound, 1e-15);
  const Verification checked = verify(data, wide.model, *wide.certificate);
  EXPECT_TRUE(checked.holds) << checked.reason;
}

TEST(UsedData, HasTheModelOfTheDataWithoutEmptyColumns) {
  const int before = threads();
  for (const std::string loss : {"logistic", "squared"})
    for (const Dataset& narrow : narrow_data(loss_named(loss).task))
      for (const Bias bias : {Bias::none, Bias::free, Bias::regularized}) {
        SCOPED_TRACE(loss + " " + std::string(to_string(bias)));
        const Dataset wide = with_empty_columns(narrow);
        ASSERT_NE(&UsedData(wide).data(), &wide) << "or nothing is left out";
        const Risk risk{.loss = loss, .l2 = 1e-3, .bias = bias};
        set_threads(1);
        const TrainResult expected = train(narrow, risk);
        for (const int count : {1, 2, 4}) {
          set_threads(count);
          expect_same(expected, train(wide, risk), wide);
        }
      }
  set_threads(before);
}

// Its coefficients of empty columns are no better start than 0.
TEST(UsedData, StartsFromTheOtherCoefficientsOfAModel) {
  const Dataset narrow = narrow_data(Task::classification).front(), wide = with_empty_columns(narrow);
  const Risk risk{.loss = "logistic", .l2 = 1e-3, .bias = Bias::free};
  LinearModel start = train(narrow, risk).model, start_of_wide = start;
  start_of_wide.weights = spread_out(start.weights);
  start_of_wide.weights.front() = start_of_wide.weights.back() = 3;
  Risk weaker = risk;
  weaker.l2 = 1e-4;
  expect_same(train(narrow, weaker, {.initial = &start}), train(wide, weaker, {.initial = &start_of_wide}), wide);
}

TEST(UsedData, IsTheDataWhereMostColumnsAreUsed) {
  const Dataset data = narrow_data(Task::classification).back();
  EXPECT_EQ(&UsedData(data).data(), &data);
}

}  // namespace
}  // namespace geodescent::testing
