// The cost of an iteration of every method: passes, evaluations, allocations.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "contract/allocations.hpp"
#include "contract/methods/method_fixture.hpp"
#include "geodescent/optimize/function.hpp"
#include "geodescent/optimize/quadratic.hpp"

namespace geodescent::testing {
namespace {

constexpr std::uint64_t most_epochs = 8;  // of the dual search in an iteration

class MethodCost : public MethodFixture {};

TEST_P(MethodCost, EveryIterationCostsOneForwardAndOneBackwardPassAndOneForAHessian) {
  for (const char* search : {"wolfe", "exact"})
    for (const Problem& p : all) {
      if (!has_image(p)) continue;
      SCOPED_TRACE(p.name);
      const MethodChoice method = with_setting(method_of(GetParam()), "line-search", search);
      const Options options{.gap_tolerance = 0, .max_iterations = 120};  // long enough to reach the rounding limit
      // If quasi-Newton directions do not reduce the gap, an iteration of geod follows. If rounding
      // leaves no descent on a line, another line follows. If their step has increased f, it is
      // repeated, which is rare even with kinks.
      const bool guarded = GetParam() == with_quasi_newton;
      // Several epochs of one pass each way, the ball, the line to its centre, and once the start
      // of the replacing search.
      const bool epochs = GetParam() == with_dual && p.objective->oracle()->facts().dual_condition > 0;
      const bool hessians = GetParam() == with_newton && p.objective->oracle()->facts().hessian_products > 0;
      Counts before;
      std::uint64_t wrong = 0, taken_anew = 0;
      run(p, method, options, [&](const Progress& at) {
        if (at.iteration > 0) {
          const std::uint64_t forward = at.counts.forward_passes - before.forward_passes,
                              backward = at.counts.backward_passes - before.backward_passes - (hessians ? 1 : 0);
          const bool may_differ = guarded && (at.iteration > 30 || at.relative_gap() < 1e-8);
          if (epochs) {
            before = at.counts;
            wrong += forward < 1 || forward > most_epochs + 4 || backward < 1 || backward > most_epochs + 4;
            return true;
          }
          wrong += forward != 1 && !(may_differ && forward == 2);
          taken_anew += guarded && backward == 2 && !may_differ;
          wrong += backward != 1 && !(guarded && backward == 2) && !(may_differ && backward == 0);
        } else {
          // In row form the lift of the start takes two passes. Dual epochs begin with the lengths
          // of the rows and a ball.
          EXPECT_LE(at.counts.forward_passes, epochs ? 4u : 2u);
          EXPECT_LE(at.counts.backward_passes, epochs ? 3u : 2u);
        }
        before = at.counts;
        return true;
      });
      EXPECT_EQ(wrong, 0u);
      EXPECT_LE(taken_anew, 2u);
    }
}

TEST_P(MethodCost, AStepAllocatesNothing) {
  // Large enough for two threads to share the rows, the columns, or both.
  Random random(157);
  std::vector<Problem> problems = all;
  const RandomData tall = random_data(random, Task::classification, {.rows = 9000, .columns = 8});
  const RandomData wide = random_data(random, Task::regression, {.rows = 40, .columns = 9000, .density = 0.05});
  problems.push_back({"tall", make_risk("logistic", tall.data, 1e-3), {}});
  const RandomData costly = random_data(random, Task::classification, {.rows = 400, .columns = 120});
  problems.push_back({"costly Hessian", make_risk("logistic", costly.data, 1e-3), {}});
  problems.push_back({"wide", make_risk("huber", wide.data, 1e-3), {}});
  problems.push_back({"long worst case", std::make_shared<Quadratic>(worst_case(9000, 100)), {}});
  const auto sphere = [](std::span<const double> x, std::span<double> g) {
    double value = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      value += 0.5 * static_cast<double>(i + 1) * (x[i] - 1) * (x[i] - 1),
          g[i] = static_cast<double>(i + 1) * (x[i] - 1);
    return value;
  };
  problems.push_back(
      {"user's function",
       std::make_shared<FunctionObjective>(FunctionProperties{.dimension = 5, .strong_convexity = 1}, sphere),
       {}});
  for (const int count : {1, 2}) {
    set_threads(count);
    for (const Problem& p : problems) {
      if (p.name.starts_with("user's function in")) continue;  // these functions allocate
      SCOPED_TRACE(p.name);
      for (const char* search : {"wolfe", "exact"}) {
        MethodChoice choice = with_setting(method_of(GetParam()), "line-search", search);
        choice = with_setting(choice, "memory", "3");  // small enough to be filled and overwritten
        const std::unique_ptr<Method> method = choice.make();
        const auto oracle = p.objective->oracle();
        method->start(*oracle, random.normal_vector(oracle->dimension()));
        const std::uint64_t before = allocations();
        for (int k = 0; k < 12; ++k) {
          method->step();
          method->iterate();
        }
        EXPECT_EQ(allocations(), before) << count << " threads";
      }
    }
  }
}

TEST_P(MethodCost, AStepAllocatesNothingWhenItIsTheFirstToNeedManyThreads) {
  // Two blocks in a pass, sixteen in a sum over rows. Threads for the latter must not be started in
  // a step. No other test of this program uses as many, so none has started them before.
  Random random(163);
  const RandomData data = random_data(random, Task::regression, {.rows = 16 * 2048, .columns = 1});
  const std::unique_ptr<Oracle> f = make_risk("huber", data.data, 1e-3)->oracle();
  static int many = 9;  // each method gets one thread more than the previous one
  set_threads(++many);
  const std::unique_ptr<Method> method = make_variant(GetParam());
  method->start(*f, Vector{3});
  const std::uint64_t before = allocations();
  for (int k = 0; k < 3; ++k) method->step();
  EXPECT_EQ(allocations(), before);
}

TEST_P(MethodCost, TheDriverAllocatesNothingBetweenIterations) {
  for (const Problem& p : all) {
    if (!has_image(p)) continue;
    SCOPED_TRACE(p.name);
    std::uint64_t first = 0, last = 0;
    run(p, {.gap_tolerance = 0, .max_iterations = 40}, [&](const Progress& at) {
      last = allocations();
      if (at.iteration == 0) first = last;
      return true;
    });
    EXPECT_EQ(last, first);
  }
}

TEST_P(MethodCost, EveryEvaluationOfAUsersFunctionIsCounted) {
  for (const SmoothFunction& f : {log_sum_exp(*std::make_unique<Random>(1), 12, 6, 0.05),
                                  pseudo_huber(*std::make_unique<Random>(2), 12, 6, 1e-3)})
    for (const bool two : {false, true})
      for (const bool tell_beta : {false, true}) {
        std::uint64_t values = 0, gradients = 0;
        FunctionProperties known{.dimension = 6, .strong_convexity = static_cast<double>(f.alpha)};
        if (tell_beta) known.smoothness = static_cast<double>(f.beta);
        const auto value = [&](std::span<const double> x) {
          ++values;
          return static_cast<double>(f.at(real(x)).value);
        };
        const auto gradient = [&](std::span<const double> x, std::span<double> g) {
          ++gradients;
          std::ranges::copy(rounded(f.at(real(x)).gradient), g.begin());
        };
        const auto both = [&](std::span<const double> x, std::span<double> g) {
          gradient(x, g);
          return value(x);
        };
        const FunctionObjective objective =
            two ? FunctionObjective(known, value, gradient) : FunctionObjective(known, both);
        const Result r = minimize_with(GetParam(), objective, Vector(6, 0.5),
                                       {.gap_tolerance = 1e-8, .max_iterations = 50}, [&](const Progress& at) {
                                         EXPECT_EQ(at.counts.function_evaluations, values);
                                         return true;
                                       });
        EXPECT_EQ(r.counts.function_evaluations, values);
        EXPECT_EQ(r.counts.function_evaluations, gradients);
        EXPECT_GT(values, r.iterations);
      }
}

INSTANTIATE_TEST_SUITE_P(All, MethodCost, ::testing::ValuesIn(method_variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace geodescent::testing
