// Several values of l2: a path of models, and cross-validation that chooses one.
#include <signal.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cli/support/program.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/learn/model.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

class TrainPath : public ::testing::Test {
 protected:
  void SetUp() override {
    generate_data(data, {"--rows", "300", "--features", "12", "--density", "0.5", "--noise", "0.15"});
  }

  /// The certificate holds for the model on the data, checked by the library and, where there is
  /// one, by the command.
  void expect_proven(const std::string& path) const {
    SCOPED_TRACE(path);
    const Verification check = verify(read_dataset(data), read_model(path), read_certificate(path));
    EXPECT_TRUE(check.holds) << check.reason;
    if (geodescent({"verify", "--help"}).code != 0) return;
    const Outcome outcome = geodescent({"verify", data, path});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  }

  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  const std::string model = folder / "data.model";
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST_F(TrainPath, WritesAModelAndAProofForEachValue) {
  const json r = train_json({"--l2-path", "1e-4:1:3", data, model});
  EXPECT_EQ(r["exit_code"], 0);
  EXPECT_EQ(r["converged"], true);
  ASSERT_EQ(r["path"].size(), 3u);
  const double expected[] = {1, 1e-2, 1e-4};
  for (std::size_t k = 0; k < 3; ++k) {
    const json& one = r["path"][k];
    const std::string path = model + ".0" + std::to_string(k + 1);
    EXPECT_NEAR(one["l2"], expected[k], 1e-12 * expected[k]);
    EXPECT_EQ(one["status"], "converged");
    EXPECT_EQ(one["model"], path);
    EXPECT_EQ(one["rows"], 300);
    const LinearModel written = read_model(path);
    EXPECT_EQ(written.risk.l2, one["l2"].get<double>());
    EXPECT_EQ(written.value, one["value"].get<double>());
    expect_proven(path);
    // A path finds what single trainings find, within what is proven.
    const json alone = train_json({"--l2", one["l2"].dump(), data, folder / "alone"});
    EXPECT_LE(alone["lower_bound"], one["value"]);
    EXPECT_LE(one["lower_bound"], alone["value"]);
  }
  EXPECT_FALSE(std::filesystem::exists(model));
  EXPECT_EQ(r["table"], model + ".path.csv");
  EXPECT_EQ(folder.files(), 1u + 3 + 1 + 1);  // data, the path, its table, the model alone
}

TEST_F(TrainPath, TableIsPrintedAndWritten) {
  const Outcome outcome = geodescent({"train", "--l2-path", "0.01:1:4", data, model});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto table = lines_of(contents(model + ".path.csv"));
  ASSERT_EQ(table.size(), 5u);
  EXPECT_EQ(table[0], "number,l2,cost,status,value,relative_gap,passes,seconds,file");
  EXPECT_EQ(table[1].rfind("1,1,", 0), 0u) << table[1];
  EXPECT_EQ(table[4].rfind("4,0.01,", 0), 0u) << table[4];
  for (const char* part :
       {"300 rows, 12 features", "relative_gap", "converged", "data.model.04", "data.model.path.csv"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in\n" << outcome.out;
  const Outcome quiet = geodescent({"train", "-q", "--l2-path", "0.01:1:4", data, model});
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(TrainPath, NumbersHaveAsManyDigitsAsTheLast) {
  generate_data(data, {"--rows", "20", "--features", "3"});  // check.py reads 100 certificates
  ASSERT_EQ(geodescent({"train", "-q", "--l2-path", "0.1:1:100", data, model}).code, 0);
  for (const char* number : {".001", ".042", ".100"}) EXPECT_TRUE(std::filesystem::exists(model + number)) << number;
}

TEST_F(TrainPath, NotConvergedIsCodeOne) {
  const json r = train_json({"--l2-path", "1e-6:1:3", "--max-iterations", "1", "--method", "sd", data, model});
  EXPECT_EQ(r["exit_code"], 1);
  EXPECT_EQ(r["converged"], false);
  EXPECT_EQ(r["path"].size(), 3u);
  EXPECT_TRUE(std::filesystem::exists(model + ".03"));
}

TEST_F(TrainPath, WithoutATolerancePrecisionEndsIt) {
  const json path = train_json({"--l2-path", "0.1:1:2", "--tol", "0", data, model});
  EXPECT_EQ(path["exit_code"], 0);
  EXPECT_EQ(path["path"][0]["status"], "precision_limit");
  const json chosen = train_json({"--l2-path", "0.1:1:2", "--folds", "2", "--tol", "0", data, model});
  EXPECT_EQ(chosen["exit_code"], 0) << chosen["cross_validation"]["warnings"];
}

TEST_F(TrainPath, InterruptKeepsTheFinishedModels) {
  generate_data(data, {"--rows", "2000", "--features", "50", "--conditioning", "1e4", "--noise", "0.2"});
  Program program(geodescent_command({"train", "--json", "--l2-path", "1e-9:100:2", "--method", "sd", "--threads", "1",
                                      "--max-iterations", "1000000000000", "--tol", "1e-9", data, model}));
  ASSERT_TRUE(program.wait_until_it_says("2 of 2"));
  program.send(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  const json r = json::parse(outcome.out);
  EXPECT_EQ(r["path"].size(), 1u);
  EXPECT_EQ(r["models_asked"], 2);
  EXPECT_TRUE(std::filesystem::exists(model + ".01"));
  EXPECT_FALSE(std::filesystem::exists(model + ".02"));
  EXPECT_EQ(lines_of(contents(model + ".path.csv")).size(), 2u);
  EXPECT_EQ(folder.files(), 3u) << "no temporary files stay";
}

TEST_F(TrainPath, SpecsThatMakeNoSenseAreUsageErrors) {
  const auto before = snapshot(folder.path().string());
  const auto expect_usage = [&](std::vector<std::string> arguments, const std::string& said) {
    SCOPED_TRACE(::testing::PrintToString(arguments));
    arguments.insert(arguments.begin(), "train");
    arguments.insert(arguments.end(), {data, model});
    const Outcome outcome = geodescent(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
  };
  for (const char* spec : {"1:0.1:5", "1:1:5", "0.1:1:1", "0.1:1:0", "0:1:3", "-1:1:3", "a:1:3", "0.1:b:3", "0.1:1:c",
                           "0.1:1", "0.1", "", "0.1:1:3:4", "0.1:inf:3", "0.1:1:2.5", "0.1:1:1001", "nan:1:3"})
    expect_usage({std::string("--l2-path=") + spec}, "LOW:HIGH:N");
  const std::string path = "--l2-path=0.1:1:3";
  expect_usage({path, "--l2", "1"}, "excludes");
  expect_usage({path, "--cost", "1"}, "excludes");
  expect_usage({path, "--initial", "m"}, "excludes");
  expect_usage({path, "--trace", "t"}, "excludes");
  expect_usage({"--folds", "1"}, "at least 2");
  expect_usage({"--folds", "x"}, "whole number");
  expect_usage({"--seed", "1"}, "--folds");
  expect_usage({"--report", "r"}, "--folds");
  EXPECT_EQ(snapshot(folder.path().string()), before);
}

TEST_F(TrainPath, AReportReplacesNeitherTheModelNorTheDataNorAnybodysFiles) {
  const std::string here = folder.path().string(), page = folder / "report.html";
  const Outcome model_there = geodescent({"train", "--folds", "3", "--report", here, data, page});
  EXPECT_EQ(model_there.code, 2);
  EXPECT_NE(model_there.err.find("are the same file"), std::string::npos) << model_there.err;
  for (const char* name : {"report.json", "cross-validation.csv"}) {
    put(folder / name, contents(data));
    const Outcome data_there = geodescent({"train", "--folds", "3", "--report", here, folder / name, model});
    EXPECT_EQ(data_there.code, 3);
    EXPECT_NE(data_there.err.find("is not a file of an earlier report"), std::string::npos) << data_there.err;
    EXPECT_EQ(contents(folder / name), contents(data));
    std::filesystem::remove(folder / name);
  }
  EXPECT_EQ(folder.files(), 1u) << "only the data";
}

TEST_F(TrainPath, OutputsAreCheckedBeforeTheWork) {
  std::filesystem::create_directory(model + ".02");
  const Outcome taken = geodescent({"train", "--l2-path", "0.1:1:3", folder / "missing.svm", model});
  EXPECT_EQ(taken.code, 3);
  EXPECT_NE(taken.err.find("data.model.02: cannot write"), std::string::npos) << taken.err;
  const Outcome itself = geodescent({"train", "--l2-path", "0.1:1:3", folder / "a.01", folder / "a"});
  EXPECT_EQ(itself.code, 2);
  EXPECT_NE(itself.err.find("same file"), std::string::npos) << itself.err;
  const Outcome no_folder = geodescent({"train", "--folds", "3", "--report", data, folder / "missing.svm", model});
  EXPECT_EQ(no_folder.code, 3);
  EXPECT_NE(no_folder.err.find("--report"), std::string::npos) << no_folder.err;
}

using CrossValidated = TrainPath;

TEST_F(CrossValidated, ChoosesAndTrainsOneModel) {
  const json r = train_json({"--l2-path", "1e-4:10:6", "-v", "4", "--seed", "3", data, model});
  EXPECT_EQ(r["exit_code"], 0);
  const json& found = r["cross_validation"];
  EXPECT_EQ(found["folds"], 4);
  EXPECT_EQ(found["seed"], 3);
  ASSERT_EQ(found["table"].size(), 6u);
  double least = std::numeric_limits<double>::infinity(), chosen = 0;
  for (const json& row : found["table"]) {
    EXPECT_GT(row["standard_error"], 0);
    EXPECT_GT(row["accuracy"], 0.5);
    EXPECT_TRUE(row["mean_squared_error"].is_null());
    EXPECT_LE(row["relative_gap"], 1e-6);
    if (row["loss"] < least) least = row["loss"], chosen = row["l2"];
  }
  EXPECT_EQ(found["chosen_l2"], chosen);
  EXPECT_GE(found["one_standard_error_l2"], chosen);
  EXPECT_EQ(r["training"]["l2"], chosen);
  EXPECT_EQ(r["training"]["rows"], 300);
  EXPECT_EQ(read_model(model).risk.l2, chosen);
  expect_proven(model);
  EXPECT_EQ(folder.files(), 2u) << "data, model";
}

TEST_F(CrossValidated, SaysTheTableAndMarksTheChoice) {
  const Outcome outcome = geodescent({"train", "--l2-path", "1e-4:10:6", "--folds", "4", data, model});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part :
       {"4-fold cross-validation, seed 1", "standard_error", "accuracy", "  chosen\n", "status      "})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in\n" << outcome.out;
  EXPECT_EQ(outcome.out.find("warning"), std::string::npos) << outcome.out;
  const Outcome narrow = geodescent({"train", "--l2-path", "1:10:3", "--folds", "4", data, model});
  EXPECT_NE(narrow.out.find("lower end of the path; a smaller l2 may do better"), std::string::npos) << narrow.out;
}

TEST_F(CrossValidated, WithoutAPathMeasuresOneValue) {
  const json r = train_json({"--l2", "0.01", "--folds", "5", data, model});
  ASSERT_EQ(r["cross_validation"]["table"].size(), 1u);
  EXPECT_EQ(r["cross_validation"]["chosen_l2"], 0.01);
  EXPECT_EQ(r["training"]["l2"], 0.01);
  const json by_default = train_json({"--folds", "5", data, model});
  EXPECT_EQ(by_default["cross_validation"]["chosen_l2"], 1e-4);
}

TEST_F(CrossValidated, OfARegressionMeasuresSquaredErrors) {
  generate_data(data, {"--rows", "200", "--features", "8", "--regression", "--noise", "0.1"});
  const json r = train_json({"--loss", "squared", "--l2-path", "1e-6:1:4", "--folds", "3", data, model});
  for (const json& row : r["cross_validation"]["table"]) {
    EXPECT_TRUE(row["accuracy"].is_null());
    EXPECT_NEAR(row["mean_squared_error"].get<double>(), 2 * row["loss"].get<double>(), 1e-9);
  }
}

TEST_F(CrossValidated, SeedsAndThreads) {
  const auto table = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"--l2-path", "0.01:1:3", "--folds", "3", data, model};
    words.insert(words.end(), more.begin(), more.end());
    return train_json(words)["cross_validation"]["table"].dump();
  };
  EXPECT_EQ(table({"--threads", "1"}), table({"--threads", "3"}));
  EXPECT_EQ(table({}), table({"--seed", "1"}));
  EXPECT_NE(table({}), table({"--seed", "2"}));
}

TEST_F(CrossValidated, ReportIsAPage) {
  const std::string page = folder / "page";
  const json r = train_json({"--l2-path", "1e-4:10:6", "--folds", "3", "--report", page, data, model});
  EXPECT_EQ(r["report"], page);
  EXPECT_TRUE(std::filesystem::exists(page + "/report.html"));
  const auto table = lines_of(contents(page + "/cross-validation.csv"));
  ASSERT_EQ(table.size(), 7u);
  EXPECT_EQ(table[0], "l2,cost,loss,standard_error,accuracy,relative_gap,choice");
  EXPECT_EQ(std::ranges::count_if(table, [](const std::string& line) { return line.ends_with(",chosen"); }), 1);
  const json written = json::parse(contents(page + "/report.json"));
  EXPECT_EQ(written["figures"][0]["panels"].size(), 2u);
  EXPECT_EQ(std::filesystem::exists(page + "/figures/held-out.svg"), installed("gnuplot"));
}

// Later curves are drawn over earlier ones.
TEST_F(CrossValidated, NothingInItsChartsHidesAMeasuredPoint) {
  const std::string page = folder / "page";
  train_json({"--l2-path", "1e-4:10:30", "--folds", "3", "--report", page, data, model});
  const std::string html = contents(page + "/report.html"), before = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = html.find(before) + before.size();
  const json drawn = json::parse(html.substr(begin, html.find("</script>", begin) - begin));
  for (const json& panel : drawn["figures"][0]["panels"]) {
    const json &mark = panel["curves"].front(), &measured = panel["curves"].back();
    ASSERT_EQ(mark["method"], "chosen");
    ASSERT_EQ(measured["method"], "held-out");
    EXPECT_EQ(measured["markers"].size(), 30u) << "every point has a marker";
    for (const json& y : measured["y"]) {
      EXPECT_LT(mark["y"][0], y);
      EXPECT_GT(mark["y"][1], y);
    }
  }
}

TEST_F(CrossValidated, InterruptLeavesNothing) {
  generate_data(data, {"--rows", "2000", "--features", "50", "--conditioning", "1e4", "--noise", "0.2"});
  Program program(geodescent_command({"train", "--l2-path", "1e-9:100:2", "--folds", "3", "--method", "sd", "--threads",
                                      "1", "--max-iterations", "1000000000000", "--tol", "1e-9", data, model}));
  ASSERT_TRUE(program.wait_until_it_says("fold 1 of 3  2 of 2"));
  program.send(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 128 + SIGINT);
  EXPECT_TRUE(outcome.err.ends_with("\ngeodescent: ended by Ctrl-C; unfinished files are not written\n"))
      << outcome.err;
  EXPECT_EQ(folder.files(), 1u);
}

// LIBLINEAR's -v writes no model. Here a model that exists is replaced by name only.
TEST_F(CrossValidated, ReplacesNoModelThatWasNotNamed) {
  const Surroundings here{.folder = folder.path().string()};
  put(folder / "data.svm.model", "kept");
  const Outcome refused = geodescent({"train", "-v", "3", data}, here);
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(is_one_error_line(refused.err)) << refused.err;
  EXPECT_TRUE(says(refused.err, {"--folds also trains a model, and data.svm.model exists; give MODEL to replace it"}))
      << refused.err;
  EXPECT_EQ(contents(folder / "data.svm.model"), "kept");
  EXPECT_EQ(geodescent({"train", "-v", "3", data, "data.svm.model"}, here).code, 0);
  EXPECT_NE(contents(folder / "data.svm.model"), "kept");
  EXPECT_EQ(geodescent({"train", data}, here).code, 0) << "without folds the default name is replaced, as in LIBLINEAR";
  std::filesystem::remove(folder / "data.svm.model");
  EXPECT_EQ(geodescent({"train", "-v", "3", data}, here).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "data.svm.model"));
}

TEST_F(CrossValidated, HasTheScoreLineOfLiblinear) {
  const Outcome outcome = geodescent({"train", "--json", "-v", "4", "--l2-path", "0.001:1:3", data, model});
  const json found = json::parse(outcome.out)["cross_validation"];
  for (const json& row : found["table"]) {
    if (row["l2"] != found["chosen_l2"]) continue;
    const std::string line = fmt::format("\nCross Validation Accuracy = {:g}%\n", 100 * row["accuracy"].get<double>());
    EXPECT_TRUE(says(outcome.err, {line})) << line << outcome.err;
  }
  const Outcome regression = geodescent({"train", "--loss", "squared", "-v", "4", data, model});
  EXPECT_TRUE(says(regression.out, {"\nCross Validation Mean squared error = 0."})) << regression.out;
}

TEST_F(CrossValidated, DataThatDoNotSufficeAreSaid) {
  put(data, "1 1:1\n-1 1:2\n-1 1:3\n-1 1:1\n");
  const Outcome lonely = geodescent({"train", "--folds", "2", data, model});
  EXPECT_EQ(lonely.code, 3);
  EXPECT_TRUE(is_one_error_line(lonely.err)) << lonely.err;
  EXPECT_NE(lonely.err.find(" holds out the only row with label 1"), std::string::npos) << lonely.err;
  const Outcome few = geodescent({"train", "--folds", "9", data, model});
  EXPECT_EQ(few.code, 3);
  EXPECT_NE(few.err.find("at most 4"), std::string::npos) << few.err;
  EXPECT_EQ(folder.files(), 1u);
}

}  // namespace
}  // namespace geodescent::testing
