#include "comparison/cell.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <tuple>

#include "bench/lab_data.hpp"
#include "geodescent/learn/risk.hpp"

namespace geodescent::lab {
namespace {

using Json = nlohmann::ordered_json;

class CellTest : public ::testing::Test {
 protected:
  Cell run(const std::string& method, const Limits& limits = {}, bool prove = false) const {
    return run_cell(*risk, parse_method(method), reference, accuracies, limits, prove, {}).value();
  }

  static constexpr double lambda = 1e-4;
  const Dataset data =
      generated_data({.rows = 120, .features = 12, .density = 0.5, .conditioning = 10, .label_noise = 0.1});
  const std::unique_ptr<Objective> risk = make_risk("logistic", data, lambda);
  const ReferenceMinimum reference = reference_minimum(data, "logistic", lambda);
  const std::vector<double> accuracies = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
};

void expect_same_counts(const std::optional<Effort>& effort, const Progress& p) {
  ASSERT_TRUE(effort.has_value());
  EXPECT_EQ(effort->iterations, p.iteration);
  EXPECT_EQ(effort->passes, p.counts.forward_passes + p.counts.backward_passes);
  EXPECT_EQ(effort->line_evaluations, p.counts.line_evaluations);
  EXPECT_EQ(effort->subspace_evaluations, p.counts.subspace_evaluations);
}

TEST_F(CellTest, MilestonesAreThoseOfATraceOfTheSameRun) {
  for (const bool prove : {false, true})
    for (const char* name :
         {"geod", "geod-memory", "sd", "lbfgs", "lbfgs:memory=3:line-search=exact", "afg", "afgwr:smoothness=1"}) {
      SCOPED_TRACE(name);
      const Contender method = parse_method(name);
      const Limits limits{.iterations = 3000};
      const Cell cell = run(name, limits, prove);
      std::vector<Progress> trace;
      std::ignore = minimize(*risk, planned_for(method.method, accuracies.back()), {}, options_of(limits),
                             [&](const Progress& p) {
                               trace.push_back(p);
                               return true;
                             });
      ASSERT_EQ(cell.reached.size(), accuracies.size());
      ASSERT_EQ(cell.proven.size(), accuracies.size());
      for (std::size_t a = 0; a < accuracies.size(); ++a) {
        SCOPED_TRACE(accuracies[a]);
        const auto reaches = [&](const Progress& p) { return reference.accuracy(p.value) <= accuracies[a]; };
        const auto proves = [&](const Progress& p) { return p.relative_gap() <= accuracies[a]; };
        const auto first_reached = std::find_if(trace.begin(), trace.end(), reaches);
        const auto first_proven = std::find_if(trace.begin(), trace.end(), proves);
        if (first_reached == trace.end())
          EXPECT_FALSE(cell.reached[a].has_value());
        else
          expect_same_counts(cell.reached[a], *first_reached);
        if (first_proven == trace.end())
          EXPECT_FALSE(cell.proven[a].has_value());
        else if (prove || first_proven->iteration <= cell.total.iterations)
          expect_same_counts(cell.proven[a], *first_proven);
        else
          EXPECT_FALSE(cell.proven[a].has_value()) << "the run ended at the accuracy, before this was proven";
      }
      if (cell.status == "accuracy") {
        EXPECT_LE(cell.accuracy, 1.05 * accuracies.back());
        const auto& end = prove ? cell.proven.back() : cell.reached.back();
        ASSERT_TRUE(end.has_value());
        EXPECT_EQ(cell.total.iterations, std::max(end->iterations, cell.reached.back()->iterations));
      }
    }
}

TEST_F(CellTest, AnAccuracyIsReachedNoEarlierThanALargerOne) {
  const Cell cell = run("geod", {}, true);
  EXPECT_EQ(cell.status, "accuracy");
  for (const auto& list : {cell.reached, cell.proven})
    for (std::size_t a = 1; a < list.size(); ++a) {
      ASSERT_TRUE(list[a].has_value());
      EXPECT_GE(list[a]->iterations, list[a - 1]->iterations);
      EXPECT_GE(list[a]->seconds, list[a - 1]->seconds);
    }
  for (std::size_t a = 0; a < accuracies.size(); ++a)
    EXPECT_GE(cell.proven[a]->iterations, cell.reached[a]->iterations) << "nothing is proven that is not reached";
}

TEST_F(CellTest, StopsAtTheLimitOfIterations) {
  const Cell cell = run("sd", {.iterations = 5});
  EXPECT_EQ(cell.status, "iteration_limit");
  EXPECT_EQ(cell.total.iterations, 5u);
  EXPECT_FALSE(cell.reached.back().has_value());
  EXPECT_GT(cell.accuracy, accuracies.back());
}

TEST_F(CellTest, StopsAtTheLimitOfSeconds) {
  const Cell cell = run("sd", {.iterations = 1'000'000'000, .seconds = 1e-9});
  EXPECT_EQ(cell.status, "time_limit");
  EXPECT_FALSE(cell.reached.back().has_value());
}

TEST_F(CellTest, HasNoValueWhenCancelled) {
  for (const int patience : {0, 1, 3}) {
    int asked = 0;
    const auto cell =
        run_cell(*risk, parse_method("sd"), reference, accuracies, {}, false, [&] { return asked++ >= patience; });
    EXPECT_FALSE(cell.has_value());
    EXPECT_EQ(asked, patience + 1) << "it goes no further";
  }
}

TEST_F(CellTest, IsRunAsTrainWouldRunItToTheSmallestAccuracy) {
  EXPECT_EQ(options_of({}).gap_tolerance, 0) << "what it stops at";
  EXPECT_TRUE(options_of({}).keep_dual);
  const auto planned = [&](const char* text) { return *planned_for(text, accuracies.back()).get_if<GeodMemory>(); };
  EXPECT_EQ(planned("geod-memory").plan_for, accuracies.back()) << "what it plans for";
  EXPECT_EQ(planned("geod-memory").directions, GeodMemory{}.directions);
  EXPECT_EQ(planned("geod-memory:plan-for=0.1").plan_for, 0.1);
  const Result trained = minimize(*risk, {}, {.gap_tolerance = accuracies.back(), .keep_dual = true});
  EXPECT_EQ(run("geod-memory").directions, trained.memory.value().along);
  EXPECT_EQ(run("geod").directions, "");
}

TEST_F(CellTest, RemembersTheConstantItWasGiven) {
  EXPECT_EQ(run("afg:smoothness=2").smoothness, 2);
  EXPECT_EQ(run("geod").smoothness, 0);
}

TEST_F(CellTest, SecondsOfTheCallsAreThoseOfTheCallsMade) {
  const Cell line = run("geod"), subspace = run("geod-memory:directions=gradients");
  EXPECT_EQ(line.total.subspace_evaluations, 0u);
  EXPECT_EQ(line.calls.subspace, 0) << "no call, no time";
  EXPECT_GT(line.calls.line, 0);
  EXPECT_GT(subspace.total.subspace_evaluations, 0u);
  EXPECT_GT(subspace.calls.subspace, 0);
  for (const Cell& cell : {line, subspace}) {
    EXPECT_GT(cell.calls.passes, 0);
    EXPECT_LE(cell.calls.passes + cell.calls.line + cell.calls.subspace, cell.total.seconds) << "parts of the whole";
  }
}

TEST_F(CellTest, IsTheSameAfterJson) {
  const Cell cells[] = {run("geod"), run("geod-memory"), run("sd", {.iterations = 3}),
                        run("afg:smoothness=0.3", {.iterations = 40}, true)};
  for (const Cell& cell : cells) {
    const Cell copy = cell_from_json(Json::parse(to_json(cell).dump()));
    EXPECT_EQ(to_json(copy), to_json(cell));
    EXPECT_EQ(copy.status, cell.status);
    EXPECT_EQ(copy.accuracy, cell.accuracy);
    EXPECT_EQ(copy.relative_gap, cell.relative_gap);
    EXPECT_EQ(copy.smoothness, cell.smoothness);
    EXPECT_EQ(copy.directions, cell.directions);
    EXPECT_EQ(copy.total.seconds, cell.total.seconds);
    EXPECT_EQ(copy.calls.passes, cell.calls.passes);
    EXPECT_EQ(copy.calls.line, cell.calls.line);
    EXPECT_EQ(copy.calls.subspace, cell.calls.subspace);
    ASSERT_EQ(copy.reached.size(), cell.reached.size());
    for (std::size_t a = 0; a < cell.reached.size(); ++a) {
      ASSERT_EQ(copy.reached[a].has_value(), cell.reached[a].has_value());
      if (!copy.reached[a]) continue;
      EXPECT_EQ(copy.reached[a]->line_evaluations, cell.reached[a]->line_evaluations);
      EXPECT_EQ(copy.reached[a]->subspace_evaluations, cell.reached[a]->subspace_evaluations);
    }
  }
}

TEST_F(CellTest, InfiniteNumbersSurviveJson) {
  Cell cell = run("geod");
  cell.accuracy = cell.relative_gap = std::numeric_limits<double>::infinity();
  const Cell copy = cell_from_json(Json::parse(to_json(cell).dump()));
  EXPECT_EQ(copy.accuracy, cell.accuracy);
  EXPECT_EQ(copy.relative_gap, cell.relative_gap);
}

TEST_F(CellTest, ReferencesAreTheSameAfterJson) {
  const ReferenceMinimum copy = reference_from_json(Json::parse(to_json(reference).dump()));
  EXPECT_EQ(copy.start_value, reference.start_value);
  EXPECT_EQ(copy.value, reference.value);
  EXPECT_EQ(copy.lower_bound, reference.lower_bound);
  EXPECT_EQ(copy.iterations, reference.iterations);
  EXPECT_EQ(copy.solver, reference.solver);
}

}  // namespace
}  // namespace geodescent::lab
