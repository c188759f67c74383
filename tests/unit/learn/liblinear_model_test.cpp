// Models of liblinear-train: what is taken from them, and that its first label is the one of
// positive decisions.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "geodescent/error.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent {
namespace {

std::string model_text(const std::string& solver, const std::string& labels, const std::string& bias) {
  const std::string last = bias == "-1" ? "" : "0.25 \n";
  return fmt::format("solver_type {}\nnr_class 2\n{}nr_feature 2\nbias {}\nw\n0.5 \n-2 \n{}", solver, labels, bias,
                     last);
}

TEST(LiblinearModel, PositiveLabelFirst) {
  const LinearModel model = parse_model(model_text("L2R_LR", "label 1 -1\n", "-1"), "m");
  ASSERT_TRUE(model.labels);
  EXPECT_EQ(model.labels->negative, -1);
  EXPECT_EQ(model.labels->positive, 1);
  EXPECT_TRUE(model.positive_first);
  EXPECT_EQ(model.weights, (Vector{0.5, -2}));
  EXPECT_EQ(model.risk.bias, Bias::none);
  EXPECT_EQ(model.intercept(), 0);
  EXPECT_EQ(model.risk.l2, 0);
  EXPECT_FALSE(model.zero_based);
}

TEST(LiblinearModel, NegativeLabelFirstTurnsTheWeights) {
  const LinearModel model = parse_model(model_text("L2R_LR", "label 1 2\n", "3"), "m");
  EXPECT_EQ(model.labels->positive, 2);
  EXPECT_FALSE(model.positive_first);
  EXPECT_EQ(model.weights, (Vector{-0.5, 2}));
  EXPECT_EQ(model.risk.bias, Bias::regularized);
  EXPECT_EQ(model.risk.constant, 3);
  EXPECT_EQ(model.bias_weight(), -0.25);
  EXPECT_EQ(model.intercept(), -0.75);
}

TEST(LiblinearModel, LossesWeKnow) {
  const auto loss_of = [](const std::string& solver) {
    return parse_model(model_text(solver, "label 1 -1\n", "1"), "m").risk.loss;
  };
  for (const char* solver : {"L2R_LR", "L2R_LR_DUAL", "L1R_LR"}) EXPECT_EQ(loss_of(solver), "logistic");
  for (const char* solver : {"L2R_L2LOSS_SVC", "L2R_L2LOSS_SVC_DUAL"}) EXPECT_EQ(loss_of(solver), "squared-hinge");
  for (const char* solver : {"L2R_L1LOSS_SVC_DUAL", "L1R_L2LOSS_SVC"}) EXPECT_EQ(loss_of(solver), "");
}

TEST(LiblinearModel, Regression) {
  for (const char* solver : {"L2R_L2LOSS_SVR", "L2R_L2LOSS_SVR_DUAL", "L2R_L1LOSS_SVR_DUAL"}) {
    const LinearModel model = parse_model(model_text(solver, "", "1"), "m");
    EXPECT_FALSE(model.labels);
    EXPECT_EQ(model.risk.loss, "");
    EXPECT_EQ(model.weights, (Vector{0.5, -2}));
    EXPECT_EQ(model.intercept(), 0.25);
  }
}

std::string three_classes_text(const std::string& solver, const std::string& bias) {
  return fmt::format("solver_type {}\nnr_class 3\nlabel 7 -2 3\nnr_feature 2\nbias {}\nw\n0.5 1 -4 \n-2 0 8 \n{}",
                     solver, bias, bias == "-1" ? "" : "0.25 1 2 \n");
}

TEST(LiblinearModel, ColumnsStandInTheOrderOfTheirLabels) {
  const LinearModel model = parse_model(three_classes_text("L2R_LR", "2"), "m");
  EXPECT_EQ(model.classes, (std::vector<ClassRows>{{-2, 0}, {3, 0}, {7, 0}}));
  EXPECT_FALSE(model.labels);
  EXPECT_EQ(model.weights, (Vector{1, -4, 0.5, 0, 8, -2}));
  EXPECT_EQ(model.bias_weights, (Vector{1, 2, 0.25}));
  EXPECT_EQ(model.intercept(1), 4);
  EXPECT_EQ(model.file_order, (std::vector<std::size_t>{2, 0, 1}));
  EXPECT_EQ(model.features(), 2U);
}

TEST(LiblinearModel, SolversOfSeveralClasses) {
  const auto loss_of = [](const std::string& solver) {
    return parse_model(three_classes_text(solver, "-1"), "m").risk.loss;
  };
  for (const char* solver : {"L2R_LR", "L2R_LR_DUAL", "L1R_LR"}) EXPECT_EQ(loss_of(solver), "logistic");
  for (const char* solver : {"L2R_L2LOSS_SVC", "L2R_L2LOSS_SVC_DUAL"}) EXPECT_EQ(loss_of(solver), "squared-hinge");
  for (const char* solver : {"L2R_L1LOSS_SVC_DUAL", "L1R_L2LOSS_SVC", "MCSVM_CS"}) EXPECT_EQ(loss_of(solver), "");
  EXPECT_THROW((void)loss_of("L2R_L2LOSS_SVR"), InputError) << "a regression has no classes";
}

TEST(LiblinearModel, BiasZeroIsNone) {
  const LinearModel model = parse_model(three_classes_text("L2R_LR", "0"), "m");
  EXPECT_EQ(model.risk.bias, Bias::none);
  EXPECT_EQ(model.intercept(2), 0);
}

TEST(LiblinearModel, OfTwoJointColumnsTheFirstPredicts) {
  const std::string text = "solver_type MCSVM_CS\nnr_class 2\nlabel 1 2\nnr_feature 2\nbias -1\nw\n0.5 -0.5 \n-2 2 \n";
  const LinearModel model = parse_model(text, "m");
  EXPECT_EQ(model.labels->positive, 2);
  EXPECT_FALSE(model.positive_first);
  EXPECT_EQ(model.weights, (Vector{-0.5, 2}));
}

TEST(LiblinearModel, EveryTruncationIsAnError) {
  const std::string text = model_text("L2R_LR", "label 1 -1\n", "1");
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_THROW((void)parse_model(text.substr(0, length), "m"), InputError) << length;
  }
  const std::string three = three_classes_text("L2R_LR", "1");
  for (std::size_t length = 0; length < three.size(); ++length)
    EXPECT_THROW((void)parse_model(three.substr(0, length), "m"), InputError) << length;
}

TEST(LiblinearModel, MoreWeightsThanFeatures) {
  EXPECT_THROW((void)parse_model(model_text("L2R_LR", "label 1 -1\n", "1") + "7 \n", "m"), InputError);
  EXPECT_NO_THROW((void)parse_model(model_text("L2R_LR", "label 1 -1\n", "1") + "\n", "m"));
}

}  // namespace
}  // namespace geodescent
