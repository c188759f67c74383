// Newton's directions from a Hessian that is kept.
#include <gtest/gtest.h>

#include <algorithm>

#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "learn/softmax/softmax_risk.hpp"
#include "methods/geod_memory/search.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

constexpr const char* with_newton = "geod-memory:directions=newton";

/// Backward passes beside those of iterations: gradients at the start and at the end.
constexpr std::uint64_t passes_of_start_and_end = 2;

/// The run of a problem whose Hessian takes the time of many iterations.
Result run_of_classes(Bias bias, double gap, double start = 0) {
  Random random(4007);
  Dataset data = random_data(random, Task::regression, {.rows = 600, .columns = 80}).data;
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    const double y = std::floor(2 + data.targets[i]);
    data.targets[i] = i < 4 ? static_cast<double>(i) : std::clamp(y, 0.0, 3.0);
  }
  const SoftmaxRisk f(data, L2(1e-3), 4, bias);
  return minimize(f, with_newton, Vector(f.dimension(), start), {.gap_tolerance = gap});
}

TEST(NewtonSearch, KeepsAHessianThatCostsManyIterations) {
  for (const Bias bias : {Bias::none, Bias::free})
    for (const double start : {0.0, 0.5}) {
      const Result r = run_of_classes(bias, 1e-9, start);
      ASSERT_TRUE(r.memory);
      EXPECT_GT(r.memory->pairs, 0u);
      EXPECT_EQ(r.status, Status::converged) << r.message;
      const std::uint64_t hessians = r.counts.backward_passes - r.iterations - passes_of_start_and_end;
      EXPECT_GE(hessians, 1u);
      EXPECT_LE(2 * hessians, r.iterations);
    }
}

TEST(NewtonSearch, ReachesTheLimitOfDoublePrecisionWithAKeptHessian) {
  const Result r = run_of_classes(Bias::none, 0);
  EXPECT_LE(r.relative_gap(), 1e-12) << r.message;
}

TEST(NewtonSearch, ComputesACheapHessianInEveryIteration) {
  Random random(4009);
  const Problem p = risk_problem(random, "logistic", 1e-3, {.rows = 500, .columns = 5});
  const Result r = minimize(*p.objective, with_newton, Vector(p.objective->dimension()), {.gap_tolerance = 1e-9});
  EXPECT_EQ(r.memory->pairs, 0u);
  EXPECT_EQ(r.counts.backward_passes, 2 * r.iterations + passes_of_start_and_end);
}

}  // namespace
}  // namespace geodescent::testing
