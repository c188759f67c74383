// `geodescent bench paper`: told nonsense, without its data, in folders that are not its own.
#include <sys/stat.h>
#include <unistd.h>

#include "cli/bench/bench_paper_fixture.hpp"

namespace geodescent::testing {
namespace {

TEST_F(BenchPaper, WithoutDataSaysWhereToGetThem) {
  Surroundings home;
  home.environment = {{"HOME", folder.path().string()}, {"XDG_CACHE_HOME", ""}, {"GEODESCENT_DATA", ""}};
  for (const Words& words : {Words{"bench", "paper", "--out", out}, Words{"bench", "paper", "--data", folder / "no"},
                             Words{"bench", "paper", "--quick", "--sets", "a9a", "--out", out}}) {
    const Outcome outcome = geodescent(words, home);
    EXPECT_EQ(outcome.code, 3);
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_TRUE(says(outcome.err, {"geodescent fetch", "--data", "--stand-ins"})) << outcome.err;
  }
  EXPECT_FALSE(fs::exists(out));
}

TEST_F(BenchPaper, NamesWhatIsMissing) {
  const Words few{"bench", "paper", "--data", data, "--l2", "1e-2", "--methods", "geod", "--max-iterations", "20"};
  const auto with = [&](const Words& more) {
    Words words = few;
    words.insert(words.end(), {"--out", out});
    words.insert(words.end(), more.begin(), more.end());
    return geodescent(words);
  };
  const Outcome some = with({});
  EXPECT_EQ(some.code, 0) << some.err;
  EXPECT_TRUE(says(some.err, {"Missing in the data folder", "a9a"})) << some.err;
  EXPECT_EQ(json::parse(contents(out + "/report.json"))["warnings"].size(), 1u);
  const Outcome asked_for = with({"--sets", "a9a,heart_scale,mine"});
  EXPECT_EQ(asked_for.code, 3) << "sets that were asked for by name are not left out";
  EXPECT_TRUE(says(asked_for.err, {"a9a, mine", data, "--stand-ins"})) << asked_for.err;
  const Outcome none = with({"--sets", "a9a,mine"});
  EXPECT_EQ(none.code, 3);
  EXPECT_TRUE(says(none.err, {"a9a, mine", data, "--stand-ins"})) << none.err;
  const Outcome twice = with({"--sets", "heart_scale,sonar_scale,heart_scale"});
  EXPECT_EQ(twice.code, 2);
  EXPECT_TRUE(says(twice.err, {"heart_scale", "twice"})) << twice.err;
}

TEST_F(BenchPaper, QuickWithoutDataUsesStandInsAndSaysSo) {
  if (sanitized()) GTEST_SKIP() << "generating large data, which other tests do with sanitizers";
  Surroundings home;
  home.environment = {{"HOME", folder.path().string()}, {"XDG_CACHE_HOME", ""}, {"GEODESCENT_DATA", ""}};
  const Words words{"bench", "paper", "--quick", "--l2", "1e-1", "--methods", "lbfgs", "--max-iterations",
                    "3",     "--out", out};
  const Outcome outcome = geodescent(words, home);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.err, {"stand-ins", "geodescent fetch"})) << outcome.err;
  EXPECT_TRUE(says(contents(out + "/references.csv"), {"generated-"}));
  EXPECT_TRUE(says(contents(out + "/report.json"), {"They are not the data of the paper"}));
  Words quiet = words;
  quiet.push_back("--quiet");
  const Outcome silent = geodescent(quiet, home);
  EXPECT_EQ(silent.code, 0);
  EXPECT_EQ(silent.err + silent.out, "");
}

TEST_F(BenchPaper, RefusesBadOptions) {
  const std::vector<std::pair<Words, Words>> cases = {{{"--methods", "newton"}, {"newton", "geod", "lbfgs"}},
                                                      {{"--methods", "geod,geod"}, {"geod", "twice"}},
                                                      {{"--methods", "geod:memory=3"}, {"memory", "no effect"}},
                                                      {{"--methods", "lbfgs:memory=0"}, {"memory", "at least 1"}},
                                                      {{"--methods", ","}, {"--methods"}},
                                                      {{"--loss", "hinge"}, {"--loss", "smoothed-hinge"}},
                                                      {{"--huber-delta", "2"}, {"--huber-delta", "--loss huber"}},
                                                      {{"--decades", "0"}, {"--decades"}},
                                                      {{"--jobs", "0"}, {"--jobs"}},
                                                      {{"--max-seconds", "0"}, {"--max-seconds"}},
                                                      {{"--stand-ins"}, {"--stand-ins", "--sets"}},
                                                      {{"--fast"}, {"--fast"}}};
  for (const auto& [options, words] : cases) {
    const Outcome outcome = run(out, options);
    EXPECT_EQ(outcome.code, 2) << options[0];
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_TRUE(says(outcome.err, words)) << outcome.err;
  }
  for (const char* l2 : {"0", "-1", "1e-2,1e-2", "x", ""}) {
    const Outcome outcome = geodescent({"bench", "paper", "--data", data, "--l2", l2, "--out", out});
    EXPECT_EQ(outcome.code, 2) << l2;
    EXPECT_TRUE(says(outcome.err, {"--l2"})) << outcome.err;
  }
  EXPECT_FALSE(fs::exists(out)) << "nothing is made";
}

TEST_F(BenchPaper, RefusesAFolderThatCannotBeWritten) {
  put(folder / "file", "mine");
  const Outcome on_file = run(folder / "file");
  EXPECT_EQ(on_file.code, 3);
  EXPECT_TRUE(says(on_file.err, {folder / "file", "--out"})) << on_file.err;
  EXPECT_EQ(contents(folder / "file"), "mine");
  EXPECT_EQ(run("/proc/geodescent").code, 3);
}

TEST_F(BenchPaper, RefusesAJournalThatIsNotOne) {
  fs::create_directory(out);
  put(out + "/cells.jsonl", "my notes");
  const Outcome outcome = run(out);
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(says(outcome.err, {"cells.jsonl", "not a journal"})) << outcome.err;
  EXPECT_EQ(contents(out + "/cells.jsonl"), "my notes");
}

}  // namespace
}  // namespace geodescent::testing
