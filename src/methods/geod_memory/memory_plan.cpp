#include "methods/geod_memory/memory_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "methods/geod_memory/memory_cost.hpp"

namespace geodescent {
namespace {

// The least and the most that is remembered.
constexpr std::size_t fewest_directions = 20;
constexpr std::size_t fewest_pairs = 10, most_pairs = 100;
constexpr std::size_t fewest_balls = 20, most_balls = 40;
constexpr std::size_t newton_directions = 50;
constexpr std::size_t most_columns = 1000;  // a Basis has no room for many more
constexpr double usual_tolerance = 1e-6;    // planned for when nobody says for what

double number(std::size_t n) { return static_cast<double>(n); }

/// The largest number up to `most`, but at least `least`, whose time is within the budget.
template <class Time>
std::size_t affordable(std::size_t least, std::size_t most, double budget, Time time) {
  std::size_t count = most;
  while (count > least && time(number(count)) > budget) --count;
  return count;
}

Memory newton_plan(const Facts& f, const MethodSettings& settings, bool dual) {
  const std::size_t wanted = f.curvature_is_smooth ? 0 : settings.memory.value_or(newton_directions);
  const std::size_t balls = std::min(f.dimension + 1, settings.balls.value_or(0));
  return {.along = Directions::newton, .directions = std::min(f.dimension, wanted), .balls = balls, .dual = dual};
}

Memory quasi_newton_plan(const Facts& f, const MethodSettings& settings, bool dual) {
  Memory plan{.along = Directions::quasi_newton, .pairs = settings.memory.value_or(most_pairs), .dual = dual};
  // Evaluations of a user's function are assumed to cost more than vectors. Elsewhere balls were not seen to save more
  // than one iteration in fifty.
  const std::size_t usual = f.image_size == 0 ? most_balls : 0;
  plan.balls = std::min(f.dimension + 1, settings.balls.value_or(usual));
  return plan;
}

Memory gradient_plan(const Facts& f, const MethodSettings& settings, bool dual) {
  Memory plan{.along = Directions::gradients, .dual = dual};
  // No more than dimension + 1 are ever needed at once.
  plan.balls =
      std::min(f.dimension + 1, settings.balls.value_or(affordable(fewest_balls, most_balls, 2 * pass_time(f),
                                                                   [&](double m) { return balls_time(f, plan, m); })));
  // As much as the passes cost and what limited-memory BFGS would spend.
  const double budget = 2 * pass_time(f) + lbfgs_pairs_time(f, number(most_pairs));
  plan.directions = settings.memory.value_or(
      affordable(fewest_directions, most_directions, budget, [&](double m) { return span_time(f, m / 2); }));
  plan.directions = std::min({plan.directions, f.dimension, most_columns});
  // Where many directions are remembered, and where they fill the space, pairs would add nothing.
  if (settings.pairs)
    plan.pairs = *settings.pairs;
  else if (plan.directions < std::min(most_pairs, f.dimension))
    plan.pairs =
        affordable(fewest_pairs, most_pairs, 2 * pass_time(f), [&](double m) { return pairs_time(f, plan, m); });
  return plan;
}

/// What the settings leave open, the fastest first.
std::vector<Memory> plans(const Facts& f, const MethodSettings& settings) {
  const bool dual = settings.dual && f.dual_size > 0, has_hessian = f.hessian_products > 0;
  const auto wanted = [&](Directions d) { return settings.directions == d; };
  if (f.image_size == 0 || wanted(Directions::quasi_newton)) return {quasi_newton_plan(f, settings, dual)};
  std::vector<Memory> plans{gradient_plan(f, settings, dual)};
  const bool open = !settings.memory, automatic = wanted(Directions::automatic);
  if (open && automatic && !f.product.by_rows) plans.push_back(quasi_newton_plan(f, settings, dual));
  if (open && (automatic || wanted(Directions::few_passes)) && has_hessian)
    plans.push_back(newton_plan(f, settings, dual));
  const auto time = [&](const Memory& plan) { return run_time(f, plan, settings.plan_for.value_or(usual_tolerance)); };
  std::stable_sort(plans.begin(), plans.end(), [&](const Memory& a, const Memory& b) { return time(a) < time(b); });
  if (wanted(Directions::newton) && has_hessian) plans.insert(plans.begin(), newton_plan(f, settings, dual));
  return plans;
}

}  // namespace

double bytes_of(const Memory& memory, const Facts& f) {
  const bool spans = memory.along == Directions::gradients, newton = memory.along == Directions::newton;
  const double d = number(f.dimension), n = number(f.image_size), point = n + d, kept = spans ? point : d;
  double numbers = (spans ? 9 : 5) * point;      // the points of an iteration
  numbers += (number(memory.balls) + 2) * kept;  // the slopes of the balls
  numbers += 2 *
             number(memory.along == Directions::quasi_newton ? std::max<std::size_t>(1, memory.pairs) : memory.pairs) *
             kept;
  if (memory.dual) numbers += (number(memory.balls) + 2) * n;
  if (f.strong_convexity == 0) numbers += 2 * (number(memory.balls) + 10) * d;  // to make them anew
  if (newton) numbers += n + 9 * d * d + 256 * d;                               // the Hessians of blocks of rows
  if (spans || memory.directions > 0) {
    const double m = number(std::min(memory.directions, f.dimension) + 3);
    numbers += m * point + 2 * n + 13 * m * m + 256 * m;  // the basis, and the Hessians of blocks of rows on it
    if (newton) numbers += 3 * point;                     // of the search
  }
  return 8 * numbers;
}

Memory plan_memory(const Facts& f, const MethodSettings& settings) {
  std::vector<Memory> candidates = plans(f, settings);
  const auto fits = [&](Memory& plan) {
    plan.bytes = bytes_of(plan, f);
    return plan.bytes <= settings.memory_limit;
  };
  for (Memory& plan : candidates)
    if (fits(plan)) return plan;
  for (Memory& plan : candidates) {
    while (!fits(plan) && plan.directions + plan.pairs + plan.balls > 0)
      for (std::size_t* const count : {&plan.directions, &plan.pairs, &plan.balls}) *count -= (*count + 9) / 10;
    if (fits(plan)) return plan;
  }
  const Memory& least = *std::min_element(candidates.begin(), candidates.end(),
                                          [](const Memory& a, const Memory& b) { return a.bytes < b.bytes; });
  throw std::invalid_argument(
      fmt::format("geod-memory needs at least {:.0f} bytes here, but its memory limit is {:.0f}; raise the limit, or "
                  "use geod, which remembers one ball",
                  least.bytes, settings.memory_limit));
}

Memory plan_after_newton(const Facts& f, MethodSettings settings) {
  settings.directions = Directions::gradients;
  if (!settings.memory) settings.memory = most_directions;
  return plan_memory(f, settings);
}

}  // namespace geodescent
