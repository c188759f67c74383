// `geodescent bench peers` from the outside: with the peers that are here, and with some that do
// nothing but fail.
#include <signal.h>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

class BenchPeers : public ::testing::Test {
 protected:
  void SetUp() override {
    generate_data(data, {"--rows", "200", "--features", "8", "--noise", "0.2"});
    std::filesystem::create_directory(programs);
    std::filesystem::create_directory(temporary);
  }

  /// Whatever it needs, and none of the peers that are installed.
  Surroundings alone() const {
    Surroundings s;
    s.environment = {{"PATH", programs}, {"TMPDIR", temporary}};
    return s;
  }

  void install(const std::string& name, const std::string& script) const {
    put(programs + "/" + name, "#!/bin/sh\n" + script);
    ASSERT_EQ(::chmod((programs + "/" + name).c_str(), 0755), 0);
  }

  std::vector<std::string> command(std::vector<std::string> more) const {
    std::vector<std::string> words{"bench",     "peers", "--data",    data, "--out", out,
                                   "--repeats", "1",     "--threads", "1",  "--l2",  "1e-2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  json report() const { return json::parse(contents(out + "/report.json")); }
  static std::string verdict(const json& report, std::size_t claim) { return report["claims"][claim]["verdict"]; }

  const TemporaryFolder folder;
  const std::string data = folder / "data.svm";
  const std::string out = folder / "results";
  const std::string programs = folder / "programs";
  const std::string temporary = folder / "temporary";
};

TEST_F(BenchPeers, WritesItsResults) {
  Surroundings s;
  s.environment = {{"TMPDIR", temporary}};
  const Outcome outcome = geodescent(command({}), s);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* file :
       {"report.html", "report.json", "claims.csv", "summary.csv", "whole-1e-03.csv", "whole-1e-06.csv",
        "train-1e-04.csv", "train-1e-09.csv", "reading.csv", "left-out.csv", "references.csv", "runs.csv"})
    EXPECT_TRUE(std::filesystem::exists(out + "/" + file)) << file;
  const json written = report();
  EXPECT_EQ(written["experiment"], "peers");
  ASSERT_EQ(written["claims"].size(), 5u);
  EXPECT_NE(verdict(written, 2), "not measured");
  const std::string summary = contents(out + "/summary.csv"), runs = contents(out + "/runs.csv");
  // A peer takes part or is left out, by name; there is no third way.
  for (const char* peer : {"liblinear", "scikit-learn", "vw"}) {
    const bool takes_part = summary.find(peer) != std::string::npos;
    const bool left_out = outcome.err.find(std::string(peer) + " is left out: ") != std::string::npos;
    EXPECT_NE(takes_part, left_out) << peer << "\n" << summary << outcome.err;
  }
  if (installed("liblinear-train")) {
    for (const char* solver : {",-s 0,", ",-s 7,10,", ",-s 7,3,", ",-s 2,", ",-s 1,10,", ",-s 11,", ",-s 12,"})
      EXPECT_NE(runs.find(solver), std::string::npos) << solver;
    EXPECT_EQ(contents(out + "/left-out.csv").find("exit code"), std::string::npos) << "it works";
  }
  EXPECT_TRUE(std::filesystem::is_empty(temporary)) << "the plain text of the data is gone";
}

TEST_F(BenchPeers, MissingPeersAreLeftOutByName) {
  const Outcome outcome = geodescent(command({"--losses", "logistic", "--python", folder / "no-python"}), alone());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  for (const char* peer : {"liblinear", "scikit-learn", "vw"}) {
    EXPECT_NE(outcome.err.find(std::string("geodescent: ") + peer + " is left out: "), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.out.find(std::string("warning: ") + peer + " is left out: "), std::string::npos) << outcome.out;
    EXPECT_NE(contents(out + "/left-out.csv").find(peer), std::string::npos);
  }
  EXPECT_EQ(verdict(report(), 0), "not measured");
  EXPECT_EQ(verdict(report(), 1), "not measured");
  EXPECT_EQ(verdict(report(), 4), "not measured");
}

TEST_F(BenchPeers, TargetsOfARegressionAreLearnedAsTheyAre) {
  put(data, "0.5 1:1\n-2.25 2:1\n31 1:1 2:0.5\n4 2:2\n");
  const Outcome outcome = geodescent({"bench", "peers", "--data", data, "--out", out, "--repeats", "1", "--threads",
                                      "1", "--cost", "0.5,2", "--losses", "squared", "--python", "none"},
                                     alone());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  // f(0) is half the mean square of the targets.
  EXPECT_NE(contents(out + "/references.csv").find(",squared,0.25,122.7890625,"), std::string::npos)
      << contents(out + "/references.csv");
  const Outcome classes = geodescent(command({"--losses", "logistic,squared"}), alone());
  EXPECT_EQ(classes.code, 3);
  EXPECT_NE(classes.err.find("the label -2.25 is not a whole number"), std::string::npos) << classes.err;
}

TEST_F(BenchPeers, CostAndL2ExcludeEachOther) {
  const Outcome outcome = geodescent(command({"--cost", "1"}), alone());
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(says(outcome.err, {"--cost", "--l2"})) << outcome.err;
}

TEST_F(BenchPeers, TakesNamesThatAreNotUtf8) {
  const std::string latin = folder / "caf\xe9.svm";
  std::filesystem::rename(data, latin);
  const Outcome outcome = geodescent({"bench", "peers", "--data", latin, "--out", out, "--repeats", "1", "--threads",
                                      "1", "--l2", "1e-2", "--losses", "logistic"},
                                     alone());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(contents(out + "/references.csv").find("caf\\xe9.svm"), std::string::npos);
}

TEST_F(BenchPeers, ScikitLearnNeedsATemporaryFolderWithANameInUtf8) {
  Surroundings s = alone();
  s.environment["TMPDIR"] = folder / "caf\xe9";
  std::filesystem::create_directory(folder / "caf\xe9");
  const Outcome outcome = geodescent(command({"--peers", "scikit-learn"}), s);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
  EXPECT_TRUE(says(outcome.err, {"caf\\xe9", "not UTF-8", "set TMPDIR"})) << outcome.err;
}

TEST_F(BenchPeers, APeerThatWasAskedForMustBeThere) {
  const Outcome outcome = geodescent(command({"--peers", "liblinear"}), alone());
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
  EXPECT_NE(outcome.err.find("liblinear-train is not installed; scripts/peers installs it"), std::string::npos)
      << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
}

TEST_F(BenchPeers, ErrorsOfAPeerAreReportedAndProveNothing) {
  install("liblinear-train", "echo 'out of wits' >&2; exit 4\n");
  const Outcome outcome = geodescent(command({"--losses", "logistic", "--peers", "liblinear"}), alone());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("liblinear does not work: exit code 4: out of wits"), std::string::npos) << outcome.out;
  EXPECT_EQ(verdict(report(), 0), "not measured") << "who fails is not beaten";
}

TEST_F(BenchPeers, AModelThatIsNoneIsAnErrorOfThePeer) {
  install("liblinear-train", "for model; do :; done; echo nonsense > \"$model\"\n");
  const Outcome outcome = geodescent(command({"--losses", "logistic", "--peers", "liblinear"}), alone());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("liblinear does not work: "), std::string::npos) << outcome.out;
}

TEST_F(BenchPeers, TheTimeLimitEndsAPeer) {
  install("liblinear-train", "while :; do :; done\n");
  const Outcome outcome =
      geodescent(command({"--losses", "logistic", "--peers", "liblinear", "--time-limit", "0.5"}), alone());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(contents(out + "/left-out.csv").find("not finished within 0.5"), std::string::npos);
  EXPECT_NE(outcome.out.find("liblinear does not get there within the limit: data.svm at 0.01"), std::string::npos)
      << outcome.out;
}

TEST_F(BenchPeers, InterruptLeavesNothing) {
  // It says where it runs, so that the test knows when, and that it is gone in the end.
  const std::string sign = folder / "running";
  install("liblinear-train", "echo $$ > '" + sign + "'; while :; do :; done\n");
  Program program(geodescent_command(command({"--losses", "logistic", "--peers", "liblinear"})), alone());
  ASSERT_TRUE(program.wait_until_it_says("liblinear -s 0"));
  while (!std::filesystem::exists(sign) || contents(sign).empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().code, 128 + SIGINT);
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_TRUE(std::filesystem::is_empty(temporary));
  EXPECT_NE(::kill(std::stoi(contents(sign)), 0), 0) << "what it has started has ended, too";
}

TEST_F(BenchPeers, TheParityOfMoreClassesIsLearned) {
  put(data, "1 1:1\n2 2:1\n3 1:1 2:0.5\n4 2:2\n5 1:0.5\n6 1:0.1 2:1\n");
  const Outcome outcome = geodescent(command({"--losses", "logistic", "--python", "none"}), alone());
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(report().dump().find("6 classes, made two by parity: odd is +1"), std::string::npos);
}

TEST_F(BenchPeers, DataThatAreNotThere) {
  const auto error_with = [&](std::vector<std::string> words, int code) {
    words.insert(words.begin(), {"bench", "peers", "--out", out});
    const Outcome outcome = geodescent(words, alone());
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(out));
    return outcome.err;
  };
  EXPECT_NE(error_with({"--data", folder / "none"}, 3).find("no such file or folder"), std::string::npos);
  EXPECT_NE(error_with({"--data", temporary}, 3).find("not there: a9a, "), std::string::npos);
  EXPECT_NE(error_with({"--data", folder.path().string(), "--sets", "data.svm,other"}, 3).find("not there: other"),
            std::string::npos);
  EXPECT_NE(error_with({"--data", data, data}, 2).find("is given twice"), std::string::npos);
  std::filesystem::create_directory(folder / "copy");
  std::filesystem::copy_file(data, folder / "copy/data.svm");
  EXPECT_NE(error_with({"--data", data, folder / "copy/data.svm"}, 2).find("two data sets are called data.svm"),
            std::string::npos);
  EXPECT_NE(error_with({"--data", data, "--sets", "a9a"}, 2).find("--sets needs a folder"), std::string::npos);
}

}  // namespace
}  // namespace geodescent::testing
