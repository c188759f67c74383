#include "experiments/balls/balls.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace geodescent::lab {
namespace {

constexpr std::uint64_t unsolved = 0;

/// Iterations, the same to each accuracy and proof from 1e-1 to 1e-4, with m = 2 and 10.
class Ablation : public ::testing::Test {
 protected:
  Ablation() {
    options.sizes = {2, 10};
    for (int k = 1; k <= 4; ++k) experiment.accuracies.push_back(std::pow(10.0, -k));
    experiment.methods = parse_methods(methods_of(options));
    experiment.prove = true;
  }

  Cell cell(std::uint64_t iterations) const {
    Cell c;
    const std::optional<Effort> effort =
        iterations == unsolved ? std::nullopt : std::optional(Effort{iterations, 2 * iterations, 7, 3, 0.5});
    c.reached.assign(experiment.accuracies.size(), effort);
    c.proven = c.reached;
    return c;
  }
  /// The variants with m = 10; those with m = 2 take as long as GeoD.
  void problem(std::uint64_t geod, std::uint64_t balls, std::uint64_t directions, std::uint64_t both,
               std::uint64_t pairs) {
    Problem p{"set" + std::to_string(results.data.problems.size()), 100, 10, 500, 1e-4, {}, {}};
    p.cells.push_back(cell(geod));
    for (const std::uint64_t iterations : {balls, directions, both, pairs}) {
      p.cells.push_back(cell(geod));
      p.cells.push_back(cell(iterations));
    }
    results.data.problems.push_back(std::move(p));
  }
  std::vector<Verdict> verdicts() const {
    std::vector<Verdict> all;
    for (const Claim& claim : balls_claims(options, experiment, results.data)) all.push_back(claim.verdict);
    return all;
  }

  BallsOptions options;
  ExperimentOptions experiment;
  BallsResults results;
};

TEST_F(Ablation, EveryVariantIsAMethodWithOneThingChanged) {
  const auto method = [](Kept kept) { return parse_method(method_of(kept, 10)).method; };
  EXPECT_EQ(method(Kept::balls).get_if<Geod>()->balls, 10u);
  for (const Kept kept : {Kept::directions, Kept::both}) {
    const MethodChoice choice = method(kept);
    const GeodMemory& settings = *choice.get_if<GeodMemory>();
    EXPECT_EQ(settings.balls, kept == Kept::both ? 10u : 1u);
    EXPECT_EQ(settings.directions, "gradients");
    EXPECT_EQ(settings.memory, 10u);
    EXPECT_EQ(settings.pairs, 0u) << "pairs would be a memory beside the one that is measured";
  }
  EXPECT_EQ(method(Kept::pairs).get_if<Lbfgs>()->memory, 10u);
}

TEST_F(Ablation, PlacesAreThoseInTheListOfMethods) {
  const std::vector<std::string> methods = methods_of(options);
  EXPECT_EQ(methods[0], "geod");
  for (const Kept kept : all_kept)
    for (std::size_t k = 0; k < options.sizes.size(); ++k)
      EXPECT_EQ(methods.at(place_of(kept, k, options)), method_of(kept, options.sizes[k]));
  EXPECT_EQ(methods.size(), 1 + all_kept.size() * options.sizes.size());
}

TEST_F(Ablation, RatiosCountWhatOneSideDoesNotSolve) {
  problem(100, 50, 1, 1, 1);
  problem(unsolved, 50, 1, 1, 1);
  problem(100, unsolved, 1, 1, 1);
  problem(unsolved, unsolved, 1, 1, 1);
  const auto ratios =
      ratios_to_one_ball(results.data, place_of(Kept::balls, 1, options), 0, Measure::iterations, Goal::proof);
  EXPECT_EQ(ratios, (std::vector<double>{0.5, 0, std::numeric_limits<double>::infinity()}));
}

TEST_F(Ablation, VerdictsFollowTheNumbers) {
  problem(100, 50, 20, 10, 60);
  EXPECT_EQ(verdicts(), (std::vector<Verdict>(4, Verdict::holds)));
  results.data.problems.clear();
  problem(100, 110, 120, 130, 60);
  EXPECT_EQ(verdicts(), (std::vector<Verdict>(4, Verdict::does_not_hold)));
  results.data.problems.clear();
  problem(100, 50, 20, 10, 40);
  EXPECT_EQ(verdicts()[0], Verdict::does_not_hold) << "the literal question: 50 against 40 of L-BFGS";
  results.data.problems.clear();
  problem(unsolved, unsolved, unsolved, unsolved, unsolved);
  EXPECT_EQ(verdicts(), (std::vector<Verdict>(4, Verdict::not_measured)));
}

TEST_F(Ablation, VerdictsHoldInPartWhereHalfTheAccuraciesDo) {
  problem(100, 50, 20, 10, 60);
  Cell& balls = results.data.problems[0].cells[place_of(Kept::balls, 1, options)];
  balls.reached[3]->passes = 200;
  EXPECT_EQ(verdicts()[0], Verdict::holds_in_part);
}

TEST_F(Ablation, TheReportHasARowForEverySizeAndAPanelForEveryShownOne) {
  problem(100, 50, 20, 10, 60);
  options.dimension = 20;
  options.beta = 100;
  results.worst_case = worst_case_traces(options);
  const std::vector<Table> tables = balls_tables(options, experiment, results);
  ASSERT_EQ(tables.size(), 3u);
  EXPECT_EQ(tables[0].rows.size(), 2u * 2 * 2) << "accuracy and proof, 1e-2 and 1e-4, two sizes";
  EXPECT_EQ(tables[0].rows[1][4], Entry(0.5)) << "balls alone, median, m = 10";
  EXPECT_EQ(tables[2].rows.size(), 1 + all_kept.size() * options.sizes.size());
  for (const Table& table : tables)
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
  const std::vector<Figure> figures = balls_figures(options, experiment, results);
  ASSERT_EQ(figures.size(), 3u);
  EXPECT_EQ(figures[0].panels.size(), 3u);
  EXPECT_EQ(figures[0].panels[0].curves[1].y, (std::vector<double>{1, 0.5}));
  EXPECT_EQ(figures[1].panels.size(), 2u);
}

TEST_F(Ablation, OnTheWorstCaseFunctionEveryVariantProvesWhatItReaches) {
  options.dimension = 30;
  options.beta = 1000;
  for (const WorstCaseTrace& trace : worst_case_traces(options)) {
    ASSERT_EQ(trace.gap.size(), trace.accuracy.size());
    for (std::size_t k = 0; k < trace.gap.size(); ++k)
      EXPECT_GE(trace.gap[k] * (1 + 1e-9) + 1e-12, trace.accuracy[k]) << trace.method << ", iteration " << k;
    EXPECT_GE(trace.iterations_to_proof(1e-6), trace.iterations_to(1e-6)) << trace.method;
  }
}

}  // namespace
}  // namespace geodescent::lab
