// The lists of `geodescent bench`: every option that takes one reads commas, blanks and repetitions
// alike.
#include <gtest/gtest.h>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using CommandLine = std::vector<std::string>;

/// The option with these two items in every way that a list can be written.
std::vector<CommandLine> spellings(const std::string& option, const std::string& first, const std::string& second) {
  return {{option, first + "," + second},
          {option, first + ", " + second},
          {option, first, second},
          {option, first, option, second}};
}

CommandLine joined(CommandLine words, const CommandLine& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

class BenchLists : public ::testing::Test {
 protected:
  const TemporaryFolder folder;
  const std::string file = folder / "a.svm";
  const std::string out = folder / "out";
};

TEST_F(BenchLists, AreReadAlikeByEveryCommand) {
  if (sanitized()) GTEST_SKIP() << "144 starts of the program, for one function that the other cases call";
  put(file, "1 1:1\n-1 1:-1\n");
  const std::string here = folder.path().string(), missing = folder / "no.svm";
  struct List {
    CommandLine command;
    std::string option, first, second;
    std::string expected;  ///< in the message, which can only be about the second item
  };
  const std::vector<List> lists = {{{"bench", "paper", "--stand-ins"}, "--l2", "1e-4", "x", "'x' given"},
                                   {{"bench", "paper", "--stand-ins"}, "--methods", "geod", "x", "'x'"},
                                   {{"bench", "paper", "--data", here}, "--sets", "one", "two", "one, two"},
                                   {{"bench", "balls", "--stand-ins"}, "--sizes", "2", "x", "'x' given"},
                                   {{"bench", "balls", "--stand-ins"}, "--l2", "1e-4", "x", "'x' given"},
                                   {{"bench", "balls", "--data", here}, "--sets", "one", "two", "one, two"},
                                   {{"bench", "run"}, "--data", file, missing, missing},
                                   {{"bench", "run", "--data", file}, "--l2", "1e-4", "x", "'x' given"},
                                   {{"bench", "run", "--data", file}, "--methods", "geod", "x", "'x'"},
                                   {{"bench", "worst-case"}, "--methods", "geod", "x", "'x' given"},
                                   {{"bench", "functions"}, "--methods", "lbfgs", "x", "'x'"},
                                   {{"bench", "functions"}, "--problems", "valley", "x", "'x' given"},
                                   {{"bench", "peers"}, "--data", file, missing, missing},
                                   {{"bench", "peers", "--data", here}, "--sets", "one", "two", "one, two"},
                                   {{"bench", "peers", "--data", file}, "--losses", "logistic", "x", "'x' given"},
                                   {{"bench", "peers", "--data", file}, "--l2", "1e-4", "x", "'x' given"},
                                   {{"bench", "peers", "--data", file}, "--cost", "1", "x", "'x' given"},
                                   {{"bench", "peers", "--data", file}, "--peers", "vw", "x", "'x' given"}};
  for (const List& list : lists) {
    for (const CommandLine& spelling : spellings(list.option, list.first, list.second)) {
      const CommandLine words = joined(joined(list.command, spelling), {"--out", out});
      const Outcome outcome = geodescent(words);
      EXPECT_TRUE(outcome.code == 2 || outcome.code == 3) << ::testing::PrintToString(words);
      EXPECT_TRUE(says(outcome.err, {list.expected})) << ::testing::PrintToString(words) << outcome.err;
    }
    for (const CommandLine& spelling : spellings(list.option, list.first, list.first)) {
      const Outcome outcome = geodescent(joined(joined(list.command, spelling), {"--out", out}));
      EXPECT_EQ(outcome.code, 2) << list.option;
      EXPECT_TRUE(says(outcome.err, {list.first, "twice"})) << outcome.err;
    }
  }
}

TEST_F(BenchLists, GiveTheSameResults) {
  generate_data(file, {"--rows", "50", "--features", "5", "--noise", "0.1"});
  std::string expected;
  const std::vector<CommandLine> methods = spellings("--methods", "geod", "lbfgs"),
                                 l2 = spellings("--l2", "1e-2", "1e-3");
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const Outcome outcome = geodescent(
        joined(joined({"bench", "run", "--data", file, "--counts", "--restart", "--out", out}, methods[k]), l2[k]));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    if (expected.empty()) expected = contents(out + "/results.csv");
    EXPECT_EQ(contents(out + "/results.csv"), expected);
  }
  EXPECT_TRUE(says(expected, {"a.svm,0.01,geod", "a.svm,0.001,lbfgs"})) << expected;
}

TEST_F(BenchLists, LeaveThePathOfAFileWhole) {
  const std::string comma = folder / "a,b.svm";
  generate_data(comma, {"--rows", "50", "--features", "5", "--noise", "0.1"});
  const Outcome outcome = geodescent({"bench", "run", "--data", comma, "--methods", "lbfgs", "--counts", "--out", out});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

}  // namespace
}  // namespace geodescent::testing
