// The end of a run of every method, and unusual input.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "contract/methods/method_fixture.hpp"
#include "geodescent/optimize/function.hpp"
#include "geodescent/optimize/quadratic.hpp"

namespace geodescent::testing {
namespace {

class MethodStopping : public MethodFixture {};

TEST_P(MethodStopping, TheObserverCanStopTheRunAndGetsTheBestPoint) {
  for (const Problem& p : all) {
    SCOPED_TRACE(p.name);
    double best = 0;
    const Result r = run(p, {.gap_tolerance = 0, .max_iterations = 100}, [&](const Progress& at) {
      best = at.value;
      return at.iteration < 3;
    });
    if (GetParam() == with_newton && r.iterations < 3) continue;  // one iteration is enough for a squared loss
    EXPECT_EQ(r.status, Status::stopped_by_observer);
    EXPECT_EQ(r.iterations, 3u);
    EXPECT_FALSE(r.message.empty());
    const Sample truth = p.truth.at(real(r.x));
    EXPECT_LE(std::abs(r.value - truth.value), 4 * eps * truth.magnitude);
    EXPECT_LE(std::abs(r.value - best), 64 * eps * p.truth.at(real(start_for(p))).magnitude) << "not the best point";
  }
}

TEST_P(MethodStopping, TheIterationLimitIsKeptAndSaid) {
  for (const Problem& p : all) {
    SCOPED_TRACE(p.name);
    for (const std::uint64_t limit : {0u, 1u, 7u}) {
      const Result r = run(p, {.gap_tolerance = 0, .max_iterations = limit});
      const bool quick = GetParam() == with_newton || GetParam() == with_dual;  // converges before the limit
      if (quick && limit == 7 && r.status == Status::precision_limit) continue;
      EXPECT_EQ(r.status, Status::iteration_limit) << r.message;
      EXPECT_EQ(r.iterations, limit);
      EXPECT_NE(r.message.find(std::to_string(limit) + " iteration"), std::string::npos) << r.message;
      EXPECT_NE(r.message.find("gap"), std::string::npos) << r.message;
      if (limit == 0) {
        EXPECT_EQ(r.x, start_for(p));
      }
    }
  }
}

TEST_P(MethodStopping, NoTimeMeansNoIteration) {
  const Result r = run(all[0], {.gap_tolerance = 0, .max_seconds = 0});
  EXPECT_EQ(r.status, Status::time_limit);
  EXPECT_EQ(r.iterations, 0u);
  EXPECT_EQ(r.x, start_for(all[0]));
  EXPECT_NE(r.message.find("0 seconds"), std::string::npos) << r.message;
}

TEST_P(MethodStopping, TheGradientToleranceIsKeptAtThePointReturned) {
  for (const Problem& p : all)
    for (const double part : {0.3, 1e-2, 1e-4}) {
      SCOPED_TRACE(p.name);
      const double tolerance =
          part * static_cast<double>(std::sqrt(squared_length(p.truth.at(real(start_for(p))).gradient)));
      const Result r = run(p, {.gap_tolerance = 0, .gradient_tolerance = tolerance, .max_iterations = 20000});
      EXPECT_EQ(r.status, Status::converged) << r.message;
      EXPECT_LE(r.gradient_norm, tolerance);
      EXPECT_LE(std::sqrt(squared_length(p.truth.at(real(r.x)).gradient)), tolerance * (1 + 1e-9L));
      EXPECT_NE(r.message.find("gradient norm"), std::string::npos) << r.message;
    }
}

TEST_P(MethodStopping, TheAbsoluteGapToleranceIsKept) {
  for (const Problem& p : all) {
    SCOPED_TRACE(p.name);
    const Result r = run(p, {.gap_tolerance = 0, .absolute_gap_tolerance = 1e-4, .max_iterations = 20000});
    EXPECT_EQ(r.status, Status::converged) << r.message;
    EXPECT_LE(r.gap(), 1e-4);
    EXPECT_NE(r.message.find("0.0001"), std::string::npos) << r.message;
  }
}

TEST_P(MethodStopping, TheReferenceValueReplacesTheStart) {
  const Problem& p = all[3];
  const Optimum optimum = newton(p.truth);
  const double reference = static_cast<double>(optimum.value) + 1e-3;
  const Result r = run(p, {.gap_tolerance = 0.5, .reference_value = reference, .max_iterations = 20000});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.reference_value, reference);
  EXPECT_LE(r.gap(), 0.5 * (reference - r.lower_bound));
  EXPECT_LE(r.gap(), 1e-3);
}

TEST_P(MethodStopping, TheGradientNormReportedIsThatAtThePointReturned) {
  for (const Problem& p : all)
    for (const std::uint64_t limit : {0u, 1u, 2u, 3u, 5u, 10u, 30u, 200u}) {
      SCOPED_TRACE(p.name);
      const Result r = run(p, {.gap_tolerance = 1e-10, .max_iterations = limit});
      const Sample truth = p.truth.at(real(r.x));
      const Real size = p.truth.beta * std::sqrt(squared_length(real(r.x))) + truth.magnitude;
      EXPECT_LE(std::abs(r.gradient_norm - std::sqrt(squared_length(truth.gradient))), 64 * eps * size) << limit;
    }
}

TEST_P(MethodStopping, AStartOfTheWrongSizeIsRefused) {
  for (const std::size_t size : {1u, 13u, 15u})
    EXPECT_THROW(minimize_with(GetParam(), *all[0].objective, Vector(size)), std::invalid_argument);
}

TEST_P(MethodStopping, OptionsThatMakeNoSenseAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refused = [&](const Options& options) {
    try {
      minimize_with(GetParam(), *all[0].objective, {}, options);
      return false;
    } catch (const std::invalid_argument& e) {
      return std::string_view(e.what()).size() > 10;
    }
  };
  EXPECT_TRUE(refused({.gap_tolerance = -1}));
  EXPECT_TRUE(refused({.gap_tolerance = nan}));
  EXPECT_TRUE(refused({.absolute_gap_tolerance = -1e-9}));
  EXPECT_TRUE(refused({.gradient_tolerance = -1}));
  EXPECT_TRUE(refused({.max_seconds = -1}));
  EXPECT_TRUE(refused({.max_seconds = nan}));
  EXPECT_TRUE(refused({.reference_value = nan, .max_iterations = 3}));
}

TEST(MethodSettings, ThatMakeNoSenseAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const FunctionObjective bowl({.dimension = 1, .strong_convexity = 1},
                               [](std::span<const double> x, std::span<double> g) {
                                 g[0] = x[0];
                                 return 0.5 * x[0] * x[0];
                               });
  const auto refused = [&](const MethodChoice& method, const char* named) {
    try {
      std::ignore = minimize(bowl, method, {}, {.max_iterations = 3});
      return false;
    } catch (const std::invalid_argument& e) {
      return std::string_view(e.what()).starts_with(named);
    }
  };
  for (const double bad : {-1.0, 0.0, nan, std::numeric_limits<double>::infinity()}) {
    EXPECT_TRUE(refused(GeodFixed{.smoothness = bad}, "smoothness")) << bad;
    EXPECT_TRUE(refused(BallMethod{.smoothness = bad}, "smoothness")) << bad;
    EXPECT_TRUE(refused(Afg{.smoothness = bad}, "smoothness")) << bad;
    EXPECT_TRUE(refused(Afgwr{.smoothness = bad}, "smoothness")) << bad;
    EXPECT_TRUE(refused(GeodMemory{.memory_limit = bad}, "memory-limit")) << bad;
  }
  for (const double bad : {-0.1, 1.0, nan}) {
    EXPECT_TRUE(refused(Geod{.line_tolerance = bad}, "line-tolerance")) << bad;
    EXPECT_TRUE(refused(GeodMemory{.line_tolerance = bad}, "line-tolerance")) << bad;
    EXPECT_TRUE(refused(Sd{.line_tolerance = bad}, "line-tolerance")) << bad;
    EXPECT_TRUE(refused(Lbfgs{.line_tolerance = bad}, "line-tolerance")) << bad;
  }
  EXPECT_TRUE(refused(Geod{.balls = 0}, "balls"));
  EXPECT_TRUE(refused(Lbfgs{.memory = 0}, "memory"));
  EXPECT_TRUE(refused(GeodMemory{.directions = "up"}, "directions"));
  EXPECT_TRUE(refused(GeodMemory{.plan_for = -1}, "plan-for"));
}

TEST_P(MethodStopping, AStartAtTheExactMinimumEndsAtOnce) {
  // Q = diag(1, 4, 9), b = Q (1, 1, 1): all numbers are exact.
  const Quadratic f(rows_of({1, 0, 0, 0, 4, 0, 0, 0, 9}, 3, false), {1, 4, 9}, 1, 9, 7);
  for (const double tolerance : {1e-6, 0.0}) {
    const Result r = minimize_with(GetParam(), f, Vector{1, 1, 1}, {.gap_tolerance = tolerance, .max_iterations = 100});
    EXPECT_TRUE(r.status == Status::converged || r.status == Status::precision_limit) << r.message;
    EXPECT_LE(r.iterations, 4u);
    EXPECT_EQ(r.x, (Vector{1, 1, 1}));
    EXPECT_EQ(r.value, 0);
    EXPECT_GE(r.gap(), 0);
    EXPECT_LE(r.gap(), 1e-12);
  }
}

TEST_P(MethodStopping, StepsFromTheExactMinimumStayThere) {
  const Quadratic f(rows_of({1, 0, 0, 0, 4, 0, 0, 0, 9}, 3, false), {1, 4, 9}, 1);
  const std::unique_ptr<Method> method = make_variant(GetParam());
  const auto oracle = f.oracle();
  method->start(*oracle, Vector{1, 1, 1});
  for (int k = 0; k < 5; ++k) {
    method->step();
    EXPECT_EQ(*method->iterate().x, (Vector{1, 1, 1}));
    EXPECT_EQ(method->iterate().value, -7);
    EXPECT_EQ(method->iterate().gradient_norm, 0);
    EXPECT_LE(method->iterate().lower_bound, -7);
  }
}

TEST_P(MethodStopping, DimensionOneWorks) {
  Random random(173);
  std::vector<Problem> one{random_quadratic(random, {0.3}), user_problem("", log_sum_exp(random, 5, 1, 0.1)),
                           user_problem("", pseudo_huber(random, 5, 1, 1e-4), false)};
  for (const LossInfo& loss : losses()) {
    one.push_back(risk_problem(random, loss.name, 1e-3, {.rows = 30, .columns = 1}));
    one.push_back(risk_problem(random, loss.name, 1e-3, {.rows = 2, .columns = 1, .density = 0.999}));
  }
  for (const Problem& p : one) {
    SCOPED_TRACE(p.name);
    const Optimum optimum = newton(p.truth);
    const Result r =
        minimize_with(GetParam(), *p.objective, Vector{5}, {.gap_tolerance = 1e-9, .max_iterations = 50000});
    EXPECT_EQ(r.status, Status::converged) << r.message;
    EXPECT_LE(r.lower_bound, optimum.lower);
    EXPECT_GE(r.gap(), p.truth.at(real(r.x)).value - optimum.lower);
  }
}

TEST_P(MethodStopping, OneRowWorks) {
  Random random(179);
  for (const LossInfo& loss : losses()) {
    if (loss.task == Task::classification) continue;  // needs two classes
    for (const DataShape& shape :
         {DataShape{.rows = 1, .columns = 6}, DataShape{.rows = 1, .columns = 6, .density = 0.5},
          DataShape{.rows = 1, .columns = 1}}) {
      const Problem p = risk_problem(random, loss.name, 1e-2, shape);
      const Optimum optimum = newton(p.truth);
      const Result r = minimize_with(GetParam(), *p.objective, {}, {.gap_tolerance = 1e-8, .max_iterations = 50000});
      EXPECT_EQ(r.status, Status::converged) << loss.name << ": " << r.message;
      EXPECT_LE(r.lower_bound, optimum.lower);
    }
  }
}

TEST_P(MethodStopping, RowsAndColumnsWithoutEntriesWork) {
  // The third column and the first row are empty: w_3 = 0, and the row adds a constant.
  for (const LossInfo& loss : losses()) {
    Dataset data{"holes", rows_of({0, 0, 0, 1, 2, 0, -1, 1, 0, 2, 0, 0}, 3, true), {1, -1, 1, 1}, 5};
    const std::unique_ptr<Objective> f = make_risk(loss.name, data, 0.1);
    const Result r = minimize_with(GetParam(), *f, {}, {.gap_tolerance = 1e-9, .max_iterations = 5000});
    EXPECT_EQ(r.status, Status::converged) << loss.name << ": " << r.message;
    EXPECT_NEAR(r.x[2], 0, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(All, MethodStopping, ::testing::ValuesIn(method_variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace geodescent::testing
