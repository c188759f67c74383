#include "experiments/worst_case/worst_case.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <geodescent/optimize/minimize.hpp>
#include <stdexcept>

namespace geodescent::lab {
namespace {

WorstCaseOptions small_options() {
  WorstCaseOptions o;
  o.beta = 1e3;
  o.large = 400;
  o.large_iterations = 100;
  o.medium = 40;
  o.small = 20;
  o.max_iterations = 20'000;
  return o;
}

TEST(WorstCaseProblem, MinimumIsThatOfTheMethodsAndProven) {
  for (const std::size_t n : {1u, 2u, 7u, 60u}) {
    const WorstCaseProblem p(n, 250);
    const Result found = minimize(p.function(), "lbfgs", {}, {.gap_tolerance = 1e-12});
    EXPECT_NEAR(p.minimum(), found.value, 1e-9) << n;
    EXPECT_GE(p.proven_error(), 0);
    EXPECT_LT(p.proven_error(), 1e-20);
    EXPECT_DOUBLE_EQ(p.accuracy(Vector(n)), 1);
    EXPECT_LT(p.accuracy(found.x), 1e-11);
    EXPECT_LE(p.smallest_eigenvalue(), p.largest_eigenvalue() * (1 + 1e-15));
  }
}

TEST(WorstCaseProblem, AccuracyIsThatOfTheValues) {
  const WorstCaseProblem p(30, 100);
  Vector x(30), g(30);
  for (std::size_t i = 0; i < 30; ++i) x[i] = std::sin(static_cast<double>(i));
  const double value = p.function().evaluate(x, g);
  EXPECT_NEAR(p.accuracy(x), (value - p.minimum()) / (p.at_zero() - p.minimum()), 1e-12);
}

TEST(WorstCaseProblem, BestPossibleIsTheMinimumOfFewerDimensions) {
  constexpr double beta = 300;
  const WorstCaseProblem p(40, beta);
  EXPECT_DOUBLE_EQ(p.best_possible(0), 1);
  EXPECT_EQ(p.best_possible(40), 0);
  EXPECT_EQ(p.best_possible(1000), 0);
  for (const std::size_t k : {1u, 5u, 20u, 39u}) {
    const double expected = (WorstCaseProblem(k, beta).minimum() - p.minimum()) / (p.at_zero() - p.minimum());
    EXPECT_NEAR(p.best_possible(k), expected, 1e-13) << k;
  }
}

TEST(WorstCaseTrace, RatesAndIterations) {
  WorstCaseTrace trace{1, "sd", {}};
  for (int k = 0; k <= 100; ++k) trace.accuracy.push_back(std::exp(-0.25 * k));
  EXPECT_NEAR(trace.rate(10, 90), 0.25, 1e-12);
  EXPECT_EQ(trace.iterations_to(1), 0);
  EXPECT_EQ(trace.iterations_to(1e-1), 10);
  EXPECT_TRUE(std::isinf(trace.iterations_to(1e-30)));
  EXPECT_NEAR(trace.rate_between(1e-2, 1e-8), 0.25, 0.01);
  EXPECT_EQ(trace.rate_between(1e-2, 1e-30), 0);
}

TEST(WorstCase, ReportIsWhole) {
  const Report report = worst_case_report(small_options());
  EXPECT_EQ(report.name, "worst-case");
  ASSERT_EQ(report.figures.size(), 1u);
  ASSERT_EQ(report.figures[0].panels.size(), 3u);
  for (const Panel& panel : report.figures[0].panels) {
    EXPECT_EQ(panel.curves.size(), 7u) << "five methods, the theory and the best possible";
    for (const Curve& curve : panel.curves) {
      ASSERT_EQ(curve.x.size(), curve.y.size());
      EXPECT_EQ(curve.y.front(), 1) << curve.method;
      for (std::size_t i = 1; i < curve.y.size(); ++i) EXPECT_LE(curve.y[i], curve.y[i - 1]) << curve.method;
    }
  }
  ASSERT_EQ(report.tables.size(), 4u);
  EXPECT_EQ(report.tables[0].rows.size(), 15u);
  for (const Table& table : report.tables) {
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.name;
  }
  ASSERT_EQ(report.claims.size(), 5u);
  for (const Claim& claim : report.claims) EXPECT_FALSE(claim.measured.empty()) << claim.statement;
  EXPECT_EQ(report.claims[1].verdict, Verdict::holds) << "a lower bound is a theorem: " << report.claims[1].measured;
}

TEST(WorstCase, ClaimsAboutMethodsThatWereNotRunAreNotMeasured) {
  WorstCaseOptions o = small_options();
  o.methods = {"geod"};
  const Report report = worst_case_report(o);
  EXPECT_EQ(report.claims[0].verdict, Verdict::not_measured);
  EXPECT_EQ(report.claims[1].verdict, Verdict::holds);
  for (const std::size_t i : {2u, 3u, 4u}) EXPECT_EQ(report.claims[i].verdict, Verdict::not_measured);
}

/// Made-up runs: `accuracy(method, k)` for each method after k iterations.
template <class Accuracy>
WorstCaseSize made_up(std::size_t n, const Accuracy& accuracy) {
  WorstCaseSize size{WorstCaseProblem(n, 1e4)};
  for (const char* method : {"sd", "afg", "afgwr", "lbfgs", "geod"}) {
    WorstCaseTrace trace{n, method, {1}};
    while (trace.accuracy.back() > 1e-11 && trace.last() < 30'000)
      trace.accuracy.push_back(accuracy(std::string_view(method), static_cast<double>(trace.accuracy.size())));
    size.traces.push_back(std::move(trace));
  }
  return size;
}

TEST(WorstCase, ClaimsCanFail) {
  // All methods alike, faster than possible, and none of them any different after iteration n.
  const auto alike = [](std::string_view, double k) { return std::exp(-0.04 * k); };
  const WorstCaseSize large = made_up(2000, alike), medium = made_up(200, alike), small = made_up(100, alike);
  const auto claims = worst_case_claims({large, medium, small});
  EXPECT_EQ(claims[0].verdict, Verdict::holds_in_part) << "SD is no slower";
  EXPECT_EQ(claims[1].verdict, Verdict::does_not_hold);
  EXPECT_EQ(claims[2].verdict, Verdict::does_not_hold);
  EXPECT_EQ(claims[3].verdict, Verdict::does_not_hold);
  EXPECT_EQ(claims[4].verdict, Verdict::holds);
}

TEST(WorstCase, ThrowingFromTheWatchEndsIt) {
  struct Stop {};
  std::size_t calls = 0;
  const auto watch = [&](const WorstCaseState&) {
    if (++calls == 10) throw Stop{};
  };
  EXPECT_THROW(worst_case_report(small_options(), watch), Stop);
  EXPECT_EQ(calls, 10u);
}

}  // namespace
}  // namespace geodescent::lab
