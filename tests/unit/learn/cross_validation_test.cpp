// Folds, parts of data sets, and cross-validation against doing it by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "geodescent/error.hpp"
#include "geodescent/learn/cross_validation.hpp"
#include "geodescent/learn/path.hpp"
#include "geodescent/learn/prediction.hpp"
#include "geodescent/threads.hpp"
#include "support/certificate_problems.hpp"

namespace geodescent::testing {
namespace {

/// Noisy classes (or values) of a linear rule; about a third of the rows is positive.
Dataset sample(std::size_t rows, bool classes, bool weighted, double constant = 0) {
  Random random(rows + (classes ? 1 : 0));
  const std::size_t features = 6;
  const Vector rule = random.normal_vector(features);
  std::vector<Vector> entries;
  Vector targets, weights;
  for (std::size_t i = 0; i < rows; ++i) {
    entries.push_back(random.normal_vector(features));
    double value = 2 * random.normal() - 1;
    for (std::size_t j = 0; j < features; ++j) value += rule[j] * entries[i][j];
    targets.push_back(classes ? (value > 0 ? 1 : -1) : value);
    if (weighted) weights.push_back(random.log_uniform(0.2, 5));
    if (constant != 0) entries.back().push_back(constant);
  }
  Dataset data = dataset_of(entries, targets, weights);
  data.constant = constant;
  return data;
}

std::vector<std::size_t> fold_sizes(const std::vector<std::size_t>& fold_of, std::size_t folds, const Dataset& data,
                                    const std::function<bool(double)>& counts) {
  std::vector<std::size_t> result(folds);
  for (std::size_t i = 0; i < fold_of.size(); ++i)
    if (counts(data.targets[i])) ++result.at(fold_of[i]);
  return result;
}

void expect_even(const std::vector<std::size_t>& sizes) {
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  EXPECT_LE(*most - *least, 1u) << ::testing::PrintToString(sizes);
}

TEST(Folds, AreEvenInAllAndInEachClass) {
  for (const std::size_t rows : {10u, 11u, 53u, 100u}) {
    const Dataset data = sample(rows, true, false);
    for (const std::size_t folds : {2u, 3u, 5u, 10u}) {
      SCOPED_TRACE(::testing::Message() << rows << " rows, " << folds << " folds");
      const auto fold_of = fold_of_rows(data, Task::classification, folds, 7);
      ASSERT_EQ(fold_of.size(), rows);
      expect_even(fold_sizes(fold_of, folds, data, [](double) { return true; }));
      expect_even(fold_sizes(fold_of, folds, data, [](double target) { return target > 0; }));
      expect_even(fold_sizes(fold_of, folds, data, [](double target) { return target < 0; }));
    }
  }
}

TEST(Folds, OfARegressionAreEven) {
  const Dataset data = sample(17, false, false);
  expect_even(fold_sizes(fold_of_rows(data, Task::regression, 5, 1), 5, data, [](double) { return true; }));
}

TEST(Folds, DependOnTheSeedAlone) {
  const Dataset data = sample(60, true, false);
  const int before = threads();
  const auto first = fold_of_rows(data, Task::classification, 4, 1);
  for (const int count : {1, 2, 5}) {
    set_threads(count);
    EXPECT_EQ(fold_of_rows(data, Task::classification, 4, 1), first);
  }
  set_threads(before);
  EXPECT_NE(fold_of_rows(data, Task::classification, 4, 2), first);
}

TEST(Folds, AreTheSameOnEveryMachine) {
  const Dataset data = dataset_of(std::vector<Vector>(8, Vector{1}), {1, 1, -1, -1, 1, -1, -1, -1});
  EXPECT_EQ(fold_of_rows(data, Task::classification, 3, 1), (std::vector<std::size_t>{2, 1, 1, 2, 0, 0, 1, 0}));
}

TEST(Folds, NeedRows) {
  const Dataset data = sample(4, false, false);
  EXPECT_THROW((void)fold_of_rows(data, Task::regression, 1, 1), std::invalid_argument);
  try {
    (void)fold_of_rows(data, Task::regression, 5, 1);
    FAIL() << "five folds of four rows";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("at most 4"), std::string::npos) << error.what();
  }
}

TEST(RowsOf, KeepsAllThatARowIs) {
  Dataset data = dataset_of({{1, 0, 0}, {0, 2, 0}, {0, 0, 0}, {3, 0, 0}}, {1, 2, 3, 4}, {1, 2, 3, 4});
  data.zero_based = true;
  const std::vector<std::size_t> which{3, 1};
  const Dataset part = rows_of(data, which);
  EXPECT_EQ(part.name, data.name);
  EXPECT_EQ(part.targets, (Vector{4, 2}));
  EXPECT_EQ(part.weights, (Vector{4, 2}));
  EXPECT_TRUE(part.zero_based);
  EXPECT_EQ(part.nonzeros, 2u);
  EXPECT_EQ(part.rows->columns(), 3u);
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  part.rows->copy_row(0, indices, values);
  EXPECT_EQ(indices, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(values, (Vector{3}));
  EXPECT_TRUE(rows_of(sample(5, false, false), which).weights.empty());
}

TEST(RowsOf, TakesTheBestForm) {
  const Dataset full = sample(10, false, false), thin = dataset_of({{1, 0, 0}, {0, 2, 0}, {0, 0, 0}}, {1, 2, 3});
  const std::vector<std::size_t> which{0, 2};
  EXPECT_NE(dynamic_cast<const DenseRows*>(rows_of(full, which).rows.get()), nullptr);
  EXPECT_NE(dynamic_cast<const SparseRows*>(rows_of(thin, which).rows.get()), nullptr);
}

TEST(PathValues, GoDownEvenly) {
  const Vector values = path_values(1e-4, 1, 5);
  ASSERT_EQ(values.size(), 5u);
  EXPECT_EQ(values.front(), 1);
  EXPECT_EQ(values.back(), 1e-4);
  for (std::size_t k = 1; k < 5; ++k) EXPECT_NEAR(values[k] / values[k - 1], 0.1, 1e-12);
  EXPECT_THROW((void)path_values(1, 0.1, 3), std::invalid_argument);
  EXPECT_THROW((void)path_values(0, 1, 3), std::invalid_argument);
  EXPECT_THROW((void)path_values(0.1, 1, 1), std::invalid_argument);
}

/// The same by hand, row by row, from cold starts.
HeldOut by_hand(const Dataset& data, Risk risk, double l2, std::size_t folds, std::uint64_t seed, Task task,
                const TrainOptions& options) {
  risk.l2 = l2;
  const auto fold_of = fold_of_rows(data, task, folds, seed);
  Vector losses(folds), weights(folds);
  double hits = 0, squares = 0;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < fold_of.size(); ++i)
      if (fold_of[i] != fold) rest.push_back(i);
    const LinearModel model = train(rows_of(data, rest), risk, options).model;
    const LossFunction loss = loss_of(model);
    for (std::size_t i = 0; i < fold_of.size(); ++i) {
      if (fold_of[i] != fold) continue;
      std::vector<std::uint32_t> indices;
      std::vector<double> values;
      data.rows->copy_row(i, indices, values);
      if (risk.bias == Bias::regularized) indices.pop_back(), values.pop_back();
      const double y = data.targets[i];
      Vector z(1);
      decide(model, indices, values, z);
      const double weight = data.weights.empty() ? 1 : data.weights[i];
      weights[fold] += weight;
      losses[fold] += weight * loss(z, y);
      hits += weight * (predicted_target(model, z) == y ? 1 : 0);
      squares += weight * (z[0] - y) * (z[0] - y);
    }
  }
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  HeldOut result{.l2 = l2, .loss = std::accumulate(losses.begin(), losses.end(), 0.0) / all};
  double spread = 0;
  for (std::size_t fold = 0; fold < folds; ++fold)
    spread += weights[fold] / all * std::pow(losses[fold] / weights[fold] - result.loss, 2);
  result.standard_error = std::sqrt(spread / static_cast<double>(folds - 1));
  if (task == Task::classification) result.accuracy = hits / all;
  if (task == Task::regression) result.mean_squared_error = squares / all;
  return result;
}

struct Case {
  std::string loss;
  Bias bias;
  bool weighted;
};

TEST(CrossValidate, IsWhatTrainingByHandGives) {
  TrainOptions options;
  options.minimize.gap_tolerance = 1e-10;
  const Vector l2 = path_values(1e-3, 1, 4);
  for (const Case& c : std::vector<Case>{{"logistic", Bias::free, false},
                                         {"logistic", Bias::regularized, true},
                                         {"squared-hinge", Bias::none, true},
                                         {"squared", Bias::free, true},
                                         {"huber", Bias::regularized, false}}) {
    SCOPED_TRACE(c.loss);
    const Task task = c.loss == "squared" || c.loss == "huber" ? Task::regression : Task::classification;
    Risk risk{.loss = c.loss, .loss_parameter = c.loss == "huber" ? 0.7 : 0, .bias = c.bias};
    const Dataset data = sample(90, task == Task::classification, c.weighted, c.bias == Bias::regularized ? 1 : 0);
    const CrossValidation found = cross_validate(data, risk, l2, 3, 5, options);
    ASSERT_EQ(found.values.size(), l2.size());
    EXPECT_EQ(found.folds, 3u);
    EXPECT_EQ(found.seed, 5u);
    for (std::size_t k = 0; k < l2.size(); ++k) {
      const HeldOut expected = by_hand(data, risk, l2[k], 3, 5, task, options);
      const HeldOut& v = found.values[k];
      EXPECT_EQ(v.l2, l2[k]);
      EXPECT_NEAR(v.loss, expected.loss, 1e-4 * expected.loss);
      EXPECT_NEAR(v.standard_error, expected.standard_error, 1e-3 * expected.loss);
      EXPECT_LE(v.relative_gap, 1e-10);
      ASSERT_EQ(v.accuracy.has_value(), task == Task::classification);
      ASSERT_EQ(v.mean_squared_error.has_value(), task == Task::regression);
      if (v.accuracy) {
        EXPECT_NEAR(*v.accuracy, *expected.accuracy, 1e-12);
      }
      if (v.mean_squared_error) {
        EXPECT_NEAR(*v.mean_squared_error, *expected.mean_squared_error, 1e-4 * *expected.mean_squared_error);
      }
    }
  }
}

TEST(CrossValidate, TakesFoldsOfTheCaller) {
  const Dataset data = sample(60, true, true, 0);
  const Risk risk{.loss = "logistic", .bias = Bias::free};
  const Vector l2 = path_values(1e-2, 1, 2);
  std::vector<std::size_t> fold_of = fold_of_rows(data, Task::classification, 3, 5);
  const CrossValidation drawn = cross_validate(data, risk, l2, 3, 5), given = cross_validate(data, risk, l2, fold_of);
  EXPECT_EQ(given.folds, 3u);
  EXPECT_EQ(given.chosen, drawn.chosen);
  for (std::size_t k = 0; k < l2.size(); ++k) EXPECT_EQ(given.values[k].loss, drawn.values[k].loss);

  const auto refuses = [&](const std::vector<std::size_t>& folds) {
    EXPECT_THROW((void)cross_validate(data, risk, l2, folds), std::invalid_argument);
  };
  refuses(std::vector<std::size_t>(60));     // one fold
  refuses(std::vector<std::size_t>(59, 1));  // a row without a fold
  fold_of[0] = 4;                            // no row is in fold 3
  refuses(fold_of);
  fold_of[0] = 60;  // more folds than rows
  refuses(fold_of);
}

TEST(CrossValidate, ChoosesTheSmallestLossAndTheLargestL2NearIt) {
  const Dataset data = sample(120, true, false);
  const Vector l2 = path_values(1e-5, 10, 13);
  const CrossValidation found = cross_validate(data, {.loss = "logistic", .bias = Bias::free}, l2, 5, 1);
  const HeldOut& best = found.values.at(found.chosen);
  const HeldOut& simple = found.values.at(found.one_standard_error);
  EXPECT_GE(simple.l2, best.l2);
  EXPECT_LE(simple.loss, best.loss + best.standard_error);
  for (const HeldOut& v : found.values) {
    EXPECT_GE(v.loss, best.loss);
    if (v.l2 > simple.l2) {
      EXPECT_GT(v.loss, best.loss + best.standard_error);
    }
  }
}

TEST(CrossValidate, OfEqualLossesTakesTheLargestL2) {
  // Features that say nothing: all weights are 0, whatever the l2.
  const Dataset data = dataset_of(std::vector<Vector>(8, Vector{0, 0}), {1, 1, 1, 1, -1, -1, -1, -1});
  const Vector l2{0.1, 10, 1};
  const CrossValidation found = cross_validate(data, {.loss = "logistic", .bias = Bias::none}, l2, 2, 1);
  EXPECT_EQ(found.chosen, 1u);
  EXPECT_EQ(found.one_standard_error, 1u);
  EXPECT_NEAR(found.values[0].loss, std::log(2), 1e-12);
}

TEST(CrossValidate, AnyNumberOfThreadsGivesTheSameBits) {
  const Dataset data = sample(5000, true, true);
  const Vector l2 = path_values(1e-3, 1, 3);
  const int before = threads();
  std::vector<CrossValidation> found;
  for (const int count : {1, 3}) {
    set_threads(count);
    found.push_back(cross_validate(data, {.loss = "logistic", .bias = Bias::free}, l2, 3, 1));
  }
  set_threads(before);
  for (std::size_t k = 0; k < l2.size(); ++k) {
    EXPECT_EQ(found[0].values[k].loss, found[1].values[k].loss);
    EXPECT_EQ(found[0].values[k].standard_error, found[1].values[k].standard_error);
    EXPECT_EQ(found[0].values[k].accuracy, found[1].values[k].accuracy);
  }
}

TEST(CrossValidate, TellsWhereItIsAndEndsByAnException) {
  const Dataset data = sample(40, true, false);
  const Vector l2{1, 0.1};
  std::set<std::pair<std::size_t, std::size_t>> seen;
  const Risk risk{.loss = "logistic", .bias = Bias::free};
  (void)cross_validate(data, risk, l2, 3, 1, {}, [&](const FoldProgress& at) { seen.insert({at.fold, at.value}); });
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_EQ(*seen.rbegin(), (std::pair<std::size_t, std::size_t>{2, 1}));
  struct Stop {};
  EXPECT_THROW((void)cross_validate(data, risk, l2, 3, 1, {}, [](const FoldProgress&) { throw Stop{}; }), Stop);
}

TEST(CrossValidate, RefusesWhatItCannotDo) {
  const Vector l2{1};
  const Dataset lonely = dataset_of(std::vector<Vector>(4, Vector{1}), {1, -1, -1, -1});
  try {
    (void)cross_validate(lonely, {.loss = "logistic", .bias = Bias::free}, l2, 3, 1);
    FAIL() << "the only positive row is held out once";
  } catch (const InputError& error) {
    const std::string said = error.what();
    for (const char* part : {"fold 1", "label 1", "add rows"}) EXPECT_NE(said.find(part), std::string::npos) << said;
  }
  const Dataset data = sample(20, true, false);
  EXPECT_THROW((void)cross_validate(data, {.loss = "logistic"}, {}, 3, 1), std::invalid_argument);
  EXPECT_THROW((void)cross_validate(data, {.loss = "hinge"}, l2, 3, 1), std::invalid_argument);
  EXPECT_THROW((void)cross_validate(data, {.loss = "logistic"}, l2, 1, 1), std::invalid_argument);
  EXPECT_THROW((void)cross_validate(data, {.loss = "logistic"}, l2, 21, 1), InputError);
}

}  // namespace
}  // namespace geodescent::testing
