// Predictions and scores of several classes, against formulas in another form.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "geodescent/learn/prediction.hpp"
#include "geodescent/threads.hpp"
#include "support/problems.hpp"

namespace geodescent {
namespace {

/// Labels 2, 5 and 7; the file has them in the order 5, 7, 2.
LinearModel three_class_model(const std::string& loss = "logistic") {
  LinearModel model;
  model.risk.loss = loss;
  model.classes = {{2, 1}, {5, 1}, {7, 1}};
  model.file_order = {1, 2, 0};
  model.weights = {1, 0, -1,  // of feature 0
                   0, 2, 1};
  return model;
}

double log_of_sum(const Vector& z) {
  double sum = 0;
  for (const double x : z) sum += std::exp(x);
  return std::log(sum);
}

TEST(PredictionOfClasses, HasADecisionForEachColumn) {
  LinearModel model = three_class_model();
  model.risk.bias = Bias::regularized;
  model.risk.constant = 2;
  model.bias_weights = {0.5, 0, -0.5};
  Vector decisions(3);
  const Ignored ignored = decide(model, std::vector<std::uint32_t>{0, 1, 2}, Vector{3, 10, 1}, decisions);
  EXPECT_EQ(decisions, Vector({4, 20, 6}));
  EXPECT_EQ(ignored.entries, 1U) << "there are two features, not six";
  EXPECT_EQ(ignored.largest, 2U);
}

TEST(PredictionOfClasses, OfAMatrixHasTheBitsOfItsRows) {
  testing::Random random(92);
  const std::size_t columns = 7, rows = 900;
  Vector entries;
  for (std::size_t e = 0; e < rows * columns; ++e) entries.push_back(random.chance(0.4) ? random.normal() : 0);
  const auto matrix = testing::rows_of(entries, columns, true);
  const int before = threads();
  for (const char* loss : {"logistic", "softmax"}) {
    LinearModel model = three_class_model(loss);
    model.weights = random.normal_vector(6 * 3);  // fewer features than the matrix
    model.risk.bias = Bias::free;
    model.bias_weights = {0.25, 0.5, -1};
    Vector all, labels, by_label;
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    Vector decisions(3);
    for (std::size_t i = 0; i < rows; ++i) {
      matrix->copy_row(i, indices, values);
      decide(model, indices, values, decisions);
      all.insert(all.end(), decisions.begin(), decisions.end());
      labels.push_back(predicted_target(model, decisions));
      const Vector p = probabilities(model, decisions);  // of 5, 7, 2
      by_label.insert(by_label.end(), {p[2], p[0], p[1]});
      EXPECT_NEAR(p[0] + p[1] + p[2], 1, 1e-15);
    }
    for (const int count : {1, 3}) {
      set_threads(count);
      EXPECT_EQ(predict(model, *matrix), all);
      EXPECT_EQ(predict_labels(model, *matrix), labels);
      EXPECT_EQ(predict_probabilities(model, *matrix), by_label);
    }
  }
  set_threads(before);
}

TEST(PredictionOfClasses, TheFirstOfEqualOnesInTheFileWins) {
  LinearModel model = three_class_model();
  EXPECT_EQ(labels_in_file_order(model), Vector({5, 7, 2}));
  EXPECT_EQ(predicted_target(model, Vector{1, 1, 1}), 5);
  EXPECT_EQ(predicted_target(model, Vector{1, 0, 1}), 7);
  EXPECT_EQ(predicted_target(model, Vector{1, 0, 0}), 2);
  EXPECT_EQ(best_labels(model, Vector{1, 0, 1}, 3), (std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(best_labels(model, Vector{0, 0, 0}, 2), (std::vector<std::size_t>{0, 1}));
  model.file_order.clear();
  EXPECT_EQ(predicted_target(model, Vector{1, 1, 1}), 2);
  const double nan = std::nan("");
  EXPECT_EQ(predicted_target(model, Vector{nan, -1, nan}), 5) << "what is no number never wins";
  EXPECT_EQ(best_labels(model, Vector{nan, -1, nan}, 1), std::vector<std::size_t>{1});
}

TEST(PredictionOfClasses, BestLabelsOfTwoClasses) {
  LinearModel model;
  model.labels = BinaryLabels{2, 4, 1, 1};
  const auto best = [&](double decision) { return best_labels(model, {&decision, 1}, 2); };
  EXPECT_EQ(best(1), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(best(0), (std::vector<std::size_t>{1, 0})) << "exactly 0 is the second label";
  model.positive_first = false;
  EXPECT_EQ(best(1), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(best(0), (std::vector<std::size_t>{1, 0}));
}

TEST(PredictionOfClasses, ProbabilitiesAreNormalised) {
  const Vector decisions{0.5, -1, 2};
  const Vector joint = probabilities(three_class_model("softmax"), decisions);
  const Vector rest = probabilities(three_class_model(), decisions);
  const auto sigmoid = [](double z) { return 1 / (1 + std::exp(-z)); };
  const double sum = sigmoid(0.5) + sigmoid(-1) + sigmoid(2);
  const std::size_t place_of[] = {2, 0, 1};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(joint[place_of[k]], std::exp(decisions[k] - log_of_sum(decisions)), 1e-15);
    EXPECT_NEAR(rest[place_of[k]], sigmoid(decisions[k]) / sum, 1e-15);
  }
  EXPECT_EQ(probabilities(three_class_model("softmax"), Vector{1e4, -1e4, 0}), Vector({0, 0, 1})) << "no overflow";
  const Vector far = probabilities(three_class_model(), Vector{-800, -801, -900});  // no sigmoid is over 0
  EXPECT_NEAR(far[2], sigmoid(1), 1e-15);
  EXPECT_NEAR(far[0], sigmoid(-1), 1e-15);
  EXPECT_NEAR(far[1] * std::exp(100.0), sigmoid(1), 1e-13) << "small ones keep their digits";
  EXPECT_TRUE(has_probabilities(three_class_model("softmax")));
  EXPECT_FALSE(has_probabilities(three_class_model("squared-hinge")));
}

TEST(PredictionOfClasses, SmallProbabilitiesOfTwoClassesKeepTheirDigits) {
  LinearModel model;
  model.risk.loss = "logistic";
  model.labels = BinaryLabels{2, 4, 1, 1};
  const Vector p = probabilities(model, Vector{50});
  EXPECT_EQ(p[0], 1);
  EXPECT_NEAR(p[1] * std::exp(50.0), 1, 1e-14);
}

TEST(PredictionOfClasses, Losses) {
  const Vector decisions{0.5, -1, 2};
  EXPECT_NEAR(loss_of(three_class_model("softmax"))(decisions, 5), log_of_sum(decisions) + 1, 1e-15);
  LinearModel in_one_column = three_class_model("softmax");
  in_one_column.classes.clear();
  in_one_column.labels = BinaryLabels{2, 5, 1, 1};
  for (const double label : {2.0, 5.0})
    EXPECT_NEAR(loss_of(in_one_column)(Vector{-1.5}, label), log_of_sum({0.5, -1}) - (label == 2 ? 0.5 : -1), 1e-15);
  const double squares = 0.5 * (1.5 * 1.5 + 2 * 2 + 3 * 3);  // margins -0.5, -1 and -2
  EXPECT_NEAR(loss_of(three_class_model("squared-hinge"))(decisions, 5), squares, 1e-15);
}

Score score_of(const LinearModel& model, const std::vector<std::pair<double, Vector>>& rows, std::size_t top = 1) {
  Scorer scorer(model, {.top = top});
  for (const auto& [target, decisions] : rows) scorer.add(target, decisions);
  return scorer.score();
}

TEST(ScoresOfClasses, Counts) {
  const std::vector<std::pair<double, Vector>> rows{{2, {1, 0, 0}},   {2, {0, 1, 0.5}}, {5, {0, 1, 0}},
                                                    {7, {0, 1, 0.5}}, {7, {0, 0, 1}},   {9, {0, 0, 1}}};
  const Score s = score_of(three_class_model(), rows, 2);
  EXPECT_EQ(s.rows, 6U);
  EXPECT_EQ(s.correct, 3U);
  EXPECT_EQ(s.unknown_labels, 1U);
  EXPECT_EQ(s.accuracy, 0.5);
  EXPECT_NEAR(s.top_accuracy.value(), 4.0 / 6, 1e-15) << "7 is second where 5 is predicted";
  EXPECT_EQ(s.confused, (std::vector<Confused>{{0, 1, 1}, {2, 1, 1}}));
  EXPECT_EQ(s.classes[0].recall(), 0.5);
  EXPECT_EQ(s.classes[0].precision(), 1);
  EXPECT_NEAR(s.classes[1].precision().value(), 1.0 / 3, 1e-15);
  EXPECT_EQ(s.classes[1].recall(), 1);
  EXPECT_FALSE(s.auc);
  const Score one = score_of(three_class_model(), {{2, {1, 0, 0}}});
  EXPECT_FALSE(one.classes[1].precision()) << "never predicted";
  EXPECT_FALSE(one.classes[1].recall()) << "no row";
  EXPECT_FALSE(one.top_accuracy);
}

TEST(ScoresOfClasses, LogLossIsThatOfTheProbabilitiesAndFinite) {
  const Vector decisions{0.5, -1, 2};
  for (const char* loss : {"softmax", "logistic"}) {
    const LinearModel model = three_class_model(loss);
    const Score s = score_of(model, {{5, decisions}, {2, decisions}});
    const Vector p = probabilities(model, decisions);
    EXPECT_NEAR(*s.log_loss, -(std::log(p[0]) + std::log(p[2])) / 2, 1e-14) << loss;
    EXPECT_NEAR(*score_of(model, {{5, {1e6, -1e6, 0}}}).log_loss, loss == std::string("softmax") ? 2e6 : 1e6 + 0.405465,
                1e-6);
  }
  EXPECT_EQ(score_of(three_class_model("softmax"), {{5, decisions}}).mean_loss,
            score_of(three_class_model("softmax"), {{5, decisions}}).log_loss);
  EXPECT_FALSE(score_of(three_class_model("squared-hinge"), {{5, decisions}}).log_loss);
  EXPECT_TRUE(score_of(three_class_model("squared-hinge"), {{5, decisions}}).mean_loss);
  EXPECT_FALSE(score_of(three_class_model(""), {{5, decisions}}).mean_loss);
}

}  // namespace
}  // namespace geodescent
