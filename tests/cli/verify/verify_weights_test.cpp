// Weights without a certificate are judged by themselves.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "cli/verify/verify_fixture.hpp"
#include "geodescent/data/libsvm.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

TEST_F(Verify, WeightsProveThemselves) {
  train({"--l2", "1e-3", "--bias", "free"});
  const json found = verify_json({"--ignore-certificate", "--loss", "logistic", "--l2", "1e-3"});
  EXPECT_EQ(found["exit_code"], 0);
  EXPECT_EQ(found["verdict"], "no claim");
  EXPECT_EQ(found["bias"], "free");
  EXPECT_TRUE(found["certificate"].is_null());
  EXPECT_TRUE(found["claimed_value"].is_null());
  EXPECT_LT(found["relative_gap"], 1e-5);
  EXPECT_EQ(verify({"--ignore-certificate", "--loss", "logistic", "--l2", "1e-3", "--tol", "1e-5"}).code, 0);
  const Outcome worse = verify({"--ignore-certificate", "--loss", "logistic", "--l2", "1", "--tol", "1e-5"});
  EXPECT_EQ(worse.code, 1) << "not the minimum of another risk";
  EXPECT_NE(worse.out.find("verdict     fails: the relative gap is "), std::string::npos) << worse.out;
}

TEST_F(Verify, CostIsThatOfLiblinear) {
  // 1/2 |w|^2 + C sum loss: the squared losses have no factor 1/2 there.
  for (const auto& [loss, l2] : std::vector<std::pair<std::string, double>>{
           {"logistic", 1 / 600.0}, {"squared-hinge", 1 / 1200.0}, {"squared", 1 / 1200.0}}) {
    train({"--loss", loss, "-c", "2"});
    const json found = verify_json({"--ignore-certificate", "--loss", loss, "-c", "2"});
    EXPECT_DOUBLE_EQ(found["l2"], l2) << loss;
    EXPECT_LT(found["relative_gap"], 1e-5) << loss;
  }
}

// Advice is about options that have an effect: with a claim, model and certificate say how the data
// are read.
TEST_F(Verify, DataThatDoNotFitGetAdviceThatCanBeFollowed) {
  train({"--l2", "1e-3"});
  const std::vector<std::string> by_weights{"--ignore-certificate", "--loss", "logistic", "--l2", "1e-3"};
  const auto error_of = [&](const std::vector<std::string>& options) {
    const Outcome outcome = geodescent([&] {
      std::vector<std::string> words{"verify"};
      words.insert(words.end(), options.begin(), options.end());
      words.insert(words.end(), {data, model});
      return words;
    }());
    EXPECT_EQ(outcome.code, 3);
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    return outcome.err;
  };
  const std::string claim = "; give the data that the model was trained on\n";
  const auto expect_advice = [&](const std::string& reason) {
    EXPECT_TRUE(says(error_of({}), {reason + claim})) << error_of({});
    EXPECT_TRUE(says(error_of(by_weights), {reason + claim})) << error_of(by_weights);
  };
  put(data, "1 1:1\n-1 7:1\n");
  expect_advice("index 7 is over the limit of 6 features (1-based)");
  put(data, "1 0:1\n-1 1:1\n");
  expect_advice("index 0, but indices are 1-based");
  put(folder / "text.svm", "1 1:1\n-1 7:1\n");
  ASSERT_EQ(geodescent({"convert", "--quiet", folder / "text.svm", data}).code, 0);
  expect_advice("7 features, over the limit of 6");
  // A model of LIBLINEAR does not say how its features are numbered.
  put(model, "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 6\nbias -1\nw\n1\n2\n3\n4\n5\n6\n");
  put(data, "1 1:1\n-1 7:1\n");
  EXPECT_TRUE(says(error_of(by_weights), {"trained on, or their first index with --index-base\n"}));
  // A number of features that was given can be raised.
  EXPECT_TRUE(says(error_of({"--ignore-certificate", "--loss", "logistic", "--l2", "1e-3", "--features", "6"}),
                   {"raise the number of features or check the file"}));
}

TEST_F(Verify, PlainWeights) {
  train({"--l2", "1e-3", "--bias", "free"});
  const LinearModel trained = read_model(model);
  const auto write = [&](bool intercept) {
    std::ofstream out(folder / "w.txt");
    out.precision(17);
    for (const double w : trained.weights) out << w << "\n\n";
    if (intercept) out << trained.bias_weight() << "\n";
  };
  const auto judge = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"verify", "--json", "-q", "--loss", "logistic", "--l2", "1e-3"});
    options.insert(options.end(), {data, folder / "w.txt"});
    return geodescent(options);
  };
  write(true);
  const Outcome outcome = judge({"--bias", "free"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out)["value"],
            verify_json({"--ignore-certificate", "--loss", "logistic", "--l2", "1e-3"})["value"]);
  expect_error(judge({}), 3, "7 numbers, but " + data + " has 6 features; ");
  expect_error(judge({"--bias", "free", "--features", "7"}), 3, "has 7 features, and the intercept is one number more");
  write(false);
  expect_error(judge({"--bias", "regularized"}), 3, "6 numbers, but " + data + " has 6 features, and the intercept");
  EXPECT_EQ(json::parse(judge({}).out)["bias"], "none");
  put(folder / "w.txt", "1\n2\nx\n4\n5\n6\n");
  expect_error(judge({}), 3, "w.txt:3: ");
  put(folder / "w.txt", "\n\n");
  expect_error(judge({}), 3, "no number");
}

TEST_F(Verify, LiblinearModel) {
  put(data, "1 1:1\n2 1:-1\n");
  // With C = 1: 1/2 w^2 + 2 log(1 + exp(w)) in the direction of the label 1, whose minimum is near
  // w = -0.6.
  put(model, "solver_type L2R_LR\nnr_class 2\nlabel 1 2\nnr_feature 1\nbias -1\nw\n0.6\n");
  const json found = verify_json({"--loss", "logistic", "-c", "1"});
  EXPECT_EQ(found["verdict"], "no claim");
  EXPECT_DOUBLE_EQ(found["l2"], 0.5);
  EXPECT_LT(found["relative_gap"], 0.1) << found;
  put(data, "1 1:1\n3 1:-1\n");
  expect_error(verify({"--loss", "logistic", "-c", "1"}), 3, "the model is for the labels 1 and 2");
}

// U - L is at most twice U - f*, and the coefficients alone prove far less.
TEST_F(Verify, TightJudgesPoorCoefficientsWithinAFactorOfTwo) {
  for (const std::string bias : {"none", "free", "regularized"}) {
    train({"--l2", "1e-3", "--bias", bias});
    const json best = verify_json();
    CertifiedModel poor = read_certified_model(model);
    for (double& w : poor.model.weights) w *= 1.01;
    write_model(poor.model, model);
    const std::vector<std::string> alone{"--loss", "logistic", "--l2", "1e-3"};
    std::vector<std::string> tight = alone;
    tight.emplace_back("--tight");
    const json by_weights = verify_json(alone), by_training = verify_json(tight);
    EXPECT_EQ(by_weights["bound_from"], "coefficients");
    EXPECT_EQ(by_training["bound_from"], "training");
    EXPECT_EQ(by_training["verdict"], "no claim");
    EXPECT_EQ(by_training["value"], by_weights["value"]);
    EXPECT_LE(by_training["lower_bound"], best["value"]) << bias;
    const double distance = by_training["value"].get<double>() - best["lower_bound"].get<double>();
    EXPECT_LE(by_training["gap"].get<double>(), 2 * distance) << bias;
    EXPECT_GT(by_weights["gap"].get<double>(), 10 * distance) << bias << ": nothing to gain here";
    tight.insert(tight.end(), {"--tol", fmt::format("{}", by_weights["relative_gap"].get<double>() / 2)});
    EXPECT_EQ(verify(tight).code, 0);
  }
}

TEST_F(Verify, TightTakesTheBetterOfBothBounds) {
  train({"--l2", "1e-3"});
  const json by_weights = verify_json({"--ignore-certificate", "--loss", "logistic", "--l2", "1e-3"});
  const json by_training = verify_json({"--ignore-certificate", "--loss", "logistic", "--l2", "1e-3", "--tight"});
  EXPECT_GE(by_training["lower_bound"], by_weights["lower_bound"]);
  EXPECT_LE(by_training["gap"], by_weights["gap"]);
}

TEST_F(Verify, TightSaysWhatTheBoundIsFrom) {
  train({"--l2", "1e-3"});
  EXPECT_TRUE(says(verify({"--ignore-certificate", "--loss", "logistic", "--l2", "1e-3"}).out,
                   {"bound from  the coefficients alone; --tight trains for a closer one\n"}));
  EXPECT_TRUE(says(verify({"--ignore-certificate", "--loss", "logistic", "--l2", "1e-3", "--tight"}).out,
                   {"bound from  a training\n"}));
}

TEST_F(Verify, InterceptOfAnotherKind) {
  train({"--bias", "regularized", "--l2", "1e-3"});
  const LinearModel trained = read_model(model);
  const std::vector<std::string> risk{"--ignore-certificate", "--loss", "logistic", "--l2", "1e-3", "--bias"};
  const auto with = [&](const char* bias) {
    std::vector<std::string> options = risk;
    options.emplace_back(bias);
    return options;
  };
  EXPECT_EQ(verify_json(with("regularized"))["bias"], "regularized");
  EXPECT_EQ(verify_json(with("free"))["bias"], "free");
  EXPECT_LT(verify_json(with("free"))["value"], verify_json(with("regularized"))["value"]);
  expect_error(verify(with("none")), 3, "the model has an intercept");
}

// LIBLINEAR's -s and -B name the same problem as --loss and --bias.
TEST_F(Verify, LiblinearOptionsNameTheProblem) {
  put(model, "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 6\nbias 1\nw\n1\n2\n3\n4\n5\n6\n0.5\n");
  for (const auto& [number, loss] : std::vector<std::pair<std::string, std::string>>{
           {"0", "logistic"}, {"7", "logistic"}, {"1", "squared-hinge"}, {"2", "squared-hinge"}}) {
    const json by_number = verify_json({"-s", number, "-c", "1"});
    EXPECT_EQ(by_number["value"], verify_json({"--loss", loss, "-c", "1"})["value"]) << number;
    EXPECT_EQ(by_number["loss"], loss);
  }
  EXPECT_EQ(verify_json({"-s", "0", "-c", "1"})["bias"], "regularized");
  EXPECT_EQ(verify_json({"-s", "0", "-c", "1", "-B", "1"})["bias"], "regularized");
  expect_error(verify({"-s", "0", "-c", "1", "-B", "-1"}), 3, "the model has an intercept");
}

TEST_F(Verify, HintWhereTheLossOfTheModelIsAnother) {
  put(model, "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 6\nbias -1\nw\n1\n2\n3\n4\n5\n6\n");
  const std::string hint = "the model was trained with the loss logistic, but is judged with --loss squared-hinge";
  EXPECT_EQ(verify_json({"-s", "2", "-c", "1"})["hint"], hint);
  EXPECT_TRUE(says(verify({"--loss", "squared-hinge", "-c", "1"}).out, {"\nhint        " + hint + "\n"}));
  EXPECT_TRUE(
      says(verify({"-s", "2", "-c", "1"}).out, {", relative inf (no improvement over coefficients 0 is proven)\n"}));
  EXPECT_TRUE(verify_json({"-s", "0", "-c", "1"})["hint"].is_null());
  EXPECT_FALSE(says(verify({"-s", "0", "-c", "1"}).out, {"hint"}));
}

TEST_F(Verify, TightNeedsAProblem) {
  put(model, "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 6\nbias -1\nw\n1\n2\n3\n4\n5\n6\n");
  expect_error(verify({"--tight"}), 3, "a model without a certificate; name one, or give --loss and --l2 (or --cost)");
}

}  // namespace
}  // namespace geodescent::testing
