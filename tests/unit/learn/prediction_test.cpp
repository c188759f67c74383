// Decisions, labels, probabilities and scores, against numbers one can work out by hand or in
// another way.
#include "geodescent/learn/prediction.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "base/parallel.hpp"
#include "support/problems.hpp"

namespace geodescent {
namespace {

LinearModel classifier(const std::string& loss = "logistic") {
  LinearModel model;
  model.risk.loss = loss;
  model.labels = BinaryLabels{2, 4, 1, 1};
  model.weights = {1, -2};
  return model;
}

LinearModel regression(const std::string& loss, double parameter = 0) {
  LinearModel model;
  model.risk.loss = loss;
  model.risk.loss_parameter = parameter;
  model.weights = {1};
  return model;
}

Vector decisions_of(const LinearModel& model, const std::vector<std::uint32_t>& indices, const Vector& values) {
  Vector decisions(model.outputs());
  decide(model, indices, values, decisions);
  return decisions;
}

double decision_of(const LinearModel& model, const std::vector<std::uint32_t>& indices, const Vector& values) {
  return decisions_of(model, indices, values)[0];
}

double target_of(const LinearModel& model, double decision) { return predicted_target(model, {&decision, 1}); }

Score score_of(const LinearModel& model, const std::vector<std::pair<double, double>>& targets_and_decisions) {
  Scorer scorer(model);
  for (const auto& [target, decision] : targets_and_decisions) scorer.add(target, {&decision, 1});
  return scorer.score();
}

TEST(Prediction, DecisionIgnoresUnknownFeatures) {
  const LinearModel model = classifier();
  Vector decision(1);
  const Ignored none = decide(model, std::vector<std::uint32_t>{0, 1}, Vector{3, 1}, decision);
  EXPECT_EQ(decision, Vector{1});
  EXPECT_EQ(none.entries, 0U);
  const Ignored some = decide(model, std::vector<std::uint32_t>{1, 2, 7}, Vector{1, 5, 5}, decision);
  EXPECT_EQ(decision, Vector{-2});
  EXPECT_EQ(some.entries, 2U);
  EXPECT_EQ(some.largest, 7U);
  EXPECT_EQ(decision_of(model, {}, {}), 0);
}

TEST(Prediction, InterceptIsAdded) {
  LinearModel model = classifier();
  model.bias_weights = {0.5};
  EXPECT_EQ(decision_of(model, {0}, {1}), 1) << "a model without bias has none";
  model.risk.bias = Bias::free;
  EXPECT_EQ(decision_of(model, {0}, {1}), 1.5);
  model.risk.bias = Bias::regularized;
  model.risk.constant = 4;
  EXPECT_EQ(decision_of(model, {}, {}), 2);
}

TEST(Prediction, OfAMatrixHasTheBitsOfItsRows) {
  testing::Random random(91);
  const int before = threads();
  for (const bool sparse : {false, true}) {
    const std::size_t columns = 12;
    Vector entries;
    for (std::size_t k = 0; k < 1500 * columns; ++k) entries.push_back(random.chance(0.4) ? random.normal() : 0);
    const auto matrix = testing::rows_of(entries, columns, sparse);
    for (const std::size_t features : {9u, 12u, 15u}) {  // unknown features are ignored, missing ones are 0
      LinearModel model = classifier();
      model.weights = random.normal_vector(features);
      model.risk.bias = Bias::free;
      model.bias_weights = {0.3};
      Vector expected, labels, positive;
      std::vector<std::uint32_t> indices;
      std::vector<double> values;
      for (std::size_t i = 0; i < matrix->rows(); ++i) {
        matrix->copy_row(i, indices, values);
        expected.push_back(decision_of(model, indices, values));
        labels.push_back(target_of(model, expected.back()));
        positive.push_back(probabilities(model, {&expected.back(), 1})[0]);
      }
      for (const int count : {1, 3}) {
        set_threads(count);
        EXPECT_EQ(predict(model, *matrix), expected);
        EXPECT_EQ(predict_labels(model, *matrix), labels);
        EXPECT_EQ(predict_probabilities(model, *matrix), positive);
      }
    }
  }
  set_threads(before);
}

TEST(Prediction, OfAMatrixWithItsConstantColumnCountsTheInterceptOnce) {
  LinearModel model = classifier();
  model.risk.bias = Bias::regularized;
  model.risk.constant = 2;
  model.bias_weights = {0.25};
  const DenseRows matrix(Vector{1, 0, 0, 1}, 2);
  EXPECT_EQ(predict(model, matrix), Vector({1.5, -1.5}));
  EXPECT_EQ(predict(model, *matrix.with_constant(2)), Vector({1.5, -1.5}));
}

TEST(Prediction, ProbabilitiesAreThoseOfThePositiveLabelWhateverTheOrderInTheFile) {
  LinearModel model = classifier();
  const DenseRows matrix(Vector{3, 1}, 2);
  const double first = predict_probabilities(model, matrix)[0];
  EXPECT_NEAR(first, 1 / (1 + std::exp(-1)), 1e-15);
  model.positive_first = false;
  EXPECT_NEAR(predict_probabilities(model, matrix)[0], first, 1e-15);
}

TEST(Prediction, OfAMatrixThrowsWhereThereAreNoLabelsOrProbabilities) {
  const DenseRows matrix(Vector{1, 2}, 1);
  EXPECT_EQ(predict(regression("squared"), matrix), Vector({1, 2}));
  EXPECT_THROW((void)predict_labels(regression("squared"), matrix), std::invalid_argument);
  EXPECT_THROW((void)predict_probabilities(classifier("squared-hinge"), matrix), std::invalid_argument);
}

TEST(Prediction, ZeroIsTheSecondLabelOfTheFile) {
  LinearModel model = classifier();
  EXPECT_EQ(target_of(model, 1), 4);
  EXPECT_EQ(target_of(model, 0), 2);
  EXPECT_EQ(target_of(model, -1), 2);
  model.positive_first = false;
  EXPECT_EQ(target_of(model, 1), 4);
  EXPECT_EQ(target_of(model, 0), 4);
  EXPECT_EQ(target_of(model, -0.0), 4);
  EXPECT_EQ(target_of(model, -1), 2);
  EXPECT_EQ(target_of(regression("squared"), -1.5), -1.5);
}

TEST(Prediction, Probabilities) {
  LinearModel model = classifier();
  const auto pair_of = [&](double decision) { return probabilities(model, {&decision, 1}); };
  EXPECT_TRUE(has_probabilities(model));
  EXPECT_FALSE(has_probabilities(classifier("smoothed-hinge")));
  EXPECT_FALSE(has_probabilities(regression("logistic")));
  EXPECT_EQ(labels_in_file_order(model), (Vector{4, 2}));
  EXPECT_EQ(pair_of(0), (Vector{0.5, 0.5}));
  EXPECT_DOUBLE_EQ(pair_of(std::log(3))[0], 0.75);
  EXPECT_EQ(pair_of(1e4), (Vector{1, 0}));
  EXPECT_EQ(pair_of(-1e4), (Vector{0, 1}));
  model.positive_first = false;
  EXPECT_EQ(labels_in_file_order(model), (Vector{2, 4}));
  EXPECT_DOUBLE_EQ(pair_of(std::log(3))[1], 0.75);
}

TEST(Scores, OfTwoClasses) {
  const Score s = score_of(classifier(), {{4, 1}, {4, 2}, {4, -1}, {2, -3}, {2, 0.5}, {7, 1}});
  EXPECT_EQ(s.rows, 6U);
  EXPECT_EQ(s.correct, 3U);
  EXPECT_EQ(s.unknown_labels, 1U);
  EXPECT_EQ(s.accuracy, 0.5);
  ASSERT_EQ(s.classes.size(), 2U);
  EXPECT_EQ(s.classes[0].label, 2);
  EXPECT_EQ(s.classes[1].label, 4);
  EXPECT_EQ(s.classes[1].rows, 3U);
  EXPECT_EQ(s.classes[1].predicted, 3U);
  EXPECT_EQ(s.classes[1].correct, 2U);
  EXPECT_EQ(s.classes[0].correct, 1U);
  EXPECT_EQ(s.confused, (std::vector<Confused>{{0, 1, 1}, {1, 0, 1}}));
  EXPECT_FALSE(s.top_accuracy);
  ASSERT_TRUE(s.auc);
  EXPECT_DOUBLE_EQ(s.auc->low, 5.0 / 6) << "only the pair of -1 and 0.5 is in the wrong order";
  double sum = 0;
  for (const double margin : {1.0, 2.0, -1.0, 3.0, -0.5}) sum += std::log(1 + std::exp(-margin));
  ASSERT_TRUE(s.log_loss);
  EXPECT_NEAR(*s.log_loss, sum / 5, 1e-15);
  EXPECT_EQ(s.mean_loss, s.log_loss);
  EXPECT_FALSE(s.mean_squared_error || s.r_squared);
}

TEST(Scores, LogLossStaysFinite) {
  EXPECT_DOUBLE_EQ(*score_of(classifier(), {{2, 1e6}}).log_loss, 1e6) << "no probability is rounded to 0";
}

TEST(Scores, OtherLossesHaveAMeanLossOnly) {
  const Score s = score_of(classifier("smoothed-hinge"), {{4, 0.5}, {2, 1}});
  EXPECT_FALSE(s.log_loss);
  ASSERT_TRUE(s.mean_loss);
  EXPECT_DOUBLE_EQ(*s.mean_loss, (0.125 + 1.5) / 2);
  EXPECT_FALSE(score_of(classifier(""), {{4, 0.5}}).mean_loss);
  EXPECT_FALSE(score_of(classifier("squared"), {{4, 0.5}}).mean_loss) << "not a loss for classes";
  EXPECT_FALSE(score_of(classifier(), {{5, 0.5}}).mean_loss) << "no row that can be judged";
}

TEST(Scores, OfARegression) {
  const Score s = score_of(regression("huber", 1), {{1, 2}, {2, 2}, {3, 0}});
  EXPECT_DOUBLE_EQ(*s.mean_squared_error, 10.0 / 3);
  EXPECT_DOUBLE_EQ(*s.mean_absolute_error, 4.0 / 3);
  EXPECT_DOUBLE_EQ(*s.r_squared, 1 - 10.0 / 2);
  EXPECT_DOUBLE_EQ(*s.mean_loss, (0.5 + 0 + 2.5) / 3);
  EXPECT_FALSE(s.accuracy || s.auc || s.log_loss);
  EXPECT_FALSE(score_of(regression("huber"), {{1, 2}}).mean_loss) << "without its parameter it is unknown";
  EXPECT_FALSE(score_of(regression("squared"), {{1, 2}, {1, 3}}).r_squared) << "all targets are equal";
}

TEST(Scores, RSquaredSurvivesALargeMean) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<std::pair<double, double>> near;
  std::vector<std::pair<double, double>> far;
  for (int k = 0; k < 1000; ++k) {
    const double target = std::round(1024 * normal(random)) / 1024;
    const double error = std::round(128 * normal(random)) / 1024;
    near.emplace_back(target, target + error);
    far.emplace_back(target + 1e9, target + error + 1e9);  // without rounding
  }
  const Score a = score_of(regression("squared"), near);
  const Score b = score_of(regression("squared"), far);
  EXPECT_NEAR(*a.r_squared, *b.r_squared, 1e-6);
  EXPECT_EQ(*a.mean_squared_error, *b.mean_squared_error);
}

TEST(Scores, IgnoredEntriesAreCounted) {
  Scorer scorer(classifier());
  const Vector decision{1};
  scorer.add(4, decision, {.entries = 2, .largest = 9});
  scorer.add(4, decision);
  scorer.add(4, decision, {.entries = 1, .largest = 5});
  const Score s = scorer.score();
  EXPECT_EQ(s.ignored_entries, 3U);
  EXPECT_EQ(s.rows_with_ignored, 2U);
  EXPECT_EQ(s.largest_ignored, 9U);
}

TEST(CompensatedSum, KeepsWhatAPlainSumLoses) {
  CompensatedSum sum;
  for (const double term : {1.0, 1e100, 1.0, -1e100}) sum.add(term);
  EXPECT_EQ(sum.value(), 2);
  sum.add(std::numeric_limits<double>::infinity());
  EXPECT_EQ(sum.value(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace geodescent
