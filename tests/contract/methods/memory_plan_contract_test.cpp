// The planned memory equals the allocated memory.
#include <gtest/gtest.h>

#include "contract/allocations.hpp"
#include "contract/objectives.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/optimize/function.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "methods/geod_memory/plan/memory_plan.hpp"
#include "methods/geod_memory/search.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

/// The bytes allocated by the start of geod-memory, with temporaries, divided by the plan.
double taken_over_planned(const Objective& f, const GeodMemory& settings) {
  const auto oracle = f.oracle();
  const double planned = plan_memory(oracle->facts(), settings).bytes;
  const auto method = settings.make({});
  const std::uint64_t before = allocated_bytes();
  method->start(*oracle, Vector(f.dimension()));
  return static_cast<double>(allocated_bytes() - before) / planned;
}

// Objects that are moved or copied into place count twice here, so the limits leave room for that.
void expect_as_planned(const Objective& f, const GeodMemory& settings, std::string_view what) {
  const double ratio = taken_over_planned(f, settings);
  EXPECT_GT(ratio, 0.5) << what;
  EXPECT_LT(ratio, 2.1) << what;
}

TEST(MemoryPlanContract, SaysWhatARunTakes) {
  Random random(389);
  const RandomData tall = random_data(random, Task::classification, {.rows = 4000, .columns = 60}),
                   wide = random_data(random, Task::classification, {.rows = 300, .columns = 4000, .density = 0.02});
  const auto on_tall = make_risk("logistic", tall.data, 1e-4), on_wide = make_risk("logistic", wide.data, 1e-4);
  for (const SearchKind* kind : searches())
    expect_as_planned(*on_tall, {.directions = std::string(kind->name)}, kind->name);
  const RandomData costly = random_data(random, Task::classification, {.rows = 4000, .columns = 120});
  const auto with_kept_hessian = make_risk("logistic", costly.data, 1e-4);
  EXPECT_GT(plan_memory(with_kept_hessian->oracle()->facts(), {.directions = "newton"}).pairs, 0u);
  expect_as_planned(*with_kept_hessian, {.directions = "newton"}, "newton, kept Hessian");
  expect_as_planned(*on_wide, {.directions = "quasi-newton"}, "quasi-Newton, wide");
  expect_as_planned(*on_wide, {.directions = "gradients"}, "gradients, wide");
  expect_as_planned(*on_wide, {.memory = 5}, "five directions");
  expect_as_planned(*on_wide, {.directions = "dual"}, "dual, wide");
  for (const std::size_t classes : {3u, 9u}) {
    const Problem several = softmax_problem(random, classes, 1e-4, {.rows = 3000, .columns = 20}, Bias::free);
    for (const char* along : {"gradients", "quasi-newton", "newton", "dual"})
      expect_as_planned(*several.objective, {.directions = along}, several.name + ", " + along);
  }
  const auto value = [](std::span<const double> x, std::span<double> g) {
    std::copy(x.begin(), x.end(), g.begin());
    return 0.5 * squared_norm(x);
  };
  expect_as_planned(FunctionObjective({.dimension = 5000, .strong_convexity = 1}, value), {}, "black box");
  expect_as_planned(FunctionObjective({.dimension = 5000}, value), {}, "black box, alpha unknown");
}

TEST(MemoryPlanContract, PlanningAllocatesNoVectorOverTheColumns) {
  constexpr std::size_t columns = 1'000'000;
  const std::string text = "1 1:1 " + std::to_string(columns) + ":1\n-1 2:1\n1 5:1\n-1 7:2\n";
  const Dataset data = dataset_of(parse_libsvm(text, "text"), "text");
  for (const char* const loss : {"logistic", "squared"}) {
    const std::uint64_t before = allocated_bytes();
    const auto f = make_risk(loss, data, 1e-4, {}, Bias::free);
    const std::optional<Memory> plan = planned_memory(*f, GeodMemory{}, {});
    EXPECT_TRUE(plan.has_value());
    EXPECT_LT(allocated_bytes() - before, columns) << loss;
  }
}

TEST(MemoryPlanContract, WhateverFitsTheLimitRunsToItsEnd) {
  Random random(449);
  const RandomData data = random_data(random, Task::classification, {.rows = 3000, .columns = 4});
  const auto f = make_risk("logistic", data.data, 1e-3);
  const Facts facts = f->oracle()->facts();
  double least = std::numeric_limits<double>::infinity();
  for (const SearchKind* kind : searches())
    least = std::min(least, bytes_of({.along = kind->name, .dual = true}, facts));
  for (double limit = least; limit < 8 * least; limit *= 1.15) {
    const Options options{.gap_tolerance = 1e-6, .keep_dual = true};
    const GeodMemory limited{.memory_limit = limit};
    const Memory planned = planned_memory(*f, limited, options).value();
    EXPECT_LE(std::max(planned.bytes, planned.bytes_after_guard), limit);
    EXPECT_EQ(minimize(*f, limited, {}, options).status, Status::converged) << limit;
  }
}

TEST(MemoryPlanContract, TheLeastMemoryIsEnoughToConverge) {
  Random random(433);
  for (const LossInfo& loss : losses()) {
    const RandomData data = random_data(random, loss.task, {.rows = 100, .columns = 20});
    const auto f = make_risk(loss.name, data.data, 1e-2);
    for (const std::string_view along : {"gradients", "quasi-newton"}) {
      const GeodMemory least{.memory_limit = bytes_of({.along = along}, f->oracle()->facts()),
                             .directions = std::string(along)};
      const Memory plan = plan_memory(f->oracle()->facts(), least);
      EXPECT_LE(plan.directions + plan.pairs + plan.balls, along == "gradients" ? 0u : 1u);
      const Result r = minimize(*f, least);
      EXPECT_EQ(r.status, Status::converged) << loss.name << ": " << r.message;
    }
  }
}

}  // namespace
}  // namespace geodescent::testing
