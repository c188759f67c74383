// Training end to end: every method, every loss, every number of threads.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/support/program.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/method_choice.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

TEST(Train, AutoIsTheDefaultMethodByAnotherName) {
  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  generate_data(data, {"--rows", "100", "--features", "10"});
  const json by_name = train_json({"--method", "auto", "--l2", "1e-2", data, folder / "auto.model"}),
             by_default = train_json({"--l2", "1e-2", data, folder / "default.model"});
  EXPECT_EQ(by_name["method"], std::string(default_method));
  EXPECT_EQ(by_name["value"], by_default["value"]);
}

TEST(Train, AllMethodsAgreeWithinTheirProvenGaps) {
  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  generate_data(data, {"--rows", "400", "--features", "20", "--density", "0.5", "--noise", "0.1"});
  std::vector<json> results;
  for (const MethodInfo& method : methods()) {
    const std::string name(method.name);
    const json result = train_json({"--method", name, "--l2", "1e-2", data, folder / (name + ".model")});
    SCOPED_TRACE(result.dump());
    EXPECT_EQ(result["status"], "converged");
    EXPECT_EQ(result["exit_code"], 0);
    EXPECT_EQ(result["method"], name);
    EXPECT_LE(result["relative_gap"], 1e-6);
    EXPECT_TRUE(std::filesystem::exists(folder / (name + ".model")));
    results.push_back(result);
  }
  for (const json& a : results) {
    for (const json& b : results) EXPECT_LE(a["lower_bound"], b["value"]) << a["method"] << " against " << b["method"];
  }
}

TEST(Train, EveryLossTrainsAndPredicts) {
  const TemporaryFolder folder;
  for (const LossInfo& loss : losses()) {
    const std::string name(loss.name);
    SCOPED_TRACE(name);
    const bool regression = loss.task == Task::regression;
    const std::string data = folder / (name + ".svm");
    std::vector<std::string> shape{"--rows", "300", "--features", "10", "--density", "0.8", "--noise", "0.05"};
    if (regression) shape.emplace_back("--regression");
    generate_data(data, shape);
    const json result = train_json({"--loss", name, "--l2", "1e-3", data, folder / (name + ".model")});
    EXPECT_EQ(result["status"], "converged") << result.dump();
    EXPECT_EQ(result["loss"], name);
    EXPECT_EQ(result["labels"].is_null(), regression);
    EXPECT_EQ(result["huber_delta"].is_null(), name != "huber");
    const Outcome prediction = geodescent({"predict", "--json", "--quiet", data, folder / (name + ".model")});
    ASSERT_EQ(prediction.code, 0) << prediction.err;
    const json score = json::parse(prediction.out);
    if (regression) {
      EXPECT_LT(score["mean_squared_error"], 1);
    } else {
      EXPECT_GT(score["accuracy"], 0.8);
    }
  }
}

TEST(Train, AnyNumberOfThreadsGivesTheSameBits) {
  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  generate_data(data, {"--rows", "20000", "--features", "30", "--density", "0.3", "--noise", "0.1"});
  json first;
  for (const std::string threads : {"1", "2", "3"}) {
    json result = train_json({"--threads", threads, "--max-iterations", "15", data, folder / threads});
    EXPECT_EQ(result["threads"], std::stoi(threads));
    for (const char* different : {"threads", "seconds", "model"}) result.erase(different);
    for (const char* different : {"peak_bytes", "peak_bytes_after_newton"}) result["memory"].erase(different);
    if (first.is_null()) first = result;
    EXPECT_EQ(first.dump(), result.dump());
    EXPECT_EQ(contents(folder / "1"), contents(folder / threads));
  }
}

TEST(Train, CostIsRegularisationInOtherWords) {
  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  generate_data(data, {"--rows", "200", "--features", "10"});
  const json by_l2 = train_json({"--l2", "0.005", data, folder / "a"});
  EXPECT_DOUBLE_EQ(by_l2["cost"], 1.0);
  const json by_cost = train_json({"-c", "1", data, folder / "b"});
  EXPECT_DOUBLE_EQ(by_cost["l2"], 0.005);
  const Outcome said = geodescent({"train", "--cost", "2", data, folder / "c"});
  EXPECT_NE(said.out.find("l2 = 0.0025, which is C = 2"), std::string::npos) << said.out;
}

TEST(Train, CostIsLiblinearsForTheSquaredLossesToo) {
  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  generate_data(data, {"--rows", "200", "--features", "10"});
  EXPECT_DOUBLE_EQ(train_json({"--loss", "squared-hinge", "-c", "1", data, folder / "a"})["l2"], 0.0025);
  EXPECT_DOUBLE_EQ(train_json({"--loss", "huber", "-c", "1", data, folder / "a"})["l2"], 0.005);
}

TEST(Train, WeightsOfClassesCountRows) {
  const TemporaryFolder folder;
  put(folder / "data.svm", "1 1:1 2:1\n-1 1:-1 2:0.5\n1 1:0.3\n-1 2:2\n");
  put(folder / "twice.svm", "1 1:1 2:1\n1 1:1 2:1\n-1 1:-1 2:0.5\n1 1:0.3\n1 1:0.3\n-1 2:2\n");
  const json weighted = train_json({"-w1", "2", "-w-1", "1", "--tol", "1e-10", folder / "data.svm", folder / "a"});
  const json repeated = train_json({"--tol", "1e-10", folder / "twice.svm", folder / "b"});
  EXPECT_EQ(weighted["total_weight"], 6);
  EXPECT_EQ(weighted["cost"], repeated["cost"]);
  EXPECT_NEAR(weighted["value"], repeated["value"], 1e-12);
  EXPECT_NEAR(weighted["intercept"], repeated["intercept"], 1e-5);
  put(folder / "weights", "2\n1\n2\n1\n");
  const json by_row = train_json({"--row-weights", folder / "weights", folder / "data.svm", folder / "c"});
  EXPECT_EQ(by_row["total_weight"], 6);
  const json without = train_json({"--class-weight", "1", "0.5", "-w", "-1", "0.5", folder / "data.svm", folder / "d"});
  EXPECT_EQ(without["total_weight"], 2);
}

TEST(Train, BalancedClassesHaveEqualWeights) {
  const TemporaryFolder folder;
  put(folder / "data.svm", "1 1:1 2:1\n-1 1:-1 2:0.5\n1 1:0.3\n1 2:2\n");
  const json balanced = train_json({"-w", "balanced", "--tol", "1e-10", folder / "data.svm", folder / "a"});
  const json explicit_ = train_json(
      {"-w", "1", "0.66666666666666663", "-w", "-1", "2", "--tol", "1e-10", folder / "data.svm", folder / "b"});
  EXPECT_EQ(balanced["total_weight"], 4);
  EXPECT_EQ(balanced["value"], explicit_["value"]);
  EXPECT_EQ(contents(folder / "a"), contents(folder / "b"));
  EXPECT_EQ(geodescent({"verify", "-wbalanced", folder / "data.svm", folder / "a"}).code, 0);
  EXPECT_EQ(geodescent({"verify", "--class-weight=balanced", folder / "data.svm", folder / "a"}).code, 0);
}

TEST(Train, AModelCanBeTheStart) {
  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  generate_data(data, {"--rows", "500", "--features", "20", "--noise", "0.1"});
  for (const std::string bias : {"none", "free", "regularized"}) {
    SCOPED_TRACE(bias);
    const json cold = train_json({"--bias", bias, data, folder / "a"});
    const json warm = train_json({"--bias", bias, "--initial", folder / "a", data, folder / "b"});
    EXPECT_EQ(warm["status"], "converged");
    EXPECT_LE(warm["iterations"], 1);
    EXPECT_NEAR(warm["reference_value"], cold["reference_value"], 1e-12) << "measured from zero, whatever the start";
  }
  put(folder / "small.svm", "1 1:1 2:1\n-1 1:-1 2:0.5\n");
  const Outcome wrong = geodescent({"train", "--initial", folder / "a", folder / "small.svm", folder / "c"});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(wrong.err.find("20 features"), std::string::npos) << wrong.err;
}

TEST(Train, ModelIsNamedAfterTheDataInTheCurrentFolder) {
  const TemporaryFolder folder;
  const TemporaryFolder elsewhere;
  generate_data(elsewhere / "plain.svm", {"--rows", "20", "--features", "3", "--density", "1"});
  Surroundings here;
  here.folder = folder.path().string();
  EXPECT_EQ(geodescent({"train", elsewhere / "plain.svm"}, here).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "plain.svm.model"));
  for (const std::string suffix : {".gz", ".bz2", ".xz", ".zst"}) {
    std::filesystem::remove_all(folder / "sample.svm.model");
    const Outcome outcome =
        geodescent({"train", "--loss", "squared", GEODESCENT_TEST_DATA "/compressed/sample.svm" + suffix}, here);
    EXPECT_LE(outcome.code, 1) << outcome.err;
    EXPECT_TRUE(std::filesystem::exists(folder / "sample.svm.model")) << suffix;
  }
  EXPECT_EQ(folder.files(), 2u) << "two models with their proofs";
}

TEST(Train, ReadsStandardInput) {
  const TemporaryFolder folder;
  generate_data(folder / "data.svm", {"--rows", "50", "--features", "5"});
  Surroundings piped;
  piped.input = folder / "data.svm";
  EXPECT_EQ(geodescent({"train", "--quiet", "-", folder / "a.model"}, piped).code, 0);
  EXPECT_EQ(geodescent({"train", "--quiet", folder / "data.svm", folder / "b.model"}).code, 0);
  EXPECT_EQ(contents(folder / "a.model"), contents(folder / "b.model"));
  const Outcome nameless = geodescent({"train", "-"}, piped);
  EXPECT_EQ(nameless.code, 2);
  EXPECT_NE(nameless.err.find("MODEL"), std::string::npos) << nameless.err;
}

TEST(Train, DataMayBeCalledLikeACommand) {
  const TemporaryFolder folder;
  generate_data(folder / "info", {"--rows", "50", "--features", "5"});
  Surroundings here;
  here.folder = folder.path().string();
  EXPECT_EQ(geodescent({"train", "info", "predict"}, here).code, 0);
  EXPECT_EQ(geodescent({"predict", "info", "predict", "train"}, here).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "train"));
}

TEST(Train, LimitsEndItWithCodeOneAndAModel) {
  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  generate_data(data, {"--rows", "200", "--features", "20", "--noise", "0.1"});
  const json iterations = train_json({"--max-iterations", "3", data, folder / "a.model"});
  EXPECT_EQ(iterations["status"], "iteration_limit");
  EXPECT_EQ(iterations["iterations"], 3);
  EXPECT_EQ(iterations["exit_code"], 1);
  EXPECT_NE(contents(folder / "a.model").find("status iteration_limit\n"), std::string::npos);
  const json seconds = train_json({"--max-seconds", "0", data, folder / "b.model"});
  EXPECT_EQ(seconds["status"], "time_limit");
  EXPECT_EQ(seconds["exit_code"], 1);
  const json precision = train_json({"--tol", "0", data, folder / "c.model"});
  EXPECT_EQ(precision["status"], "precision_limit") << precision.dump();
  EXPECT_EQ(precision["exit_code"], 0) << "the precision limit is what --tol 0 asks for";
  EXPECT_EQ(train_json({"--tol", "0", "--max-iterations", "3", data, folder / "d.model"})["exit_code"], 1);
  EXPECT_EQ(train_json({"--tol", "1e-30", data, folder / "e.model"})["exit_code"], 1);
}

TEST(Train, FeaturesWidenTheModel) {
  const TemporaryFolder folder;
  put(folder / "data.svm", "1 1:1 2:1\n-1 1:-1 2:0.5\n");
  const json result = train_json({"--features", "7", folder / "data.svm", folder / "model"});
  EXPECT_EQ(result["features"], 7);
  EXPECT_EQ(result["nonzeros"], 4);
  EXPECT_NE(contents(folder / "model").find("\nnr_feature 7\n"), std::string::npos);
}

TEST(Train, RealDataWhereItIsAtHand) {
  const std::string shared = GEODESCENT_SHARED_DATA "/binary/";
  if (!std::filesystem::exists(shared + "a1a.xz")) GTEST_SKIP() << "no shared data here";
  const TemporaryFolder folder;
  const auto train_with = [&](const std::string& method) {
    return train_json(
        {"--method", method, "--loss", "smoothed-hinge", "--l2", "1e-4", shared + "a1a.xz", folder / method});
  };
  const json geod = train_with("geod");
  const json lbfgs = train_with("lbfgs");
  EXPECT_EQ(geod["status"], "converged");
  EXPECT_EQ(lbfgs["status"], "converged");
  EXPECT_EQ(geod["rows"], 1605);
  EXPECT_EQ(geod["nonzeros"], 22249);
  EXPECT_EQ(geod["labels"]["positive_rows"], 395);
  EXPECT_LE(geod["lower_bound"], lbfgs["value"]);
  EXPECT_LE(lbfgs["lower_bound"], geod["value"]);
}

}  // namespace
}  // namespace geodescent::testing
