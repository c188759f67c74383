// `geodescent bench paper`: stopped, killed, started again.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/bench/bench_paper_fixture.hpp"

namespace geodescent::testing {
namespace {

// 4 references, 4 constants (afg and afgwr on two sets), 32 cells, and the first line.
constexpr std::size_t cells = 32;
constexpr std::size_t all_lines = 1 + 4 + 4 + cells;

TEST_F(BenchPaper, WritesItsFiles) {
  const Outcome outcome = run(out);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(says(outcome.out, {"holds", "GeoD needs fewer iterations", out, "report.html"})) << outcome.out;
  for (const char* name :
       {"report.html", "report.json", "claims.csv", "results.csv", "summary.csv", "references.csv", "tuning.csv",
        "profiles.csv", "problems-1e-10.csv", "memory-ratios.csv", "memory-exceptions.csv", "cells.jsonl"})
    EXPECT_TRUE(fs::exists(out + "/" + name)) << name;
  for (const char* name : {"seconds.csv", "memory-seconds.csv", "memory-proof.csv"})
    EXPECT_FALSE(fs::exists(out + "/" + name)) << name << " was not asked for";
  EXPECT_EQ(lines_in(out + "/cells.jsonl"), all_lines);
  EXPECT_EQ(lines_in(out + "/results.csv"), 1u + cells * 10);
  EXPECT_EQ(lines_in(out + "/references.csv"), 1u + 4);
  EXPECT_EQ(lines_in(out + "/tuning.csv"), 1u + 4);
  const json report = json::parse(contents(out + "/report.json"));
  EXPECT_TRUE(says(report["facts"]["command"], {"geodescent bench paper", "--max-iterations 150"}));
  if (installed("gnuplot"))
    EXPECT_TRUE(fs::exists(out + "/figures/iterations.svg"));
  else
    EXPECT_TRUE(says(outcome.out, {"no figures", "gnuplot"})) << outcome.out;
}

TEST_F(BenchPaper, FinishedItIsOnlyWrittenAgain) {
  ASSERT_EQ(run(out).code, 0);
  const auto before = tables_in(out);
  const std::string journal = contents(out + "/cells.jsonl");
  fs::remove(out + "/results.csv");
  ASSERT_EQ(run(out).code, 0);
  EXPECT_EQ(tables_in(out), before);
  EXPECT_EQ(contents(out + "/cells.jsonl"), journal);
}

TEST_F(BenchPaper, KilledAtAnyMomentItGoesOnWithTheSameResult) {
  if (sanitized()) GTEST_SKIP() << "sanitizers say nothing about a process that is killed";
  ASSERT_EQ(run(out).code, 0);
  const auto expected = tables_in(out);
  for (const std::size_t lines : {1u, 3u, 5u, 7u, 12u, 22u, 28u}) {
    const std::string killed = folder / ("killed" + std::to_string(lines));
    {
      Program program(geodescent_command(arguments(killed)));
      ASSERT_TRUE(wait_for_lines(killed, lines));
      program.send(SIGKILL);
      program.wait();
    }
    const std::size_t kept = lines_in(killed + "/cells.jsonl");
    ASSERT_GE(kept, lines);
    const Outcome again = run(killed);
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(tables_in(killed), expected) << "killed after " << kept << " lines";
    EXPECT_EQ(lines_in(killed + "/cells.jsonl"), all_lines);
  }
}

TEST_F(BenchPaper, KilledAgainAndAgainItGetsThere) {
  if (sanitized()) GTEST_SKIP() << "sanitizers say nothing about a process that is killed";
  ASSERT_EQ(run(out).code, 0);
  const auto expected = tables_in(out);
  const std::string killed = folder / "killed";
  for (std::size_t lines = 0; lines + 4 < all_lines; lines = lines_in(killed + "/cells.jsonl")) {
    Program program(geodescent_command(arguments(killed, {"--jobs", "1"})));
    ASSERT_TRUE(wait_for_lines(killed, lines + 2));
    program.send(SIGKILL);
    program.wait();
  }
  ASSERT_EQ(run(killed).code, 0);
  EXPECT_EQ(tables_in(killed), expected);
}

TEST_F(BenchPaper, InterruptKeepsTheJournalAndSaysHowToGoOn) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string stopped = folder / ("stopped" + std::to_string(signal));
    Program program(geodescent_command(endless(stopped)));
    ASSERT_TRUE(wait_for_lines(stopped, 2)) << "the reference";
    program.send(signal);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.code, 128 + signal);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(says(outcome.err, {"stopped with 1 of 2 done", "the same command continues"})) << outcome.err;
    EXPECT_EQ(lines_in(stopped + "/cells.jsonl"), 2u);
    EXPECT_EQ(snapshot(stopped).size(), 1u) << "no result files";
  }
}

TEST_F(BenchPaper, InterruptedAfreshItIsNotToldToStartAfreshAgain) {
  Program program(geodescent_command(endless(out, {"--restart"})));
  ASSERT_TRUE(wait_for_lines(out, 2));
  program.send(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_TRUE(says(outcome.err, {"without --restart"})) << outcome.err;
}

TEST_F(BenchPaper, InterruptedItGoesOnWithTheSameResult) {
  const auto command = [&](const std::string& to) {
    Words words{"bench", "paper", "--data", data, "--sets", "heart_scale", "--l2", "1e-2,1e-5"};
    words.insert(words.end(), {"--methods", "geod,lbfgs,sd", "--max-iterations", "300", "--prove", "--out", to});
    return words;
  };
  ASSERT_EQ(geodescent(command(out)).code, 0);
  const std::string stopped = folder / "stopped";
  {
    Program program(geodescent_command(command(stopped)));
    ASSERT_TRUE(wait_for_lines(stopped, 3));
    program.send(SIGINT);
    program.wait();
  }
  ASSERT_EQ(geodescent(command(stopped)).code, 0);
  EXPECT_EQ(tables_in(stopped), tables_in(out));
}

TEST_F(BenchPaper, RefusesOtherSettingsInTheSameFolderAndNamesThem) {
  ASSERT_EQ(run(out).code, 0);
  const auto before = snapshot(out);
  const std::vector<std::pair<Words, Words>> cases = {
      {{"--max-iterations", "151"}, {"iterations per cell", "150", "151"}},
      {{"--loss", "logistic"}, {"loss", "smoothed-hinge", "logistic"}},
      {{"--prove"}, {"proven", "false", "true"}},
      {{"--time"}, {"timed", "false", "true"}},
      {{"--quick"}, {"accuracies"}},
      {{"--decades", "9"}, {"accuracies"}},
      {{"--max-seconds", "5"}, {"seconds per cell", "any", "5"}}};
  for (const auto& [options, words] : cases) {
    Words given = arguments(out);
    if (options[0] == "--max-iterations") given.erase(given.begin() + 8, given.begin() + 10);
    given.insert(given.end(), options.begin(), options.end());
    const Outcome outcome = geodescent(given);
    EXPECT_EQ(outcome.code, 3) << options[0];
    EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    EXPECT_TRUE(says(outcome.err, words)) << outcome.err;
    EXPECT_TRUE(says(outcome.err, {out, "another folder", "--restart"})) << outcome.err;
    EXPECT_EQ(snapshot(out), before) << "nothing is touched";
  }
}

TEST_F(BenchPaper, RestartForgets) {
  ASSERT_EQ(run(out, {"--prove"}).code, 0);
  ASSERT_EQ(run(out).code, 3);
  ASSERT_EQ(run(out, {"--restart"}).code, 0);
  ASSERT_EQ(run(folder / "fresh").code, 0);
  EXPECT_EQ(tables_in(out), tables_in(folder / "fresh"));
  EXPECT_EQ(lines_in(out + "/cells.jsonl"), all_lines);
}

TEST_F(BenchPaper, TwoAtOnceAreRefused) {
  Program first(geodescent_command(endless(out)));
  ASSERT_TRUE(wait_for_lines(out, 1));
  for (const char* option : {"--quiet", "--restart"}) {
    const Outcome second = geodescent(endless(out, {option}));
    EXPECT_EQ(second.code, 3);
    EXPECT_TRUE(says(second.err, {"another process", out})) << second.err;
  }
  first.send(SIGKILL);
}

TEST_F(BenchPaper, AMethodOrALambdaMoreReusesWhatIsFinished) {
  const auto few = [&](const std::string& l2, const std::string& methods, const std::string& to) {
    return geodescent({"bench", "paper", "--data", data, "--sets", "heart_scale", "--l2", l2, "--methods", methods,
                       "--max-iterations", "100", "--out", to});
  };
  ASSERT_EQ(few("1e-2", "geod", out).code, 0);
  const std::string first = contents(out + "/cells.jsonl");
  EXPECT_EQ(lines_in(out + "/cells.jsonl"), 3u);
  ASSERT_EQ(few("1e-2", "lbfgs,geod", out).code, 0);
  EXPECT_EQ(lines_in(out + "/cells.jsonl"), 4u);
  ASSERT_EQ(few("1e-2,1e-3", "lbfgs,geod", out).code, 0);
  EXPECT_EQ(lines_in(out + "/cells.jsonl"), 7u);
  EXPECT_EQ(contents(out + "/cells.jsonl").substr(0, first.size()), first);
  ASSERT_EQ(few("1e-2,1e-3", "lbfgs,geod", folder / "fresh").code, 0);
  EXPECT_EQ(tables_in(out), tables_in(folder / "fresh"));
}

TEST_F(BenchPaper, TimedItHasTheSameResultsAndSeconds) {
  ASSERT_EQ(run(out).code, 0);
  ASSERT_EQ(run(folder / "timed", {"--time"}).code, 0);
  EXPECT_EQ(lines_in(folder / "timed/seconds.csv"), 1u + cells * 10);
  for (const char* name : {"results.csv", "references.csv", "tuning.csv"})
    EXPECT_EQ(contents(folder / ("timed/" + std::string(name))), contents(out + "/" + name)) << name;
}

TEST_F(BenchPaper, AnswersTheOpenQuestionWhereBothSidesTakePart) {
  const Outcome both =
      run(out, {"--methods", "geod-memory,lbfgs,lbfgs:line-search=exact", "--prove", "--time", "--decades", "6"});
  ASSERT_EQ(both.code, 0) << both.err;
  EXPECT_TRUE(says(both.out, {"competitive to L-BFGS", "proves a relative gap of 1e-6"})) << both.out;
  EXPECT_TRUE(says(contents(out + "/claims.csv"), {"section 4.1, question", "0.6 at 1e-04", "exceptions"}));
  EXPECT_EQ(lines_in(out + "/memory-ratios.csv"), 1u + 4 * 6);
  EXPECT_TRUE(says(contents(out + "/memory-ratios.csv"), {"\n1e-06,median,"}));
  EXPECT_EQ(lines_in(out + "/memory-proof.csv"), 1u + 4);
  EXPECT_EQ(lines_in(out + "/memory-seconds.csv"), 1u + 4);
  const std::string one_side = folder / "one side";
  ASSERT_EQ(run(one_side, {"--methods", "geod-memory,lbfgs:memory=10"}).code, 0);
  EXPECT_FALSE(fs::exists(one_side + "/memory-ratios.csv"));
  EXPECT_FALSE(says(contents(one_side + "/claims.csv"), {"section 4.1, question"}));
}

TEST_F(BenchPaper, DecadesSayHowFarARunGoes) {
  ASSERT_EQ(run(out, {"--methods", "geod", "--decades", "3"}).code, 0);
  EXPECT_EQ(lines_in(out + "/results.csv"), 1u + 4 * 3);
  EXPECT_TRUE(fs::exists(out + "/problems-1e-03.csv"));
}

TEST_F(BenchPaper, JobsDoNotChangeResults) {
  ASSERT_EQ(run(out, {"--jobs", "1"}).code, 0);
  ASSERT_EQ(run(folder / "three", {"--jobs", "3"}).code, 0);
  EXPECT_EQ(tables_in(folder / "three"), tables_in(out));
}

TEST_F(BenchPaper, NoticesChangedData) {
  ASSERT_EQ(run(out).code, 0);
  const auto before = tables_in(out);
  generate_data(data + "/heart_scale", {"--rows", "60", "--features", "6", "--noise", "0.1", "--seed", "9"});
  ASSERT_EQ(run(out).code, 0);
  EXPECT_NE(tables_in(out).at("results.csv"), before.at("results.csv"));
  ASSERT_EQ(run(folder / "fresh").code, 0);
  EXPECT_EQ(tables_in(out), tables_in(folder / "fresh"));
}

TEST_F(BenchPaper, QuietSaysNothing) {
  const Outcome outcome = run(out, {"--quiet"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
}

}  // namespace
}  // namespace geodescent::testing
