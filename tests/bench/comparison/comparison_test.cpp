#include "comparison/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/csv.hpp"

namespace geodescent::lab {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

/// Two data sets, two lambdas, three methods: geod reaches all, sd only the first accuracy, lbfgs
/// fails on one problem.
class Comparison : public ::testing::Test {
 protected:
  Comparison() {
    options.lambdas = {1e-4, 1e-6};
    options.accuracies = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};
    options.methods = parse_methods({"geod", "sd", "lbfgs"});
    std::uint64_t k = 0;
    for (const char* data : {"first", "second"})
      for (const double lambda : options.lambdas) {
        Problem p{data, 100, 10, 500, lambda, {1.0, 0.5 + 1e-15, 0.5, 12, "newton"}, {}};
        ++k;
        p.cells = {cell(10 * k, 5), cell(100 * k, 1), cell(5 * k, k == 4 ? 0 : 5)};
        results.problems.push_back(p);
      }
  }

  /// `each` iterations for every accuracy, the first `count` reached, one less proven.
  static Cell cell(std::uint64_t each, std::size_t count) {
    Cell cell;
    cell.reached.resize(5);
    cell.proven.resize(5);
    for (std::size_t a = 0; a < count; ++a) {
      const std::uint64_t n = each * (a + 1);
      cell.reached[a] = Effort{n, 2 * n, 5 * n, 3 * n, 0.25 * static_cast<double>(n)};
      if (a + 1 < count) cell.proven[a] = Effort{n + 1, 2 * n + 2, 5 * n, 3 * n, 0.5 * static_cast<double>(n)};
    }
    cell.total = count > 0 ? *cell.reached[count - 1] : Effort{300, 600, 900, 0, 1};
    cell.status = count == 5 ? "accuracy" : "iteration_limit";
    cell.relative_gap = count == 5 ? 2e-5 : inf;
    cell.accuracy = count == 5 ? 0.9e-5 : count > 0 ? 0.9 * std::pow(10.0, -static_cast<double>(count)) : 0.5;
    return cell;
  }

  Report report() const {
    Report r;
    add_figures(r, options, results);
    add_tables(r, options, results);
    add_doubts(r, options, results);
    return r;
  }
  static const Table& table(const Report& r, const std::string& name) {
    for (const Table& t : r.tables)
      if (t.name == name) return t;
    throw std::runtime_error("no table " + name);
  }
  static const Figure& figure(const Report& r, const std::string& name) {
    for (const Figure& f : r.figures)
      if (f.name == name) return f;
    throw std::runtime_error("no figure " + name);
  }

  ExperimentOptions options;
  Results results;
};

TEST_F(Comparison, AmountIsInfiniteWhereThereIsNone) {
  for (const Measure m : {Measure::iterations, Measure::passes, Measure::line_evaluations,
                          Measure::subspace_evaluations, Measure::seconds}) {
    EXPECT_EQ(amount(std::nullopt, m), inf);
    EXPECT_NE(name_of(m), "");
  }
  const Effort e{1, 2, 3, 5, 4.00000049};
  EXPECT_EQ(amount(e, Measure::iterations), 1);
  EXPECT_EQ(amount(e, Measure::passes), 2);
  EXPECT_EQ(amount(e, Measure::line_evaluations), 3);
  EXPECT_EQ(amount(e, Measure::subspace_evaluations), 5);
  EXPECT_EQ(amount(e, Measure::seconds), 4);
}

TEST_F(Comparison, CostsAreOfAllProblems) {
  EXPECT_EQ(costs(results, 0, 0, Measure::iterations), (std::vector<double>{10, 20, 30, 40}));
  EXPECT_EQ(costs(results, 1, 1, Measure::passes), (std::vector<double>{inf, inf, inf, inf}));
  EXPECT_EQ(costs(results, 2, 4, Measure::passes), (std::vector<double>{50, 100, 150, inf}));
  EXPECT_EQ(costs(results, 0, 4, Measure::passes, Goal::proof), (std::vector<double>{inf, inf, inf, inf}));
  EXPECT_EQ(costs(results, 0, 0, Measure::iterations, Goal::proof), (std::vector<double>{11, 21, 31, 41}));
}

TEST_F(Comparison, ShowsAtMostThreeAccuraciesTheSmallestAmongThem) {
  EXPECT_EQ(shown_accuracies(1), (std::vector<std::size_t>{0}));
  EXPECT_EQ(shown_accuracies(2), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(shown_accuracies(3), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(shown_accuracies(10), (std::vector<std::size_t>{2, 5, 9}));
  for (std::size_t count = 1; count < 30; ++count) {
    const auto shown = shown_accuracies(count);
    EXPECT_LE(shown.size(), 3u);
    EXPECT_EQ(shown.back(), count - 1);
    EXPECT_TRUE(std::is_sorted(shown.begin(), shown.end()));
  }
}

TEST_F(Comparison, TablesHaveAllRowsAndNothingInfiniteIsDropped) {
  const Report r = report();
  const Table& all = table(r, "results");
  ASSERT_EQ(all.rows.size(), 4u * 3 * 5);
  std::size_t infinite = 0;
  for (const auto& row : all.rows) {
    ASSERT_EQ(row.size(), all.columns.size());
    infinite += std::get<double>(row[4]) == inf;
  }
  EXPECT_EQ(infinite, 4u * 4 + 5);
  for (const char* line : {"second,1e-06,lbfgs,1e-05,inf,inf,inf,inf,inf,inf,iteration_limit,inf,,\n",
                           "first,0.0001,geod,0.01,20,40,100,60,21,42,accuracy,2e-05,,\n"})
    EXPECT_NE(csv_of(all).find(line), std::string::npos) << csv_of(all);
  for (const char* name : {"problems-1e-01", "problems-1e-03", "problems-1e-05"}) {
    const Table& t = table(r, name);
    ASSERT_EQ(t.rows.size(), 4u) << name;
    for (const auto& row : t.rows) EXPECT_EQ(row.size(), t.columns.size());
  }
  EXPECT_EQ(std::get<double>(table(r, "problems-1e-05").rows[3][5]), 400);
  EXPECT_EQ(std::get<double>(table(r, "problems-1e-05").rows[3][6]), inf);
  EXPECT_EQ(table(r, "references").rows.size(), 4u);
  EXPECT_THROW(table(r, "seconds"), std::runtime_error) << "no seconds unless timed";
  EXPECT_THROW(table(r, "tuning"), std::runtime_error) << "nothing was tuned";
}

TEST_F(Comparison, SummaryCountsTheUnsolvedAsInfinite) {
  const Table summary = table(report(), "summary");
  ASSERT_EQ(summary.rows.size(), 5u * 3);
  const auto& of_lbfgs = summary.rows.back();
  EXPECT_EQ(std::get<double>(of_lbfgs[0]), 1e-5);
  EXPECT_EQ(std::get<std::string>(of_lbfgs[1]), "lbfgs");
  EXPECT_EQ(std::get<double>(of_lbfgs[2]), 3) << "solved";
  EXPECT_EQ(std::get<double>(of_lbfgs[3]), 62.5) << "the median of 25, 50, 75 and infinity";
  EXPECT_EQ(std::get<double>(of_lbfgs[4]), inf) << "the 90th percentile";
  const auto& of_sd = summary.rows[3 * 4 + 1];
  EXPECT_EQ(std::get<double>(of_sd[2]), 0);
  EXPECT_EQ(std::get<double>(of_sd[3]), inf);
}

TEST_F(Comparison, SubspaceEvaluationsAreSummedUpWhereThereAreAny) {
  Table summary = table(report(), "summary");
  EXPECT_EQ(std::ranges::count(summary.columns, "subspace evaluations, median"), 1);
  EXPECT_EQ(std::get<double>(summary.rows[0][7]), 75) << "the median of 30, 60, 90 and 120";
  for (Problem& p : results.problems)
    for (Cell& cell : p.cells) cell.total.subspace_evaluations = 0;
  summary = table(report(), "summary");
  EXPECT_EQ(std::ranges::count(summary.columns, "subspace evaluations, median"), 0);
}

TEST_F(Comparison, ResultsHaveTheConstantOfAMethodThatWasGivenOne) {
  results.problems[0].cells[1].smoothness = 0.25;
  EXPECT_NE(csv_of(table(report(), "results")).find(",iteration_limit,inf,0.25,\n"), std::string::npos);
}

TEST_F(Comparison, TimedHasSecondsEverywhere) {
  options.timed = true;
  const Report r = report();
  const Table& seconds = table(r, "seconds");
  ASSERT_EQ(seconds.rows.size(), 4u * 3 * 5);
  EXPECT_EQ(std::get<double>(seconds.rows[0][4]), 2.5);
  EXPECT_EQ(std::get<double>(seconds.rows.back()[4]), inf);
  EXPECT_NO_THROW(figure(r, "seconds"));
  EXPECT_NO_THROW(figure(r, "profile-seconds"));
  EXPECT_EQ(table(r, "seconds-1e-05").columns.size(), 5u + 3);
  EXPECT_EQ(table(r, "seconds-summary").columns.size(), 3u + 2);
  EXPECT_EQ(table(r, "problems-1e-05").columns.size(), 5u + 3);
  EXPECT_EQ(csv_of(table(r, "results")), [&] {
    options.timed = false;
    return csv_of(table(report(), "results"));
  }()) << "and the results are those of a run that is not timed";
}

TEST_F(Comparison, ProofsAreShownWhenAskedFor) {
  EXPECT_THROW(figure(report(), "passes-to-proof"), std::runtime_error);
  options.prove = true;
  const Report r = report();
  EXPECT_EQ(figure(r, "passes-to-proof").panels[0].curves[0].y[0], 2 * 25 + 2);
  const Table& summary = table(r, "summary");
  EXPECT_EQ(summary.columns.back(), "passes to proof, 90 %");
  EXPECT_EQ(std::get<double>(summary.rows.back().back()), inf);
}

TEST_F(Comparison, FiguresHaveACurveForEveryMethodEvenOfOneThatFails) {
  const Report r = report();
  for (const char* name : {"iterations", "passes", "profile-passes"})
    for (const Panel& panel : figure(r, name).panels) {
      ASSERT_EQ(panel.curves.size(), 3u);
      for (std::size_t m = 0; m < 3; ++m) {
        EXPECT_EQ(panel.curves[m].method, options.methods[m].text);
        EXPECT_EQ(panel.curves[m].x.size(), panel.curves[m].y.size());
        EXPECT_FALSE(panel.curves[m].x.empty());
      }
    }
  const Panel& median = figure(r, "iterations").panels[0];
  EXPECT_EQ(median.curves[0].y, (std::vector<double>{25, 50, 75, 100, 125}));
  EXPECT_EQ(median.curves[1].y, (std::vector<double>{250, inf, inf, inf, inf}));
  EXPECT_EQ(figure(r, "iterations").panels[1].curves[2].y, std::vector<double>(5, inf));
  for (const Panel& panel : figure(r, "profile-passes").panels)
    EXPECT_EQ(panel.curves[2].y.back(), 0.75) << "a problem that lbfgs does not solve";
}

TEST_F(Comparison, TuningHasARowForEachSetAndMethod) {
  results.tunings = {{"first", "afg", {-3, {{0, 10}, {-1, inf}}}}, {"second", "afg", {2, {{2, 5}}}}};
  const Table t = table(report(), "tuning");
  ASSERT_EQ(t.rows.size(), 2u);
  EXPECT_EQ(std::get<std::string>(t.rows[0][2]), "2^-3");
  EXPECT_EQ(std::get<double>(t.rows[0][3]), 2);
}

TEST_F(Comparison, DoubtsAreRaisedAndOnlyWhereThereAreSome) {
  EXPECT_TRUE(report().warnings.empty());
  results.problems[2].reference.lower_bound = 0.5 - 1.21e-6;
  auto warnings = report().warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("second at 0.0001"), std::string::npos) << warnings[0];
  EXPECT_EQ(warnings[0].find("first"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("(gap 2.5e-06)"), std::string::npos) << "2.42e-06 rounded up: " << warnings[0];
  results.problems[2].reference.lower_bound = 0.5;
  results.problems[1].cells[1].accuracy = 0.2;
  warnings = report().warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("first at 1e-06, sd (2.00e-01)"), std::string::npos) << warnings[0];
}

TEST_F(Comparison, DoubtsIncludeAMinimumOfWhichNothingIsKnown) {
  ReferenceMinimum& reference = results.problems[0].reference;
  reference.lower_bound = reference.start_value;
  reference.value = reference.start_value + 1e-3;
  EXPECT_EQ(report().warnings.size(), 1u) << "1e-3/0 is no small gap";
}

TEST_F(Comparison, LimitsAreNamed) {
  EXPECT_EQ(text_of(Limits{.iterations = 30}), "30 iterations");
  EXPECT_EQ(text_of(Limits{.iterations = 30, .seconds = 2.5}), "30 iterations or 2.5 seconds");
}

}  // namespace
}  // namespace geodescent::lab
