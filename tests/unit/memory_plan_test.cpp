#include "geodescent/memory_plan.hpp"

#include <gtest/gtest.h>

#include "geodescent/function.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

std::unique_ptr<Objective> risk(std::size_t rows, std::size_t columns, double density) {
  Random random(337);
  const RandomData data = random_data(random, Task::classification, {rows, columns, density});
  return make_risk("logistic", data.data, 1e-4);
}

TEST(MemoryPlan, TakesTheWholeSpaceWhereItIsSmall) {
  EXPECT_TRUE(plan_memory(*risk(500, 10, 1), {}).whole_space);
  EXPECT_TRUE(plan_memory(*risk(2000, 100, 0.1), {}).whole_space);
  EXPECT_FALSE(plan_memory(*risk(50, 3000, 0.05), {}).whole_space) << "far more columns than rows";
  const FunctionObjective black_box({.dimension = 10, .strong_convexity = 1},
                                    [](std::span<const double>, std::span<double>) { return 0.0; });
  EXPECT_FALSE(plan_memory(black_box, {}).whole_space) << "there is no Hessian";
}

TEST(MemoryPlan, ManyDigitsAreWorthAHessian) {
  const auto f = risk(400, 300, 0.2);
  EXPECT_FALSE(plan_memory(*f, {.gap_tolerance = 0.1}).whole_space);
  EXPECT_TRUE(plan_memory(*f, {.gap_tolerance = 1e-12}).whole_space);
  EXPECT_TRUE(plan_memory(*f, {.gap_tolerance = 0}).whole_space) << "as many as there are";
}

TEST(MemoryPlan, DoesAsItIsTold) {
  const auto small = risk(500, 10, 1), wide = risk(50, 300, 0.3);
  EXPECT_FALSE(plan_memory(*small, {.memory = 4}).whole_space);
  EXPECT_EQ(plan_memory(*small, {.memory = 4}).directions, 4u);
  EXPECT_EQ(plan_memory(*small, {.memory = 40}).directions, 10u) << "there are no more";
  EXPECT_FALSE(plan_memory(*small, {.directions = Directions::gradients}).whole_space);
  EXPECT_TRUE(plan_memory(*wide, {.directions = Directions::newton}).whole_space);
}

TEST(MemoryPlan, RemembersFewerDirectionsWhereRowsAreShort) {
  const MethodSettings gradients{.directions = Directions::gradients};
  const Memory shorter = plan_memory(*risk(3000, 400, 0.01), gradients),
               longer = plan_memory(*risk(3000, 400, 0.5), gradients);
  EXPECT_LT(shorter.directions, longer.directions);
  EXPECT_GE(shorter.directions, 20u);
  EXPECT_GE(shorter.pairs, 10u) << "what is dropped lives on in pairs";
  EXPECT_EQ(longer.pairs, 0u) << "nothing is dropped so soon";
  EXPECT_GE(shorter.balls, 20u);
}

TEST(MemoryPlan, KeepsToTheLimitOfBytes) {
  for (const auto& f : {risk(500, 10, 1), risk(200, 400, 0.2), risk(2000, 100, 0.1)}) {
    const double wanted = plan_memory(*f, {}).bytes;
    const double least = std::min(bytes_of({}, *f), bytes_of({.whole_space = true}, *f));
    for (const double limit : {0.95 * wanted, 0.5 * (wanted + least), 1.1 * least, least}) {
      const Memory plan = plan_memory(*f, {.memory_limit = std::max(limit, least)});
      EXPECT_LE(plan.bytes, std::max(limit, least));
    }
    EXPECT_THROW(plan_memory(*f, {.memory_limit = 0.99 * least}), std::invalid_argument);
  }
}

}  // namespace
}  // namespace geodescent::testing
