// What training says: report, JSON, trace, progress.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "cli/support/program.hpp"
#include "geodescent/learn/model.hpp"
#include "geodescent/version.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

class TrainOutput : public ::testing::Test {
 protected:
  void SetUp() override {
    generate_data(data, {"--rows", "300", "--features", "12", "--density", "0.5", "--noise", "0.1"});
  }

  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  const std::string model = folder / "data.model";
};

TEST_F(TrainOutput, JsonHasEveryKeyAndIsConsistent) {
  const json r = train_json({"--loss", "squared-hinge", "--l2", "0.01", data, model});
  for (const char* key : {"status",
                          "message",
                          "method",
                          "loss",
                          "l2",
                          "cost",
                          "rows",
                          "features",
                          "nonzeros",
                          "labels",
                          "value",
                          "lower_bound",
                          "gap",
                          "relative_gap",
                          "distance_bound",
                          "reference_value",
                          "gradient_norm",
                          "iterations",
                          "forward_passes",
                          "backward_passes",
                          "line_evaluations",
                          "subspace_evaluations",
                          "seconds",
                          "threads",
                          "model",
                          "bias",
                          "intercept",
                          "total_weight",
                          "version"}) {
    EXPECT_TRUE(r.contains(key)) << key;
  }
  EXPECT_GT(r["gap"].get<double>(), r["value"].get<double>() - r["lower_bound"].get<double>()) << "rounded up";
  EXPECT_DOUBLE_EQ(r["gap"].get<double>(), r["value"].get<double>() - r["lower_bound"].get<double>());
  const double gain = r["reference_value"].get<double>() - r["lower_bound"].get<double>();
  EXPECT_NEAR(r["relative_gap"], r["gap"].get<double>() / gain, 1e-9 * r["relative_gap"].get<double>());
  EXPECT_EQ(r["rows"], 300);
  EXPECT_EQ(r["features"], 12);
  EXPECT_EQ(r["labels"]["negative"], -1);
  EXPECT_EQ(r["labels"]["positive"], 1);
  EXPECT_EQ(r["labels"]["negative_rows"].get<int>() + r["labels"]["positive_rows"].get<int>(), 300);
  EXPECT_EQ(r["version"], GEODESCENT_VERSION_STRING);
  EXPECT_EQ(r["model"], model);
  for (const char* part : {"load", "train", "proof", "total"}) EXPECT_GE(r["seconds"][part], 0) << part;
  EXPECT_GE(r["seconds"]["total"], r["seconds"]["train"]);
}

TEST_F(TrainOutput, ModelFileHoldsWhatTheJsonSays) {
  const json r = train_json({data, model});
  const LinearModel written = read_model(model);
  EXPECT_EQ(written.risk.loss, "logistic");
  EXPECT_EQ(written.method, "geod-memory");
  EXPECT_EQ(written.status, "converged");
  EXPECT_EQ(written.risk.l2, 1e-4);
  EXPECT_EQ(written.value, r["value"].get<double>());
  EXPECT_EQ(written.lower_bound, r["lower_bound"].get<double>());
  EXPECT_EQ(written.weights.size(), 12u);
}

TEST_F(TrainOutput, JsonGoesAloneToStandardOutput) {
  const Outcome outcome = geodescent({"train", "--json", data, model});
  EXPECT_TRUE(json::accept(outcome.out)) << outcome.out;
  EXPECT_NE(outcome.err.find("status      converged"), std::string::npos) << outcome.err;
}

TEST_F(TrainOutput, ReportSaysWhatMatters) {
  const Outcome outcome = geodescent({"train", "--threads", "1", data, model});
  EXPECT_EQ(outcome.err, "");
  for (const char* part :
       {"300 rows, 12 features", "1 is the positive class", "mean logistic loss", "l2 = 0.0001",
        "geod-memory, 1 thread\n", "converged: ", "value ", "lower bound ", "proven gap ",
        "distance    the coefficients are at most ", "iterations", "passes", "load", "train", "data.model"}) {
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in\n" << outcome.out;
  }
}

TEST_F(TrainOutput, QuietIsQuiet) {
  const Outcome outcome = geodescent({"train", "--quiet", data, model});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_TRUE(std::filesystem::exists(model));
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) result.push_back(cell);
  return result;
}

TEST_F(TrainOutput, TraceHasOneRowAnIterationFromTheStart) {
  const std::string path = folder / "trace.csv";
  const json r = train_json({"--trace", path, data, model});
  std::istringstream trace(contents(path));
  std::string line;
  std::getline(trace, line);
  EXPECT_EQ(line,
            "iteration,value,lower_bound,gradient_norm,forward_passes,backward_passes,line_evaluations,subspace_"
            "evaluations,seconds");
  std::uint64_t rows = 0;
  double value = std::numeric_limits<double>::infinity();
  double bound = -value;
  std::vector<std::string> row;
  while (std::getline(trace, line)) {
    row = cells(line);
    ASSERT_EQ(row.size(), 9u) << line;
    EXPECT_EQ(std::stoull(row[0]), rows++);
    EXPECT_LE(std::stod(row[1]), value) << "the best value so far cannot grow: " << line;
    EXPECT_GE(std::stod(row[2]), bound) << "the best bound so far cannot fall: " << line;
    value = std::stod(row[1]);
    bound = std::stod(row[2]);
    if (rows == 1) {
      EXPECT_EQ(value, r["reference_value"].get<double>());
    }
  }
  EXPECT_EQ(rows, r["iterations"].get<std::uint64_t>() + 1);
  EXPECT_LE(std::stoull(row[4]), r["forward_passes"].get<std::uint64_t>());
  EXPECT_NEAR(value, r["value"], 1e-12);
}

TEST_F(TrainOutput, NumbersThatOverflowAreSaidAndNoModelIsWritten) {
  put(data, "1 1:1e300 2:1e300\n-1 1:-1e300 2:1e300\n1 1:1e300 2:-3\n");
  const Outcome outcome = geodescent({"train", "--json", "--loss", "squared", data, model});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  const json r = json::parse(outcome.out);
  EXPECT_EQ(r["status"], "not_finite") << outcome.out;
  EXPECT_TRUE(r["model"].is_null());
  EXPECT_FALSE(std::filesystem::exists(model));
  EXPECT_NE(outcome.err.find("none written"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace geodescent::testing
