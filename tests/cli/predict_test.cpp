// Prediction: scores, output, and data that does not quite fit the model.
#include <gtest/gtest.h>

#include <filesystem>

#include "geodescent/model.hpp"
#include "program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

class Predict : public ::testing::Test {
 protected:
  /// A model one can check by hand: the labels are 2 and 4, and a_1 > 2 a_2 means 4.
  void write_classifier() const {
    LinearModel m;
    m.risk.loss = "logistic";
    m.risk.l2 = 1;
    m.labels = BinaryLabels{2, 4, 1, 1};
    m.weights = {1, -2};
    m.method = "geod";
    m.status = "converged";
    write_model(m, model);
  }

  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  const std::string model = folder / "data.model";
};

TEST_F(Predict, AccuracyAsLiblinearPrintsIt) {
  write_classifier();
  put(data, "4 1:1\n2 2:1\n4 1:3 2:1\n2 1:1 2:1\n2 1:1\n4\n");
  const Outcome outcome = geodescent({"predict", data, model, folder / "labels"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "Accuracy = 66.6667% (4/6)\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(contents(folder / "labels"), "4\n2\n4\n2\n4\n2\n") << "a prediction of exactly 0 is the negative class";
}

TEST_F(Predict, DashSendsPredictionsToStandardOutput) {
  write_classifier();
  put(data, "4 1:1\n2 2:1\n");
  const Outcome outcome = geodescent({"predict", data, model, "-"});
  EXPECT_EQ(outcome.out, "4\n2\n");
  EXPECT_EQ(outcome.err, "Accuracy = 100% (2/2)\n");
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
  EXPECT_NE(outcome.err.find("3 entries in 2 rows"), std::string::npos) << outcome.err;
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
  EXPECT_EQ(outcome.out, "Mean squared error = 2 (2 rows)\n");
  EXPECT_EQ(contents(folder / "values"), "1\n2\n");
}

TEST_F(Predict, IndexBaseCanBeSaid) {
  write_classifier();
  put(data, "4 1:1\n2 1:-1\n");
  EXPECT_EQ(geodescent({"predict", data, model}).out, "Accuracy = 100% (2/2)\n");
  EXPECT_EQ(geodescent({"predict", "--index-base", "0", data, model}).out, "Accuracy = 0% (0/2)\n");
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

}  // namespace
}  // namespace geodescent::testing
