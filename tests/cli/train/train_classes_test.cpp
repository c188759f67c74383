// Several classes end to end: softmax and one class against the rest, their reports, and what is
// refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/support/program.hpp"
#include "support/random.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

class TrainClasses : public ::testing::Test {
 protected:
  /// Points around one centre for each class.
  static std::string points(std::size_t classes, std::size_t rows, std::uint64_t seed = 5) {
    Random random(seed);
    std::string text;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t k = i % classes;
      text += std::to_string(10 * k + 3);
      for (std::size_t j = 0; j < 4; ++j)
        text += " " + std::to_string(j + 1) + ":" + std::to_string(random.normal() + ((k >> j & 1) != 0 ? 1.5 : 0));
      text += "\n";
    }
    return text;
  }

  TemporaryFolder folder;
  const std::string data = folder / "data.svm", model = folder / "data.model";
};

TEST_F(TrainClasses, SoftmaxIsTheDefaultOfMoreThanTwoClasses) {
  put(data, points(5, 300));
  const json result = train_json({"--l2", "1e-3", data, model});
  EXPECT_EQ(result["exit_code"], 0);
  EXPECT_EQ(result["loss"], "softmax");
  EXPECT_EQ(result["status"], "converged");
  EXPECT_TRUE(result["labels"].is_null());
  ASSERT_EQ(result["classes"].size(), 5u);
  EXPECT_EQ(result["classes"][2], (json{{"label", 23}, {"rows", 60}}));
  EXPECT_EQ(result["intercepts"].size(), 5u);
  EXPECT_TRUE(result["intercept"].is_null());
  EXPECT_LE(result["lower_bound"], result["value"]);
  EXPECT_EQ(geodescent({"verify", data, model}).code, 0);
  const json named = train_json({"--loss", "softmax", "--l2", "1e-3", data, folder / "b"});
  EXPECT_EQ(contents(model), contents(folder / "b"));
  const Outcome said = geodescent({"train", "-c", "2", "--bias", "regularized", data, model});
  EXPECT_TRUE(says(said.out, {"classes     5: 3 (60 rows), 13 (60 rows)",
                              "mean softmax loss + l2/2 |w|^2 with l2 = ", "intercepts  ", ", regularised"}))
      << said.out;
}

TEST_F(TrainClasses, OneAgainstTheRestHasAProofForEachClass) {
  put(data, points(4, 200));
  for (const std::string loss : {"logistic", "squared-hinge", "smoothed-hinge"})
    for (const std::string bias : {"none", "free", "regularized"}) {
      SCOPED_TRACE(loss + " " + bias);
      const json result = train_json({"--loss", loss, "--bias", bias, "-c", "1", data, model});
      EXPECT_EQ(result["status"], "converged");
      double value = 0, largest = 0;
      for (const json& one : result["classes"]) {
        EXPECT_EQ(one["status"], "converged");
        EXPECT_EQ(one["rows"], 50);
        EXPECT_LE(one["lower_bound"], one["value"]);
        value += one["value"].get<double>();
        largest = std::max(largest, one["relative_gap"].get<double>());
      }
      EXPECT_NEAR(result["value"], value, 1e-12);
      EXPECT_EQ(result["relative_gap"], largest);
      EXPECT_EQ(geodescent({"verify", data, model}).code, 0);
    }
  const Outcome said = geodescent({"train", "-s", "2", data, model});
  EXPECT_TRUE(says(said.out, {"mean squared-hinge loss + l2/2 |w|^2 of each class against the rest",
                              " of the possible improvement of a class"}))
      << said.out;
}

TEST_F(TrainClasses, EveryNumberOfThreadsWritesTheSameBytes) {
  put(data, points(7, 3000));
  for (const std::string loss : {"softmax", "logistic"}) {
    const json first = train_json({"--threads", "1", "--loss", loss, data, folder / "1"});
    for (const std::string threads : {"2", "3", "8"}) {
      const json result = train_json({"--threads", threads, "--loss", loss, data, folder / threads});
      EXPECT_EQ(contents(folder / "1"), contents(folder / threads));
      for (const char* same : {"classes", "value", "lower_bound", "iterations", "forward_passes", "line_evaluations"})
        EXPECT_EQ(first[same], result[same]) << same;
    }
  }
}

TEST_F(TrainClasses, WeightsOfClassesAreStatedAndBalanced) {
  put(data, points(3, 90) + points(1, 60, 6));
  const json balanced = train_json({"-w", "balanced", data, model});
  EXPECT_NEAR(balanced["total_weight"], 150, 1e-10);
  EXPECT_EQ(geodescent({"verify", data, model}).code, 0);
  const json by_hand = train_json(
      {"-w3", "0.5555555555555556", "-w13", "1.6666666666666667", "-w23", "1.6666666666666667", data, folder / "b"});
  EXPECT_NEAR(by_hand["value"], balanced["value"], 1e-9);
  const json against = train_json({"-w", "balanced", "--loss", "logistic", data, model});
  EXPECT_EQ(against["status"], "converged");
  EXPECT_EQ(geodescent({"verify", data, model}).code, 0);
}

TEST_F(TrainClasses, ATraceAndProgressNameTheClass) {
  put(data, points(3, 60));
  EXPECT_EQ(geodescent({"train", "--trace", folder / "joint.csv", data, model}).code, 0);
  EXPECT_TRUE(contents(folder / "joint.csv").starts_with("iteration,value,"));
  EXPECT_EQ(geodescent({"train", "--loss", "logistic", "--trace", folder / "each.csv", data, model}).code, 0);
  std::ifstream trace(folder / "each.csv");
  std::string line, before;
  std::getline(trace, line);
  EXPECT_TRUE(line.starts_with("label,iteration,value,")) << line;
  std::vector<std::string> labels;
  while (std::getline(trace, line)) {
    const std::string label = line.substr(0, line.find(','));
    if (labels.empty() || labels.back() != label) {
      labels.push_back(label);
      EXPECT_TRUE(line.starts_with(label + ",0,")) << line;
    }
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"3", "13", "23"}));
}

TEST_F(TrainClasses, AnInterruptKeepsTheBestModelOfEachClass) {
  generate_data(data,
                {"--classes", "6", "--rows", "2000", "--features", "50", "--conditioning", "1e4", "--noise", "0.2"});
  Program program(geodescent_command({"train", "--loss", "logistic", "--method", "sd", "--l2", "1e-9", "--tol", "1e-9",
                                      "--max-iterations", "1000000000000", data, model}));
  ASSERT_TRUE(program.wait_until_it_says(" of 6  iteration "));
  program.send(SIGINT);
  const Outcome ended = program.wait();
  EXPECT_EQ(ended.code, 1);
  EXPECT_TRUE(says(ended.out, {"interrupted by Ctrl-C"})) << ended.out;
  EXPECT_NE(geodescent({"verify", data, model}).code, 1) << "its proof is true, if weak";
}

TEST_F(TrainClasses, AModelCanBeTheStart) {
  put(data, points(4, 400));
  for (const std::string loss : {"softmax", "squared-hinge"}) {
    train_json({"--loss", loss, data, model});
    const json warm = train_json({"--loss", loss, "--initial", model, data, folder / "b"});
    EXPECT_EQ(warm["status"], "converged");
    EXPECT_LE(warm["iterations"], 4);
  }
  put(folder / "two.svm", points(2, 50));
  EXPECT_EQ(geodescent({"train", "-q", folder / "two.svm", folder / "two"}).code, 0);
  const Outcome wrong = geodescent({"train", "--initial", folder / "two", data, folder / "b"});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_TRUE(says(wrong.err, {"one column of coefficients", "needs 4"})) << wrong.err;
}

TEST_F(TrainClasses, PathsAndFolds) {
  put(data, points(4, 200));
  for (const std::string loss : {"softmax", "logistic"}) {
    SCOPED_TRACE(loss);
    EXPECT_EQ(geodescent({"train", "--loss", loss, "--l2-path", "1e-4:1:3", data, model}).code, 0);
    for (const char* number : {"01", "02", "03"})
      EXPECT_EQ(geodescent({"verify", data, model + "." + number}).code, 0) << number;
    const Outcome folds =
        geodescent({"train", "--json", "--loss", loss, "--l2-path", "1e-4:1:3", "--folds", "4", data, model});
    EXPECT_EQ(folds.code, 0) << folds.err;
    const json found = json::parse(folds.out);
    for (const json& value : found["cross_validation"]["table"]) {
      EXPECT_GT(value["accuracy"], 0.5);
      EXPECT_LE(value["relative_gap"], 1e-6);
    }
    EXPECT_EQ(found["training"]["classes"].size(), 4u);
  }
  put(data, points(3, 30) + "99 1:1\n");
  const Outcome lonely = geodescent({"train", "--folds", "5", data, model});
  EXPECT_EQ(lonely.code, 3);
  EXPECT_TRUE(says(lonely.err, {"holds out the only row with label 99"})) << lonely.err;
}

TEST_F(TrainClasses, UnusualClassesHaveAClearAnswer) {
  put(data, points(3, 30) + "99 1:1\n");
  EXPECT_EQ(train_json({data, model})["status"], "converged") << "a class of one row";
  EXPECT_EQ(train_json({"--loss", "logistic", data, model})["status"], "converged");
  put(data, "0.5 1:1\n1.5 1:2\n3 1:3\n0.5 1:4\n");
  const Outcome fractions = geodescent({"train", data, model});
  EXPECT_EQ(fractions.code, 3);
  EXPECT_TRUE(says(fractions.err, {"0.5 among them", "--loss squared or huber", "--loss softmax"})) << fractions.err;
  EXPECT_EQ(train_json({"--loss", "softmax", data, model})["status"], "converged");
  EXPECT_EQ(geodescent({"verify", data, model}).code, 0);
  std::string many;
  for (int i = 0; i < 10000; ++i) many += std::to_string(i) + " " + std::to_string(i % 50 + 1) + ":1\n";
  put(data, many);
  const Outcome refused = geodescent({"train", data, model});
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(says(refused.err, {"10000 classes; softmax takes at most 512", " GB ", "--loss logistic"}))
      << refused.err;
  put(data, many + "0 500000000:1\n");
  const Outcome too_large = geodescent({"train", "--loss", "logistic", data, model});
  EXPECT_EQ(too_large.code, 3);
  EXPECT_TRUE(says(too_large.err, {"10000 classes with 500000000 features: models and proofs of one class against the "
                                   "rest take about 40 TB, but this machine has "}))
      << too_large.err;
}

}  // namespace
}  // namespace geodescent::testing
