// The rule that changes the search of a run, on gaps that are made up: what a run costs beside the
// best single search.
#include "methods/geod_memory/plan/schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "methods/geod_memory/plan/memory_plan.hpp"

namespace geodescent::testing {
namespace {

constexpr double wanted = 1e-6, first_gap = 1e4, goal = 1e-6;

Facts dense(std::size_t rows, std::size_t columns, double dual_condition) {
  const double entries = static_cast<double>(rows * columns);
  Facts f{.dimension = columns, .columns = columns, .image_size = rows, .dual_size = rows, .strong_convexity = 1};
  f.entries_per_pass = entries;
  f.hessian_products = entries * static_cast<double>(columns) / 2;
  f.curvature_is_smooth = true;
  f.condition = (dual_condition > 0 ? dual_condition : 1e5) * static_cast<double>(rows);
  f.dual_condition = dual_condition;
  return f;
}

/// A part of the way from the first gap to the goal, on a logarithmic scale.
double gap_at(double part) { return first_gap * std::pow(goal / first_gap, part); }

/// A search that has gone this part of the way goes so much of it in its next iteration.
using Speed = std::function<double(const SearchKind&, double part)>;

double iteration_time(const Memory& plan, const Facts& f, double made) {
  return find_search(plan.along)->iteration_time(f, plan, 2 * made);
}

struct Course {
  double nanoseconds = 0;
  std::vector<std::string_view> searches;
};

Course run(Schedule schedule, const Facts& f, const Speed& speed) {
  Course course{0, {schedule.current().along}};
  double part = 0, made = 0;
  schedule.changes(0, gap_at(0), goal);
  for (int k = 0; part < 1 && k < 1'000'000; ++k) {
    part += speed(*find_search(schedule.current().along), part);
    course.nanoseconds += iteration_time(schedule.current(), f, ++made);
    if (part >= 1 || !schedule.changes(1, gap_at(part), goal)) continue;
    course.searches.push_back(schedule.current().along);
    made = 0;
  }
  return course;
}

double fastest_alone(const std::vector<Memory>& plans, const Facts& f, const Speed& speed) {
  double least = std::numeric_limits<double>::infinity();
  for (const Memory& plan : plans) least = std::min(least, run(Schedule(f, {plan}, wanted), f, speed).nanoseconds);
  return least;
}

/// Newton's method and dual epochs go as predicted, the others need so many iterations: by this
/// factor more or fewer once they have gone this part of the way.
Speed steady(const Facts& f, double iterations, double slower = 1, double after = 0) {
  return [=](const SearchKind& kind, double part) {
    if (kind.pace != Pace::of_condition) return 1 / kind.iterations(f, 6);
    return (part > after ? 1 / slower : 1) / (kind.name == "gradients" ? iterations / 1.1 : iterations);
  };
}

std::vector<Facts> shapes() {
  std::vector<Facts> all;
  for (const std::size_t rows : {1000u, 100000u})
    for (const std::size_t columns : {10u, 100u, 1000u})
      for (const double dual_condition : {0.01, 0.1, 1.0, 10.0, 1e4})
        all.push_back(dense(rows, columns, dual_condition));
  return all;
}

TEST(Schedule, TakesAtMostTwiceAsLongAsTheBestSearchAlone) {
  for (const Facts& f : shapes())
    for (const double iterations : {6.0, 12.0, 25.0, 60.0, 200.0, 2000.0}) {
      const std::vector<Memory> plans = plan_searches(f, {}, {.gap = wanted});
      const Speed speed = steady(f, iterations);
      EXPECT_LE(run(Schedule(f, plans, wanted), f, speed).nanoseconds, 2 * fastest_alone(plans, f, speed))
          << f.image_size << " x " << f.dimension << ", dual condition " << f.dual_condition << ", " << iterations
          << " iterations, first " << plans.front().along;
    }
}

TEST(Schedule, LeavesASearchThatSlowsDown) {
  for (const Facts& f : shapes())
    for (const double iterations : {12.0, 60.0})
      for (const double slower : {5.0, 100.0})
        for (const double after : {0.3, 0.8}) {
          const std::vector<Memory> plans = plan_searches(f, {}, {.gap = wanted});
          const Speed speed = steady(f, iterations, slower, after);
          EXPECT_LE(run(Schedule(f, plans, wanted), f, speed).nanoseconds, 3 * fastest_alone(plans, f, speed))
              << f.image_size << " x " << f.dimension << ", dual condition " << f.dual_condition << ", " << iterations
              << " iterations, " << slower << " times slower after " << after;
        }
}

/// Newton's method and dual epochs need so many times the predicted iterations.
TEST(Schedule, LeavesASearchThatDisappoints) {
  for (const Facts& f : shapes())
    for (const double iterations : {12.0, 60.0, 200.0})
      for (const double slower : {3.0, 30.0, 1000.0}) {
        const std::vector<Memory> plans = plan_searches(f, {}, {.gap = wanted});
        const Speed as_predicted = steady(f, iterations);
        const Speed speed = [&](const SearchKind& kind, double part) {
          return as_predicted(kind, part) / (kind.pace == Pace::of_condition ? 1 : slower);
        };
        EXPECT_LE(run(Schedule(f, plans, wanted), f, speed).nanoseconds, 4 * fastest_alone(plans, f, speed))
            << f.image_size << " x " << f.dimension << ", dual condition " << f.dual_condition << ", " << iterations
            << " iterations, " << slower << " times the predicted ones of the others, first " << plans.front().along;
      }
}

TEST(Schedule, NamesASearchThatTheTheoremCovers) {
  for (const Facts& f : shapes()) {
    const std::optional<Memory> covered =
        Schedule(f, plan_searches(f, {}, {.gap = wanted}), wanted).covered_by_theorem();
    ASSERT_TRUE(covered);
    EXPECT_NE(find_search(covered->along)->guarded, Guarded::by_fallback);
  }
  EXPECT_FALSE(Schedule().covered_by_theorem());
  const Facts f = dense(1000, 10, 1);
  EXPECT_FALSE(Schedule(f, plan_searches(f, {.directions = "newton"}, {}), wanted).covered_by_theorem());
}

TEST(Schedule, StartsWithWhatIsCheapWhereAFirstIterationIsNot) {
  const Facts large = dense(20000, 1000, 0), small = dense(20000, 10, 0);
  EXPECT_EQ(plan_memory(large, {}, {.gap = wanted}).along, "quasi-newton");
  EXPECT_EQ(plan_memory(small, {}, {.gap = wanted}).along, "newton");
  const std::vector<Memory> plans = plan_searches(large, {}, {.gap = wanted});
  using Searches = std::vector<std::string_view>;
  EXPECT_EQ(run(Schedule(large, plans, wanted), large, steady(large, 20)).searches, Searches{"quasi-newton"});
  EXPECT_EQ(run(Schedule(large, plans, wanted), large, steady(large, 5000)).searches,
            (Searches{"quasi-newton", "newton"}));
}

TEST(Schedule, TakesNoSearchForEverAndKeepsToTheSearchThatIsNamed) {
  for (const Facts& f : shapes()) {
    // Nothing goes as predicted, so each search is left as soon as it may be.
    const Speed slow = [](const SearchKind&, double) { return 1e-3; };
    const std::vector<std::string_view> taken = run(Schedule(f, plan_searches(f, {}, {}), wanted), f, slow).searches;
    for (const SearchKind* kind : searches())  // twice, and after each of two searches of other paces
      EXPECT_LE(std::ranges::count(taken, kind->name), kind->pace == Pace::of_condition ? 6 : 2) << kind->name;
    for (const SearchKind* kind : searches()) {
      const GeodMemory named{.directions = std::string(kind->name)};
      EXPECT_EQ(run(Schedule(f, plan_searches(f, named, {}), wanted), f, slow).searches.size(), 1u) << kind->name;
    }
  }
}

TEST(Schedule, IgnoresAGapThatIsUnknownOrReached) {
  const Facts f = dense(20000, 1000, 1e4);
  Schedule schedule(f, plan_searches(f, {}, {}), wanted);
  for (int k = 0; k < 50; ++k) {
    EXPECT_FALSE(schedule.changes(1, INFINITY, goal));
    EXPECT_FALSE(schedule.changes(1, NAN, goal));
    EXPECT_FALSE(schedule.changes(1, goal / 2, goal));
    EXPECT_FALSE(schedule.changes(1, 0, 0));
  }
}

}  // namespace
}  // namespace geodescent::testing
