#include "methods/geod_memory/plan/memory_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "geodescent/optimize/function.hpp"
#include "methods/geod_memory/search.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

std::unique_ptr<Oracle> risk(std::size_t rows, std::size_t columns, double density) {
  Random random(337);
  const RandomData data = random_data(random, Task::classification, {rows, columns, density});
  return make_risk("logistic", data.data, 1e-4)->oracle();
}

/// What is predicted to be fastest, though a run may start with less.
std::string_view fastest(const std::unique_ptr<Oracle>& f, const GeodMemory& settings = {}) {
  const std::vector<Memory> plans = plan_searches(f->facts(), settings);
  const auto time = [&](const Memory& plan) {
    const double digits = digits_of(settings.plan_for.value_or(Purpose{}.gap));
    return run_time(plan, f->facts(), find_search(plan.along)->iterations(f->facts(), digits));
  };
  return std::ranges::min_element(plans, {}, time)->along;
}

std::string_view chosen(const std::unique_ptr<Oracle>& f, const GeodMemory& settings = {}) {
  return plan_memory(f->facts(), settings).along;
}

TEST(MemoryPlan, TakesTheWholeSpaceWhereItIsSmall) {
  EXPECT_EQ(chosen(risk(500, 10, 1)), "newton");
  EXPECT_EQ(fastest(risk(2000, 50, 0.1)), "newton");
  EXPECT_NE(chosen(risk(50, 3000, 0.05)), "newton") << "far more columns than rows";
  const FunctionObjective black_box({.dimension = 10, .strong_convexity = 1},
                                    [](std::span<const double>, std::span<double>) { return 0.0; });
  EXPECT_EQ(plan_memory(black_box.oracle()->facts(), {}).along, "quasi-newton") << "there is no Hessian, and no image";
}

TEST(MemoryPlan, ManyDigitsAreWorthAHessian) {
  const auto f = risk(2000, 100, 0.1);
  EXPECT_NE(fastest(f, {.plan_for = 0.1}), "newton");
  EXPECT_EQ(fastest(f, {.plan_for = 1e-12}), "newton");
  EXPECT_EQ(fastest(f, {.plan_for = 0}), "newton") << "as many as there are";
}

TEST(MemoryPlan, KeepsNoImagesWhereRowsAreManyAndShort) {
  const auto short_rows = risk(6000, 1000, 0.005);
  EXPECT_EQ(chosen(short_rows), "quasi-newton");
  EXPECT_EQ(chosen(short_rows, {.directions = "few-passes"}), "gradients");
  EXPECT_EQ(chosen(risk(2000, 1500, 0.5)), "gradients") << "long rows: a pass costs more than images do";
  const auto by_rows = risk(200, 4000, 0.01)->row_form({});
  ASSERT_TRUE(by_rows);
  EXPECT_EQ(chosen(by_rows), "gradients") << "by rows, images are what vectors are multiplied with";
}

TEST(MemoryPlan, DoesAsItIsTold) {
  const auto small = risk(500, 10, 1), wide = risk(50, 300, 0.3);
  EXPECT_EQ(chosen(small, {.memory = 4}), "gradients");
  EXPECT_EQ(plan_memory(small->facts(), {.memory = 4}).directions, 4u);
  EXPECT_EQ(plan_memory(small->facts(), {.memory = 40}).directions, 10u) << "there are no more";
  for (const std::string_view wanted : {"gradients", "quasi-newton", "newton"})
    for (const auto* f : {&small, &wide}) EXPECT_EQ(chosen(*f, {.directions = std::string(wanted)}), wanted);
  EXPECT_EQ(plan_memory(small->facts(), {.memory = 4, .directions = "quasi-newton"}).pairs, 4u);
}

TEST(MemoryPlan, RemembersFewerDirectionsWhereRowsAreShort) {
  const GeodMemory gradients{.directions = "gradients"};
  const Memory shorter = plan_memory(risk(3000, 400, 0.01)->facts(), gradients),
               longer = plan_memory(risk(3000, 400, 0.5)->facts(), gradients);
  EXPECT_LT(shorter.directions, longer.directions);
  EXPECT_GE(shorter.directions, 20u);
  EXPECT_GE(shorter.pairs, 10u) << "what is dropped lives on in pairs";
  EXPECT_EQ(longer.pairs, 0u) << "nothing is dropped so soon";
  EXPECT_GE(shorter.balls, 20u);
}

TEST(MemoryPlan, ARefusalNamesMoreBytesThanTheLimit) {
  const auto f = risk(500, 4, 1);
  const double newton = bytes_of({.along = "newton"}, f->facts()),
               gradients = bytes_of({.along = "gradients"}, f->facts());
  ASSERT_LT(newton, gradients);
  const double limit = 0.5 * (newton + gradients);  // for Newton's directions, but not for what may replace them
  try {
    plan_memory(f->facts(), {.memory_limit = limit, .directions = "newton"});
    FAIL() << "no exception";
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what(), before = "at least ";
    EXPECT_GT(std::stod(message.substr(message.find(before) + before.size())), limit) << message;
  }
}

TEST(MemoryPlan, KeepsToTheLimitOfBytes) {
  for (const auto& f : {risk(500, 10, 1), risk(200, 400, 0.2), risk(2000, 100, 0.1)}) {
    const double wanted = plan_memory(f->facts(), {}).bytes;
    double least = std::numeric_limits<double>::infinity();
    for (const SearchKind* kind : searches())
      if (kind->is_candidate) least = std::min(least, bytes_of({.along = kind->name}, f->facts()));
    for (const double limit : {0.95 * wanted, 0.5 * (wanted + least), 1.1 * least, least}) {
      const Memory plan = plan_memory(f->facts(), {.memory_limit = std::max(limit, least)});
      EXPECT_LE(plan.bytes, std::max(limit, least));
    }
    EXPECT_THROW(plan_memory(f->facts(), {.memory_limit = 0.99 * least}), std::invalid_argument);
  }
}

}  // namespace
}  // namespace geodescent::testing
