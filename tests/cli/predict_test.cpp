// Prediction: scores, output, data that does not quite fit the model, and data larger than the memory.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "cli/support/program.hpp"
#include "geodescent/learn/model.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

class Predict : public ::testing::Test {
 protected:
  /// A model one can check by hand: the labels are 2 and 4, and a_1 > 2 a_2 means 4.
  void write_classifier(const std::string& loss = "logistic") const {
    LinearModel m;
    m.risk.loss = loss;
    m.risk.l2 = 1;
    m.labels = BinaryLabels{2, 4, 1, 1};
    m.weights = {1, -2};
    m.method = "geod";
    m.status = "converged";
    write_model(m, model);
  }

  static std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  const std::string model = folder / "data.model";
};

TEST_F(Predict, AccuracyAsLiblinearPrintsItAndMore) {
  write_classifier();
  put(data, "4 1:1\n2 2:1\n4 1:3 2:1\n2 1:1 2:1\n2 1:1\n4\n");
  const Outcome outcome = geodescent({"predict", data, model, folder / "labels"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "Accuracy = 66.6667% (4/6)\n"
            "AUC = 0.777778\n"
            "Log loss = 0.512187\n"
            "Label  predicted 4  predicted 2\n"
            "4                2            1\n"
            "2                1            2\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(contents(folder / "labels"), "4\n2\n4\n2\n4\n2\n") << "a prediction of exactly 0 is the negative class";
}

TEST_F(Predict, DashSendsPredictionsToStandardOutput) {
  write_classifier();
  put(data, "4 1:1\n2 2:1\n");
  const Outcome outcome = geodescent({"predict", data, model, "-"});
  EXPECT_EQ(outcome.out, "4\n2\n");
  EXPECT_EQ(first_line(outcome.err), "Accuracy = 100% (2/2)");
  EXPECT_EQ(geodescent({"predict", "--quiet", data, model, "-"}).err, "");
  EXPECT_FALSE(std::filesystem::exists(folder / "-"));
}

TEST_F(Predict, UnknownLabelsAndFeaturesAreReported) {
  write_classifier();
  put(data, "4 1:1 3:5 9:1\n0 2:1\n7 1:1 3:1\n");
  const Outcome outcome = geodescent({"predict", "--json", data, model});
  const json score = json::parse(outcome.out);
  EXPECT_EQ(score["rows"], 3);
  EXPECT_EQ(score["correct"], 1);
  EXPECT_EQ(score["unknown_label_rows"], 2);
  EXPECT_EQ(score["ignored_entries"], 3);
  EXPECT_DOUBLE_EQ(score["accuracy"], 1.0 / 3);
  EXPECT_NE(outcome.err.find("2 rows have a label other than 2 and 4"), std::string::npos) << outcome.err;
  EXPECT_NE(
      outcome.err.find("3 entries in 2 rows belong to features beyond the 2 of the model, up to index 9; ignored"),
      std::string::npos)
      << outcome.err;
  EXPECT_EQ(score["ignored_rows"], 2);
  EXPECT_EQ(score["largest_ignored_index"], 9);
}

TEST_F(Predict, AllScoresAreInTheJson) {
  write_classifier();
  put(data, "4 1:1\n2 2:1\n4 1:3 2:1\n2 1:1 2:1\n2 1:1\n4\n0 1:1\n");
  const json score = json::parse(geodescent({"predict", "--json", "--quiet", data, model}).out);
  EXPECT_EQ(score["task"], "classification");
  EXPECT_DOUBLE_EQ(score["auc"], 7.0 / 9);
  EXPECT_EQ(score["auc_half_width"], 0);
  EXPECT_NEAR(score["log_loss"], 0.512187, 1e-6);
  EXPECT_EQ(score["mean_loss"], score["log_loss"]);
  EXPECT_EQ(score["confusion"], json({{"positive_label", 4},
                                      {"negative_label", 2},
                                      {"true_positives", 2},
                                      {"false_negatives", 1},
                                      {"false_positives", 1},
                                      {"true_negatives", 2}}));
  EXPECT_TRUE(score["largest_ignored_index"].is_null());
  EXPECT_TRUE(score["r_squared"].is_null());
}

TEST_F(Predict, OutputKinds) {
  write_classifier();
  put(data, "4 1:1\n2 2:1\n4\n");
  const auto output = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"predict", "--quiet", data, model, "-"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return geodescent(arguments).out;
  };
  EXPECT_EQ(output({"--output-kind", "labels"}), "4\n2\n2\n");
  EXPECT_EQ(output({"-b", "0"}), "4\n2\n2\n");
  EXPECT_EQ(output({"--output-kind", "decisions"}), "1\n-2\n0\n");
  const std::string probabilities = "labels 4 2\n4 0.731059 0.268941\n2 0.119203 0.880797\n2 0.5 0.5\n";
  EXPECT_EQ(output({"--output-kind", "probabilities"}), probabilities);
  EXPECT_EQ(output({"-b", "1"}), probabilities);
}

TEST_F(Predict, OutputKindsThatMakeNoSense) {
  write_classifier("smoothed-hinge");
  put(data, "4 1:1\n");
  const auto refusal = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"predict", data, model};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = geodescent(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    return outcome.err;
  };
  EXPECT_NE(
      refusal({"-b", "1", folder / "p"}).find("need a model of the loss logistic, and this one has smoothed-hinge"),
      std::string::npos);
  EXPECT_NE(refusal({"-b", "1", "--output-kind", "labels", folder / "p"}).find("contradict"), std::string::npos);
  EXPECT_NE(refusal({"--output-kind", "decisions"}).find("about OUTPUT"), std::string::npos);
  EXPECT_NE(refusal({"-b", "1"}).find("about OUTPUT"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "p"));
}

TEST_F(Predict, BadDataLeaveTheOldOutput) {
  write_classifier();
  put(data, "4 1:1\n2 x\n");
  put(folder / "labels", "old\n");
  EXPECT_EQ(geodescent({"predict", data, model, folder / "labels"}).code, 3);
  EXPECT_EQ(contents(folder / "labels"), "old\n");
  EXPECT_EQ(folder.files(), 3U) << "something was left behind";
}

TEST_F(Predict, InterceptCounts) {
  LinearModel m;
  m.risk.loss = "squared";
  m.risk.bias = Bias::free;
  m.weights = {0.5};
  m.bias_weight = 10;
  write_model(m, model);
  put(data, "1 1:2\n0\n");
  EXPECT_EQ(geodescent({"predict", "--quiet", data, model, "-"}).out, "11\n10\n");
}

TEST_F(Predict, RegressionHasASquaredError) {
  LinearModel m;
  m.risk.loss = "squared";
  m.risk.l2 = 1;
  m.weights = {0.5};
  m.method = "geod";
  m.status = "converged";
  write_model(m, model);
  put(data, "1 1:2\n0 1:4\n");
  const Outcome outcome = geodescent({"predict", data, model, folder / "values"});
  EXPECT_EQ(outcome.out,
            "Mean squared error = 2 (2 rows)\nMean absolute error = 1\nR^2 = -7\nMean loss = 1 (squared)\n");
  EXPECT_EQ(contents(folder / "values"), "1\n2\n");
}

TEST_F(Predict, IndexBaseMustNotContradictTheModel) {
  write_classifier();
  put(data, "4 1:1\n2 1:-1\n");
  EXPECT_EQ(first_line(geodescent({"predict", data, model}).out), "Accuracy = 100% (2/2)");
  EXPECT_EQ(first_line(geodescent({"predict", "--index-base", "1", data, model}).out), "Accuracy = 100% (2/2)");
  const Outcome other = geodescent({"predict", "--index-base", "0", data, model});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(is_one_error_line(other.err)) << other.err;
  EXPECT_TRUE(says(other.err, {"--index-base 0 contradicts the model", "are numbered from 1"})) << other.err;
  put(model, "solver_type L2R_LR\nnr_class 2\nlabel 4 2\nnr_feature 2\nbias -1\nw\n1\n-2\n");
  EXPECT_EQ(first_line(geodescent({"predict", "--index-base", "0", data, model}).out), "Accuracy = 0% (0/2)")
      << "LIBLINEAR's model does not say how its features are numbered";
}

TEST_F(Predict, AnIndexZeroAsksForTheRightTraining) {
  write_classifier();
  put(data, "4 0:1\n2 1:-1\n");
  const std::string advice =
      "; the features of the training data are numbered from 1: number these from 1, too, or train the model with "
      "--index-base 0\n";
  const Outcome text = geodescent({"predict", data, model});
  EXPECT_EQ(text.code, 3);
  EXPECT_TRUE(says(text.err, {data + ":1:3: index 0, but indices are 1-based" + advice})) << text.err;
  ASSERT_EQ(geodescent({"convert", "--quiet", data, folder / "data.gdm"}).code, 0);
  const Outcome binary = geodescent({"predict", folder / "data.gdm", model});
  EXPECT_EQ(binary.code, 3);
  EXPECT_TRUE(says(binary.err, {advice})) << binary.err;
}

TEST_F(Predict, IndexBaseOfTheTrainingIsRemembered) {
  put(data, "1 0:1 1:1\n-1 0:-1 1:1\n1 0:2\n-1 0:-2\n");
  ASSERT_EQ(geodescent({"train", "--quiet", data, model}).code, 0);
  // Nothing in this file shows that its first feature is number 0; read as 1-based it would be the other feature.
  put(data, "1 1:1\n");
  const Outcome outcome = geodescent({"predict", "--json", "--quiet", data, model});
  EXPECT_EQ(json::parse(outcome.out)["index_base"], 0) << outcome.out;
}

TEST_F(Predict, LearnsWhatItIsTaught) {
  generate_data(data, {"--rows", "2000", "--features", "20", "--density", "0.5"});
  ASSERT_EQ(geodescent({"train", "--quiet", data, model}).code, 0);
  const Outcome outcome = geodescent({"predict", "--json", "--quiet", data, model});
  EXPECT_GT(json::parse(outcome.out)["accuracy"], 0.9) << outcome.out;
}

TEST_F(Predict, GeneralisesToTestData) {
  const std::string shared = GEODESCENT_SHARED_DATA "/binary/";
  if (!std::filesystem::exists(shared + "a9a.t.xz")) GTEST_SKIP() << "no shared data here";
  ASSERT_EQ(geodescent({"train", "--quiet", "--tol", "1e-3", shared + "a1a.xz", model}).code, 0);
  const Outcome outcome = geodescent({"predict", "--json", "--quiet", shared + "a9a.t.xz", model});
  const json score = json::parse(outcome.out);
  EXPECT_EQ(score["rows"], 16281);
  EXPECT_GT(score["accuracy"], 0.82);
  EXPECT_GT(score["ignored_entries"], 0) << "a1a lacks some features of a9a";
}

TEST_F(Predict, MemoryDoesNotGrowWithTheData) {
  if (sanitized()) GTEST_SKIP() << "the address sanitizer needs all addresses";
  write_classifier();
  // 8 million rows would take 230 MB as a matrix, and 64 MB for the decision values alone.
  constexpr std::size_t rows = std::size_t{1} << 23;
  {
    std::ofstream file(data);
    for (std::size_t k = 0; k < rows / 4; ++k) file << "4 1:1\n2 2:1\n4 1:3\n2 1:2\n";
  }
  const std::string command = "ulimit -v 160000 && exec " + binary() + " predict --json --quiet " + data + " " + model;
  const Outcome outcome = run({"sh", "-c", command});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json score = json::parse(outcome.out);
  EXPECT_EQ(score["rows"], rows);
  const double exact = 0.75;  // one of the four kinds of pairs is in the wrong order
  EXPECT_LE(std::abs(score["auc"].get<double>() - exact), score["auc_half_width"].get<double>() + 1e-12);
}

}  // namespace
}  // namespace geodescent::testing
