#include "comparison/experiment.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "bench/lab_data.hpp"
#include "geodescent/error.hpp"
#include "geodescent/threads.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::lab {
namespace {

using Start = Journal::Start;
using testing::contents;
using testing::put;

/// Everything in the results but seconds.
std::string text_of(const Results& results) {
  std::ostringstream out;
  const auto show = [&out](std::vector<std::optional<Effort>> list) {
    for (const auto& e : list) {
      if (e)
        out << ' ' << e->iterations << '/' << e->passes << '/' << e->line_evaluations << '/' << e->subspace_evaluations;
      else
        out << " -";
    }
    out << '\n';
  };
  out.precision(17);
  for (const Problem& p : results.problems) {
    out << p.data << ' ' << p.rows << ' ' << p.features << ' ' << p.nonzeros << ' ' << p.lambda << ' '
        << p.reference.value << ' ' << p.reference.lower_bound << ' ' << p.reference.start_value << '\n';
    for (const Cell& c : p.cells) {
      out << c.status << ' ' << c.accuracy << ' ' << c.relative_gap << ' ' << c.smoothness << ' ' << c.total.passes;
      show(c.reached);
      show(c.proven);
    }
  }
  for (const TuningOf& t : results.tunings)
    out << t.data << ' ' << t.method << ' ' << t.tuning.exponent << ' ' << t.tuning.candidates.size() << '\n';
  return out.str();
}

bool go_on(const Standing&) { return true; }

class ExperimentTest : public ::testing::Test {
 protected:
  ExperimentTest() {
    options.loss = "logistic";
    options.lambdas = {1e-3, 1e-5};
    options.methods = parse_methods({"geod", "afg", "lbfgs:memory=4"});
    options.accuracies = {1e-1, 1e-2, 1e-3, 1e-4};
    options.tuning_accuracy = 1e-3;
    options.limits.iterations = 300;
  }

  std::optional<Results> run(const Watcher& watcher = go_on) { return run(path, watcher); }
  std::optional<Results> run(const std::string& file, const Watcher& watcher = go_on) {
    Journal journal(file, describe(options), Start::resume);
    return run_experiment(options, sources, journal, watcher);
  }
  /// Pieces of work that a run still has to do: done in a copy of the journal.
  std::size_t left(const std::string& file) {
    const std::string before = contents(file), copy = folder / "copy";
    put(copy, before);
    run(copy);
    const std::string after = contents(copy);
    EXPECT_EQ(after.substr(0, before.size()), before);
    return static_cast<std::size_t>(
        std::count(after.begin() + static_cast<std::ptrdiff_t>(before.size()), after.end(), '\n'));
  }

  const testing::TemporaryFolder folder;
  const std::string path = folder / "cells.jsonl";
  ExperimentOptions options;
  std::vector<DataSource> sources = {
      generated_source("small", {.rows = 40, .features = 5, .density = 0.8, .label_noise = 0.1}),
      generated_source("large", {.rows = 90, .features = 7, .density = 0.5, .label_noise = 0.1, .seed = 2})};
};

TEST_F(ExperimentTest, HasEveryMethodOnEveryProblemInTheOrderGiven) {
  const auto results = run();
  ASSERT_TRUE(results.has_value());
  ASSERT_EQ(results->problems.size(), 4u);
  const char* const names[] = {"small", "small", "large", "large"};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(results->problems[k].data, names[k]);
    EXPECT_EQ(results->problems[k].lambda, options.lambdas[k % 2]);
    EXPECT_EQ(results->problems[k].rows, k < 2 ? 40u : 90u);
    EXPECT_EQ(results->problems[k].cells.size(), 3u);
    for (const Cell& cell : results->problems[k].cells) EXPECT_EQ(cell.reached.size(), 4u);
  }
  ASSERT_EQ(results->tunings.size(), 2u);
  EXPECT_EQ(results->tunings[0].data, "small");
  EXPECT_EQ(results->tunings[0].method, "afg");
  for (const Problem& p : results->problems)
    EXPECT_EQ(p.cells[1].smoothness, std::ldexp(1.0, results->tunings[p.data == "large"].tuning.exponent));
}

TEST_F(ExperimentTest, IsTheSameForAnyNumberOfJobsAndTimed) {
  const int before = threads();
  const std::string expected = text_of(*run(folder / "one"));
  for (const int jobs : {2, 3}) {
    options.jobs = jobs;
    EXPECT_EQ(text_of(*run(folder / std::to_string(jobs))), expected) << jobs;
    EXPECT_EQ(threads(), before);
  }
  options.timed = true;
  EXPECT_EQ(text_of(*run(folder / "timed")), expected);
}

TEST_F(ExperimentTest, ResumesAfterAnyNumberOfFinishedPieces) {
  const std::string expected = text_of(*run());
  const std::string whole = contents(path);
  std::size_t pieces = 0;
  for (std::size_t end = whole.find('\n') + 1; end < whole.size(); end = whole.find('\n', end) + 1, ++pieces) {
    put(path, whole.substr(0, end));
    std::size_t first_seen = 0, total = 0;
    const auto results = run([&](const Standing& s) {
      if (s.total > 0 && total == 0) first_seen = s.finished, total = s.total;
      return true;
    });
    ASSERT_TRUE(results.has_value());
    EXPECT_EQ(text_of(*results), expected) << "after " << pieces << " pieces";
    EXPECT_GE(first_seen, pieces);
    EXPECT_EQ(total, 4u + 2 + 12);
  }
  EXPECT_EQ(pieces, 18u);
  EXPECT_EQ(left(path), 0u);
}

TEST_F(ExperimentTest, StoppedAfterEveryPieceItStillGetsThere) {
  const std::string expected = text_of(*run(folder / "undisturbed"));
  for (const int jobs : {1, 2}) {
    options.jobs = jobs;
    const std::string file = folder / ("stopped" + std::to_string(jobs));
    std::optional<Results> results;
    int runs = 0;
    for (; !results && runs < 100; ++runs) {
      std::optional<std::size_t> at_start;
      results = run(file, [&](const Standing& s) {
        if (s.total == 0) return true;
        if (!at_start) at_start = s.finished;
        return s.finished == *at_start;
      });
    }
    ASSERT_TRUE(results.has_value());
    EXPECT_GT(runs, 3);
    EXPECT_EQ(text_of(*results), expected);
  }
}

TEST_F(ExperimentTest, StoppedWhileReadingItDoesNothing) {
  EXPECT_FALSE(run([](const Standing&) { return false; }).has_value());
  const std::string text = contents(path);
  EXPECT_EQ(text.find('\n'), text.size() - 1) << "only the first line";
}

TEST_F(ExperimentTest, ComputesAgainWhatHasOtherContent) {
  const std::string before = text_of(*run());
  const DataSource old = sources[0];
  sources[0] = generated_source("small", {.rows = 40, .features = 5, .density = 0.8, .label_noise = 0.1, .seed = 7});
  EXPECT_EQ(left(path), 9u) << "all of one set";
  const std::string after = text_of(*run());
  EXPECT_NE(after, before);
  EXPECT_EQ(after, text_of(*run(folder / "fresh")));
  sources[0] = old;
  EXPECT_EQ(left(path), 0u) << "the old cells are still there";
  EXPECT_EQ(text_of(*run()), before);
}

TEST_F(ExperimentTest, AMethodMoreTakesItsOwnCellsOnly) {
  run();
  options.methods = parse_methods({"sd", "geod", "afg", "lbfgs:memory=4"});
  EXPECT_EQ(left(path), 4u);
  EXPECT_EQ(text_of(*run()), text_of(*run(folder / "fresh")));
}

TEST_F(ExperimentTest, ALambdaMoreKeepsTheCellsOfMethodsThatAreNotTuned) {
  run();
  options.lambdas.push_back(1e-4);
  // Two references, two tunings, two new cells of each method; and the old ones of the tuned, if
  // its constant changes.
  EXPECT_GE(left(path), 2u + 2 + 6);
  EXPECT_LE(left(path), 2u + 2 + 6 + 4);
  EXPECT_EQ(text_of(*run()), text_of(*run(folder / "fresh")));
}

TEST_F(ExperimentTest, AnotherOrderOfSetsAndMethodsNeedsNothingNew) {
  run();
  std::swap(sources[0], sources[1]);
  std::swap(options.methods[0], options.methods[2]);
  EXPECT_EQ(left(path), 0u);
  EXPECT_EQ(text_of(*run()), text_of(*run(folder / "fresh")));
}

TEST_F(ExperimentTest, TellsLambdasApartThatAreClose) {
  options.lambdas = {1e-3, 1.0000001e-3};
  options.methods = parse_methods({"lbfgs"});
  const auto results = run();
  EXPECT_NE(results->problems[0].reference.value, results->problems[1].reference.value);
}

TEST_F(ExperimentTest, KeysOfTheUsualLambdasAreAsTheyAreWritten) {
  sources.pop_back();
  options.methods = parse_methods({"lbfgs"});
  options.lambdas = {1e-4, 1e-5, 1e-8, 0.5};
  run();
  const Journal journal(path, describe(options), Start::resume);
  for (const char* lambda : {"0.0001", "1e-05", "1e-08", "0.5"}) {
    EXPECT_NE(journal.find(std::string("reference small made of 1 ") + lambda), nullptr) << lambda;
    EXPECT_NE(journal.find(std::string("cell small made of 1 ") + lambda + " lbfgs"), nullptr) << lambda;
  }
}

TEST_F(ExperimentTest, EstimatesTheRemainingTimeAfterTheFirstPiece) {
  Standing last;
  run([&](const Standing& s) {
    EXPECT_LE(s.finished, s.total);
    EXPECT_GE(s.finished, last.finished);
    EXPECT_EQ(s.seconds_left.has_value(), s.finished > 0);
    last = s;
    return true;
  });
  EXPECT_EQ(last.finished, last.total);
  EXPECT_EQ(last.seconds_left, 0);
}

TEST_F(ExperimentTest, AnErrorInTheDataIsThrownAndLeavesTheThreadsAlone) {
  const int before = threads();
  options.jobs = 2;
  sources.push_back({"one-class", "x", [this] {
                       Dataset data = sources[0].load();
                       data.name = "one-class.svm";
                       std::fill(data.targets.begin(), data.targets.end(), 1.0);
                       return data;
                     }});
  try {
    run();
    ADD_FAILURE() << "one class was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("one-class.svm"), std::string::npos) << error.what();
  }
  EXPECT_EQ(threads(), before);
}

TEST_F(ExperimentTest, FilesAreTheSameSourceAsLongAsTheirContentIs) {
  put(folder / "a.svm", "1 1:1\n-1 1:2\n");
  const std::string first = file_source("a", folder / "a.svm").fingerprint;
  put(folder / "b.svm", "1 1:1\n-1 1:2\n");
  EXPECT_EQ(file_source("b", folder / "b.svm").fingerprint, first);
  put(folder / "a.svm", "1 1:1\n-1 1:3\n");
  EXPECT_NE(file_source("a", folder / "a.svm").fingerprint, first);
  const Dataset data = file_source("a", folder / "a.svm").load();
  EXPECT_EQ(data.rows->rows(), 2u);
  EXPECT_EQ(data.name, folder / "a.svm");
}

TEST_F(ExperimentTest, WhatChangesTheMeaningOfACellIsDescribed) {
  const auto base = describe(options);
  const auto differs = [&](auto change) {
    ExperimentOptions other = options;
    change(other);
    return describe(other) != base;
  };
  EXPECT_TRUE(differs([](auto& o) { o.loss = "squared-hinge"; }));
  EXPECT_TRUE(differs([](auto& o) { o.accuracies.push_back(1e-5); }));
  EXPECT_TRUE(differs([](auto& o) { o.tuning_accuracy = 1e-2; }));
  EXPECT_TRUE(differs([](auto& o) { o.limits.iterations = 301; }));
  EXPECT_TRUE(differs([](auto& o) { o.limits.seconds = 5; }));
  EXPECT_TRUE(differs([](auto& o) { o.prove = true; }));
  EXPECT_TRUE(differs([](auto& o) { o.timed = true; }));
  EXPECT_FALSE(differs([](auto& o) { o.jobs = 7; }));
  EXPECT_FALSE(differs([](auto& o) { o.lambdas = {1}; }));
  ExperimentOptions huber = options;
  huber.loss = "huber";
  const auto of_one = describe(huber);
  huber.loss_parameter = 2;
  EXPECT_NE(describe(huber), of_one);
}

}  // namespace
}  // namespace geodescent::lab
