// Prediction: scores, output, data that does not quite fit the model, and data larger than the
// memory.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

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

  /// Labels 2, 5 and 7; in the file the order 5, 7, 2. The decision values are a_1, a_2 and 0 for
  /// 5, 7 and 2.
  void write_three_classes(const std::string& loss = "softmax") const {
    LinearModel m;
    m.risk.loss = loss;
    m.risk.l2 = 1;
    m.classes = {{2, 1}, {5, 1}, {7, 1}};
    m.file_order = {1, 2, 0};
    m.weights = {0, 1, 0, 0, 0, 1};
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
  const std::string probabilities =
      "labels 4 2\n4 0.7310585786300049 0.2689414213699951\n2 0.11920292202211755 0.8807970779778823\n2 0.5 0.5\n";
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
  EXPECT_NE(refusal({"-b", "1", folder / "p"})
                .find("need a model of the loss logistic, softmax, and this one has smoothed-hinge"),
            std::string::npos);
  EXPECT_NE(refusal({"-b", "1", "--output-kind", "labels", folder / "p"}).find("contradict"), std::string::npos);
  EXPECT_NE(refusal({"--output-kind", "decisions"}).find("only with OUTPUT"), std::string::npos);
  EXPECT_NE(refusal({"-b", "1"}).find("only with OUTPUT"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "p"));
}

TEST_F(Predict, SeveralClasses) {
  write_three_classes();
  put(data, "2 1:-1 2:-1\n5 1:2\n7 1:2 2:1\n7 2:3\n5\n4 1:1\n");
  const Outcome outcome = geodescent({"predict", "--top", "2", data, model, folder / "labels"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out,
            "Accuracy = 66.6667% (4/6)\n"
            "Top-2 accuracy = 83.3333%\n"
            "Log loss = 0.678426\n"
            "Label       rows  predicted    correct  precision     recall\n"
            "2              1          1          1     1.0000     1.0000\n"
            "5              2          3          2     0.6667     1.0000\n"
            "7              2          1          1     1.0000     0.5000\n"
            "Rows by label (line) and predicted label (column):\n"
            "   2  5  7\n"
            "2  1  0  0\n"
            "5  0  2  0\n"
            "7  0  1  1\n"
            "1 row has a label other than the 3 of the model, counted as an error\n");
  EXPECT_EQ(contents(folder / "labels"), "2 5\n5 7\n5 7\n7 5\n5 7\n5 7\n");
  const json score = json::parse(geodescent({"predict", "--json", "--quiet", "--top", "2", data, model}).out);
  EXPECT_EQ(score["task"], "classification");
  EXPECT_EQ(score["top"], 2);
  EXPECT_DOUBLE_EQ(score["top_accuracy"], 5.0 / 6);
  EXPECT_TRUE(score["confusion"].is_null());
  EXPECT_EQ(score["classes"][2],
            json({{"label", 7.0}, {"rows", 2}, {"predicted", 1}, {"correct", 1}, {"precision", 1.0}, {"recall", 0.5}}));
  EXPECT_EQ(score["confused"], json::parse(R"([{"label": 7.0, "predicted": 5.0, "rows": 1}])"));
}

TEST_F(Predict, OutputOfSeveralClasses) {
  write_three_classes("logistic");
  put(data, "2 1:1 2:1\n7 1:-2\n");
  const auto output = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"predict", "--quiet", data, model, "-"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return geodescent(arguments).out;
  };
  EXPECT_EQ(output({}), "5\n7\n") << "the first of equal ones in the file";
  EXPECT_EQ(output({"--output-kind", "decisions"}), "1 1 0\n-2 0 0\n") << "in the order of the file";
  EXPECT_EQ(output({"--top", "3", "--output-kind", "decisions"}), "5:1 7:1 2:0\n7:0 2:0 5:-2\n");
  std::istringstream probabilities(output({"-b", "1"}));
  std::string first;
  std::getline(probabilities, first);
  EXPECT_EQ(first, "labels 5 7 2");
  const double sigmoid = 1 / (1 + std::exp(-1.0)), sum = sigmoid + sigmoid + 0.5;
  double label = 0, p = 0, q = 0, r = 0;
  probabilities >> label >> p >> q >> r;
  EXPECT_EQ(label, 5);
  EXPECT_EQ(p, sigmoid / sum) << "all digits";
  EXPECT_EQ(q, sigmoid / sum);
  EXPECT_EQ(r, 0.5 / sum);
}

TEST_F(Predict, SoftmaxOfTwoClassesDecidesAsItsFile) {
  write_classifier("softmax");
  put(data, "4 1:1\n2 2:1\n4\n");
  const Outcome outcome = geodescent({"predict", data, model, folder / "p", "-b", "1"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out,
                   {"Accuracy = 66.6667% (2/3)\nAUC = 1\nLog loss = 0.377779\n", "Label  predicted 4  predicted 2\n"}))
      << outcome.out;
  EXPECT_TRUE(contents(folder / "p").starts_with("labels 4 2\n4 0.731058578630004")) << contents(folder / "p");
  EXPECT_EQ(geodescent({"predict", "-q", "--output-kind", "decisions", data, model, "-"}).out, "1\n-2\n0\n");
}

TEST_F(Predict, TopHasItsLimits) {
  put(data, "2 1:1\n");
  write_three_classes();
  const Outcome many = geodescent({"predict", "--top", "4", data, model});
  EXPECT_EQ(many.code, 2);
  EXPECT_TRUE(says(many.err, {"--top 4, but " + model + " has 3 labels"})) << many.err;
  put(model, "solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 1\nbias -1\nw\n1\n");
  const Outcome regression = geodescent({"predict", "--top", "1", data, model});
  EXPECT_EQ(regression.code, 2);
  EXPECT_TRUE(says(regression.err, {"--top has an effect only on labels"})) << regression.err;
}

TEST_F(Predict, OfManyClassesTheWorstAreShown) {
  LinearModel m;
  m.risk.loss = "squared-hinge";
  m.risk.l2 = 1;
  std::string rows;
  for (int k = 0; k < 50; ++k) {
    m.classes.push_back({static_cast<double>(k), 1});
    rows += std::to_string(k) + " " + std::to_string(k == 7 ? 9 : k + 1) + ":1\n";
  }
  for (int j = 0; j < 50 * 50; ++j) m.weights.push_back(j % 51 == 0 ? 1 : 0);
  write_model(m, model);
  put(data, rows);
  const std::string out = geodescent({"predict", data, model}).out;
  EXPECT_EQ(first_line(out), "Accuracy = 98% (49/50)");
  EXPECT_TRUE(says(out, {"The 10 of 50 labels with the most errors (--json has all):",
                         "\n7              1          0          0          -     0.0000\n"}))
      << out;
  EXPECT_EQ(out.find("Rows by label"), std::string::npos);
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
  m.bias_weights = {10};
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
  // Nothing in this file shows that its first feature is number 0; read as 1-based it would be the
  // other feature.
  put(data, "1 1:1\n");
  const Outcome outcome = geodescent({"predict", "--json", "--quiet", data, model});
  EXPECT_EQ(json::parse(outcome.out)["index_base"], 0) << outcome.out;
}

TEST_F(Predict, WarnsOfDataThatSeemToBeNumberedFromOne) {
  put(data, "1 0:1 1:1\n-1 0:-1 1:1\n1 0:2\n-1 0:-2\n");
  ASSERT_EQ(geodescent({"train", "--quiet", data, model}).code, 0);
  const std::string warning =
      "warning: the features of the model are numbered from 0, but no index is 0 and one is 2; if the data are "
      "numbered "
      "from 1, number them from 0\n";
  put(data, "1 1:1 2:1\n-1 1:-1 2:1\n");
  EXPECT_TRUE(geodescent({"predict", data, model}).out.ends_with(warning));
  for (const char* other : {"1 0:1 2:1\n", "1 1:1\n", "1 1:1 3:1\n"}) {
    put(data, other);
    EXPECT_FALSE(says(geodescent({"predict", data, model}).out, {"warning"})) << other;
  }
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
