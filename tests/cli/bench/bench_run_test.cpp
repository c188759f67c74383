// `geodescent bench run`: data of one's own, and what is no data.
#include <sys/stat.h>

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Words = std::vector<std::string>;

class BenchRun : public ::testing::Test {
 protected:
  void SetUp() override { generate_data(file, {"--rows", "50", "--features", "5", "--noise", "0.1"}); }
  Outcome run(const Words& files, const Words& more = {}) const {
    Words words{"bench", "run", "--methods", "geod,lbfgs", "--max-iterations", "100", "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    words.push_back("--data");
    words.insert(words.end(), files.begin(), files.end());
    return geodescent(words);
  }

  const TemporaryFolder folder;
  const std::string file = folder / "a.svm";
  const std::string out = folder / "out";
};

TEST_F(BenchRun, ComparesInCountsAndSeconds) {
  const Outcome outcome = run({file});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(fs::exists(out + "/seconds.csv"));
  EXPECT_TRUE(says(contents(out + "/results.csv"), {"a.svm,0.0001,geod", "a.svm,0.0001,lbfgs"}));
  EXPECT_FALSE(says(contents(out + "/results.csv"), {folder.path().string()})) << "the name is enough";
}

TEST_F(BenchRun, TunesNothingUnlessAsked) {
  const Outcome outcome = geodescent({"bench", "run", "--data", file, "--counts", "--out", out});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(fs::exists(out + "/tuning.csv"));
  EXPECT_TRUE(says(contents(out + "/results.csv"), {",lbfgs,", ",geod,", ",geod-memory,"}));
}

TEST_F(BenchRun, CountsOnly) {
  ASSERT_EQ(run({file}, {"--counts"}).code, 0);
  EXPECT_FALSE(fs::exists(out + "/seconds.csv"));
}

TEST_F(BenchRun, TellsFilesOfTheSameNameApart) {
  fs::create_directory(folder / "other");
  generate_data(folder / "other/a.svm", {"--rows", "30", "--features", "4", "--noise", "0.1", "--seed", "5"});
  ASSERT_EQ(run({file, folder / "other/a.svm"}).code, 0);
  const std::string references = contents(out + "/references.csv");
  EXPECT_TRUE(says(references, {"\n" + file + ",", "\n" + (folder / "other/a.svm") + ","})) << references;
}

// File names are bytes. The journal and the report are UTF-8, and a resumed run finds its cells
// under the same name.
TEST_F(BenchRun, TakesNamesThatAreNotUtf8) {
  const std::string latin = folder / "caf\xe9.svm", other = folder / "caf\xe8.svm";
  fs::copy(file, latin);
  generate_data(other, {"--rows", "30", "--features", "4", "--noise", "0.1", "--seed", "5"});
  const Outcome first = run({latin, other});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(says(contents(out + "/results.csv"), {"caf\\xe9.svm,0.0001,geod", "caf\\xe8.svm,0.0001,geod"}));
  EXPECT_TRUE(says(json::parse(contents(out + "/report.json"))["lead"], {"caf\\xe9.svm, caf\\xe8.svm"}));
  const std::string journal = contents(out + "/cells.jsonl");
  ASSERT_EQ(run({latin, other}).code, 0);
  EXPECT_EQ(contents(out + "/cells.jsonl"), journal) << "nothing is left to do";
}

TEST_F(BenchRun, RefusesTheSameFileTwice) {
  fs::create_symlink(file, folder / "link.svm");
  for (const std::string& again : {file, folder / "./a.svm", folder / "link.svm"}) {
    const Outcome outcome = run({file, again});
    EXPECT_EQ(outcome.code, 2) << again;
    EXPECT_TRUE(says(outcome.err, {"twice"})) << outcome.err;
  }
}

TEST_F(BenchRun, ReadsCompressedFiles) {
  generate_data(folder / "a.svm.xz", {"--rows", "50", "--features", "5", "--noise", "0.1"});
  ASSERT_EQ(run({file}).code, 0);
  const std::string plain = contents(out + "/references.csv");
  ASSERT_EQ(run({folder / "a.svm.xz"}).code, 0);
  std::string packed = contents(out + "/references.csv");
  packed.erase(packed.find(".xz"), 3);
  EXPECT_EQ(packed, plain);
}

TEST_F(BenchRun, TakesARegressionLoss) {
  generate_data(folder / "r.svm", {"--rows", "50", "--features", "5", "--regression"});
  for (const char* loss : {"squared", "huber"}) {
    const Outcome outcome = run({folder / "r.svm"}, {"--loss", loss, "--restart"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(says(contents(out + "/references.csv"), {"r.svm"}));
  }
}

TEST_F(BenchRun, HubersDeltaIsPartOfTheProblem) {
  generate_data(folder / "r.svm", {"--rows", "50", "--features", "5", "--regression"});
  const auto reference = [&](const std::string& delta) {
    EXPECT_EQ(run({folder / "r.svm"}, {"--loss", "huber", "--huber-delta", delta, "--restart"}).code, 0);
    return contents(out + "/references.csv");
  };
  EXPECT_NE(reference("0.1"), reference("1"));
  const Outcome other = run({folder / "r.svm"}, {"--loss", "huber", "--huber-delta", "2"});
  EXPECT_EQ(other.code, 3) << "another problem in the same folder";
  EXPECT_TRUE(says(other.err, {"huber delta"})) << other.err;
}

TEST_F(BenchRun, RefusesWhatIsNoData) {
  put(folder / "one.svm", "1 1:1\n1 2:1\n");
  put(folder / "empty.svm", "");
  put(folder / "bad.svm", "1 1:1\n-1 x\n");
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::vector<std::pair<std::string, std::string>> cases = {
      {folder / "one.svm", "class"},  {folder / "empty.svm", "empty"},         {folder / "bad.svm", ":2:"},
      {folder / "no.svm", "no such"}, {folder.path().string(), "is a folder"}, {pipe, "not a regular file"}};
  for (const auto& [path, word] : cases) {
    const Outcome outcome = run({file, path});
    EXPECT_EQ(outcome.code, 3) << path;
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_TRUE(says(outcome.err, {path, word})) << outcome.err;
    EXPECT_FALSE(fs::exists(out + "/results.csv"));
  }
  EXPECT_EQ(geodescent({"bench", "run"}).code, 2);
}

TEST_F(BenchRun, QuietSaysNothing) {
  const Outcome outcome = run({file}, {"--quiet"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(BenchRun, QuotesTheCommandInItsReport) {
  Surroundings here;
  here.folder = folder.path().string();
  ASSERT_EQ(geodescent({"bench", "run", "--data", "a.svm", "--methods", "lbfgs", "--out", "my results"}, here).code, 0);
  const json report = json::parse(contents(folder / "my results/report.json"));
  EXPECT_EQ(report["facts"]["command"], "geodescent bench run --data a.svm --methods lbfgs --out 'my results'");
}

}  // namespace
}  // namespace geodescent::testing
