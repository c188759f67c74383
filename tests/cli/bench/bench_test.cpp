// `geodescent bench`: the experiments from the outside, on sizes that take no time.
#include <signal.h>

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

class Bench : public ::testing::Test {
 protected:
  const TemporaryFolder folder;
  const std::string out = folder / "results";
};

TEST_F(Bench, WorstCaseWritesItsResults) {
  const Outcome outcome = geodescent({"bench", "worst-case", "--beta", "100", "--methods", "geod", "--out", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("holds: "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("results/report.html"), std::string::npos) << outcome.out;
  for (const char* file : {"report.html", "report.json", "claims.csv", "iterations.csv", "curves.csv"})
    EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
  const json report = json::parse(contents(out + "/report.json"));
  EXPECT_EQ(report["experiment"], "worst-case");
  EXPECT_NE(report.dump().find("geodescent bench worst-case --beta 100 --methods geod"), std::string::npos);
}

TEST_F(Bench, BallsWritesItsResultsAndGoesOnWithThem) {
  const std::string data = folder / "data";
  std::filesystem::create_directory(data);
  generate_data(data + "/heart_scale", {"--rows", "60", "--features", "6", "--noise", "0.1"});
  const std::vector<std::string> words{"bench", "balls",   "--data", data,        "--sets", "heart_scale",      "--l2",
                                       "1e-2",  "--sizes", "5,2",    "--decades", "2",      "--max-iterations", "30",
                                       "--out", out};
  const Outcome outcome = geodescent(words);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("intersects 5 balls"), std::string::npos) << outcome.out;
  for (const char* file : {"report.html", "report.json", "claims.csv", "balls-iterations.csv", "balls-passes.csv",
                           "balls-worst-case.csv", "results.csv", "summary.csv", "cells.jsonl"})
    EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
  const std::string journal = contents(out + "/cells.jsonl"), table = contents(out + "/balls-iterations.csv");
  ASSERT_EQ(geodescent(words).code, 0);
  EXPECT_EQ(contents(out + "/cells.jsonl"), journal);
  EXPECT_EQ(contents(out + "/balls-iterations.csv"), table);
}

TEST_F(Bench, BallsRefusesSizesThatMakeNoSense) {
  for (const auto& [sizes, words] : {std::pair{"2,2", "2 is given twice"}, {"2.5", "whole"}, {"0", "at least 1"}}) {
    const Outcome outcome = geodescent({"bench", "balls", "--stand-ins", "--sizes", sizes, "--out", out});
    EXPECT_EQ(outcome.code, 2) << sizes;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  }
}

TEST_F(Bench, GeometryWritesItsResults) {
  const Outcome outcome = geodescent({"bench", "geometry", "--steps", "2", "--method", "ball", "--out", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find("does not hold"), std::string::npos) << outcome.out;
  for (const char* file : {"report.html", "report.json", "claims.csv", "steps.csv"})
    EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
  if (!installed("gnuplot")) GTEST_SKIP() << "no gnuplot here";
  for (const char* file : {"one-ball-shrinks.svg", "two-balls-shrink.pdf", "step-02.svg", "step-02.pdf", "run.gif"})
    EXPECT_TRUE(std::filesystem::exists(out + "/figures/" + file)) << file;
}

TEST_F(Bench, FunctionsWritesItsResults) {
  const Outcome outcome = geodescent({"bench", "functions", "--problems", "valley,powell-singular", "--max-evaluations",
                                      "200", "--methods", "geod-memory,lbfgs:memory=5", "--out", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("evaluations to accuracy 1e-06"), std::string::npos) << outcome.out;
  for (const char* file : {"report.html", "report.json", "claims.csv", "summary.csv", "problems-1e-06.csv",
                           "estimates.csv", "references.csv", "results.csv"})
    EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
  const std::string results = contents(out + "/results.csv");
  EXPECT_NE(results.find("valley,lbfgs:memory=5,"), std::string::npos) << results;

  ASSERT_EQ(geodescent({"bench", "functions", "-q", "--problems", "valley,powell-singular", "--max-evaluations", "200",
                        "--methods", "geod-memory,lbfgs:memory=5", "--out", out + "-again"})
                .code,
            0);
  for (const char* file : {"claims.csv", "summary.csv", "estimates.csv", "references.csv", "results.csv"})
    EXPECT_EQ(contents(out + "/" + file), contents(out + "-again/" + file)) << "the same bytes in every run";
}

TEST_F(Bench, QuietSaysNothing) {
  const Outcome outcome = geodescent({"bench", "worst-case", "-q", "--beta", "10", "--methods", "afg", "--out", out});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(Bench, InterruptWritesNothing) {
  Program program(geodescent_command({"bench", "worst-case", "--out", out}));
  ASSERT_TRUE(program.wait_until_it_says("iteration"));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().code, 128 + SIGINT);
  EXPECT_EQ(folder.files(), 0u);
}

TEST_F(Bench, FolderIsCheckedBeforeTheWork) {
  put(out, "a file\n");
  for (const char* experiment : {"worst-case", "geometry", "functions"}) {
    for (const std::string& target : {out, out + "/below"}) {
      const Outcome outcome = geodescent({"bench", experiment, "--out", target});
      EXPECT_EQ(outcome.code, 3);
      EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
      EXPECT_NE(outcome.err.find("is not a folder"), std::string::npos) << outcome.err;
    }
  }
  EXPECT_EQ(contents(out), "a file\n");
}

}  // namespace
}  // namespace geodescent::testing
