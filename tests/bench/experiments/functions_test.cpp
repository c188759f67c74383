#include "experiments/functions/functions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "comparison/infinity.hpp"

namespace geodescent::lab {
namespace {

FunctionsOptions few_problems() {
  FunctionsOptions o = default_functions_options();
  o.problems = {"powell-singular", "maximum-entropy", "posynomial"};
  o.max_evaluations = 300;
  return o;
}

TEST(FunctionReference, AgreesWithTheFormulas) {
  std::size_t formulas = 0;
  for (const TestProblem& problem : test_problems()) {
    if (!problem.minimum) continue;
    ++formulas;
    const FunctionReference reference(problem);
    const long double possible = reference.start_value() - *problem.minimum;
    EXPECT_NEAR(static_cast<double>((reference.minimum() - *problem.minimum) / possible), 0, 1e-16) << problem.name;
    EXPECT_LE(reference.relative_error(), 1e-16) << problem.name;
  }
  EXPECT_GE(formulas, 5u);
}

TEST(FunctionReference, IsPreciseWhereThereIsNoFormula) {
  for (const TestProblem& problem : test_problems()) {
    if (problem.minimum || problem.dimension() > 60) continue;  // the large ones take too long without optimisation
    const FunctionReference reference(problem);
    EXPECT_LE(reference.relative_error(), 1e-15) << problem.name;
    EXPECT_LE(reference.gradient_norm(), 1e-6) << problem.name;
    EXPECT_GT(reference.start_value(), reference.minimum()) << problem.name;
  }
}

TEST(FunctionReference, KnowsTheCurvatures) {
  const FunctionReference valley(test_problem("valley"));
  EXPECT_NEAR(valley.least_curvature(), 2, 1e-6);
  EXPECT_NEAR(valley.largest_curvature(), 2e6, 1);
  EXPECT_NEAR(FunctionReference(test_problem("powell-singular")).least_curvature(), 0, 1e-6);
}

TEST(FunctionReference, AccuracyIsThatOfTheValues) {
  const FunctionReference reference(test_problem("valley"));
  EXPECT_EQ(reference.accuracy(reference.problem().start), 1);
  EXPECT_EQ(reference.accuracy(Vector{1, 1}), 0);
}

TEST(FunctionReference, CanBeCancelled) {
  int asked = 0;
  const FunctionReference reference(test_problem("powell-singular"), [&] { return ++asked == 3; });
  EXPECT_EQ(reference.iterations(), 2u);
}

TEST(FunctionTrace, EvaluationsToAnAccuracy) {
  const FunctionTrace trace{.method = "sd", .evaluations = {1, 4, 9}, .accuracy = {1, 1e-2, 1e-5}};
  EXPECT_EQ(trace.evaluations_to(1), 1);
  EXPECT_EQ(trace.evaluations_to(1e-1), 4);
  EXPECT_EQ(trace.evaluations_to(1e-5), 9);
  EXPECT_EQ(trace.evaluations_to(1e-6), infinity);
}

TEST(RunFunction, CountsEvaluationsAndStopsAtTheAccuracy) {
  const FunctionReference reference(test_problem("powell-singular"));
  const FunctionTrace trace = run_function(reference, parse_method("lbfgs"), {1000, 1e-8}, {});
  EXPECT_EQ(trace.status, "accuracy");
  ASSERT_EQ(trace.evaluations.size(), trace.accuracy.size());
  ASSERT_EQ(trace.evaluations.size(), trace.estimated_gap.size());
  EXPECT_EQ(trace.accuracy.front(), 1);
  EXPECT_LE(trace.accuracy.back(), 1e-8);
  EXPECT_TRUE(std::ranges::is_sorted(trace.evaluations));
  EXPECT_EQ(trace.evaluations_to(1e-8), trace.evaluations.back());
}

TEST(RunFunction, StopsAtTheLimitOfEvaluations) {
  const FunctionReference reference(test_problem("powell-singular"));
  const FunctionTrace trace = run_function(reference, parse_method("sd"), {50, 1e-12}, {});
  EXPECT_EQ(trace.status, "evaluation_limit");
  EXPECT_GE(trace.evaluations.back(), 50);
  EXPECT_LT(trace.evaluations.back(), 100);
}

TEST(RunFunction, BarriersAreSolvedByAllButSteepestDescent) {
  const FunctionReference reference(test_problem("analytic-centre"));
  for (const char* method : {"geod-memory", "lbfgs", "lbfgs:line-search=exact"})
    EXPECT_EQ(run_function(reference, parse_method(method), {5000, 1e-8}, {}).status, "accuracy") << method;
}

TEST(GeometricMean, LeavesOutWhatIsNotSolved) {
  EXPECT_DOUBLE_EQ(geometric_mean_of_ratios({2, 8}, {1, 1}), 4);
  EXPECT_DOUBLE_EQ(geometric_mean_of_ratios({2, 8, infinity, 3}, {1, 1, 1, infinity}), 4);
  EXPECT_TRUE(std::isnan(geometric_mean_of_ratios({infinity}, {1})));
}

TEST(Functions, MethodsThatNeedTheStrongConvexityAreRefused) {
  for (const char* method : {"geod", "geod-fixed", "ball"})
    EXPECT_THROW(require_no_strong_convexity(parse_method(method)), std::invalid_argument) << method;
  FunctionsOptions o = few_problems();
  o.methods = parse_methods({"geod"});
  EXPECT_THROW(functions_report(o), std::invalid_argument);
  for (const Contender& method : default_functions_options().methods)
    EXPECT_NO_THROW(require_no_strong_convexity(method)) << method.text;
}

TEST(Functions, ReportIsWhole) {
  const FunctionsOptions o = few_problems();
  const Report report = functions_report(o);
  EXPECT_EQ(report.name, "functions");
  EXPECT_TRUE(report.warnings.empty());
  ASSERT_EQ(report.figures.size(), 3u);
  EXPECT_EQ(report.figures[0].panels.size(), 3u) << "a profile for each of three accuracies";
  EXPECT_EQ(report.figures[1].panels.size(), o.problems.size());
  EXPECT_EQ(report.figures[2].panels.size(), o.problems.size());
  for (const Figure& figure : report.figures)
    for (const Panel& panel : figure.panels)
      for (const Curve& curve : panel.curves) ASSERT_EQ(curve.x.size(), curve.y.size()) << figure.name;
  for (const Table& table : report.tables)
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
  ASSERT_EQ(report.claims.size(), 4u);
  for (const Claim& claim : report.claims) EXPECT_NE(claim.verdict, Verdict::not_measured) << claim.statement;
}

TEST(Functions, ClaimsAboutMethodsThatWereNotRunAreNotMeasured) {
  FunctionsOptions o = few_problems();
  o.methods = parse_methods({"lbfgs"});
  const Report report = functions_report(o);
  EXPECT_EQ(report.figures.size(), 2u);
  for (const Claim& claim : report.claims) {
    EXPECT_EQ(claim.verdict, Verdict::not_measured);
    EXPECT_FALSE(claim.measured.empty());
  }
}

/// Made-up runs on one problem: geod-memory needs `ours` evaluations, L-BFGS 100, and stops with
/// this ratio of truth to estimate.
std::vector<Claim> claims_for(double ours, double ratio) {
  FunctionsOptions o = default_functions_options();
  o.methods = parse_methods({"geod-memory", "lbfgs"});
  std::vector<FunctionRuns> runs{{FunctionReference(test_problem("valley"))}};
  for (const auto& [method, count] : {std::pair{"geod-memory", ours}, std::pair{"lbfgs", 100.0}})
    runs[0].traces.push_back({.method = method, .evaluations = {1, count}, .accuracy = {1, 1e-11}});  // infinite: never
  runs[0].stops.push_back({.method = "geod-memory",
                           .status = "converged",
                           .evaluations = ours,
                           .estimated_gap = 1e-6,
                           .accuracy = ratio * 1e-6});
  return functions_claims(o, runs);
}

TEST(Functions, ClaimsCanFail) {
  EXPECT_EQ(claims_for(100, 1)[0].verdict, Verdict::holds);
  EXPECT_EQ(claims_for(130, 1)[0].verdict, Verdict::holds_in_part);
  EXPECT_EQ(claims_for(200, 1)[0].verdict, Verdict::does_not_hold);
  EXPECT_EQ(claims_for(infinity, 1)[0].verdict, Verdict::does_not_hold);
  EXPECT_EQ(claims_for(100, 1)[1].verdict, Verdict::not_measured);
  EXPECT_EQ(claims_for(100, 1)[2].verdict, Verdict::holds);
  EXPECT_EQ(claims_for(infinity, 1)[2].verdict, Verdict::does_not_hold);
  EXPECT_EQ(claims_for(100, 9)[3].verdict, Verdict::holds);
  EXPECT_EQ(claims_for(100, 11)[3].verdict, Verdict::does_not_hold);
}

TEST(Functions, ThrowingFromTheWatchEndsIt) {
  struct Stop {};
  std::size_t calls = 0;
  const auto watch = [&](const FunctionsState&) {
    if (++calls == 10) throw Stop{};
  };
  EXPECT_THROW(functions_report(few_problems(), watch), Stop);
  EXPECT_EQ(calls, 10u);
}

}  // namespace
}  // namespace geodescent::lab
