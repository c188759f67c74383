#include "methods/memory_plan.hpp"

#include <algorithm>
#include <cmath>

namespace geodescent {
namespace {

constexpr std::size_t most_directions = 200;
constexpr std::size_t fewest_directions = 20;
constexpr std::size_t newton_directions = 50;
constexpr std::size_t most_balls = 40;

// Nanoseconds, as bench/micro measures them on one core: only their ratios matter.
constexpr double entry_of_a_pass = 1.0;
constexpr double product_of_a_dense_hessian = 0.15;
constexpr double product_of_a_sparse_hessian = 0.8;

// Of a typical run to a gap of 1e-6 (docs/reproduction.md).
constexpr double newton_iterations = 12;
constexpr double gradient_iterations = 80;
constexpr double hessians_of_a_search = 2.5;
/// A search may take as long as so many passes.
constexpr double passes_worth_of_search = 6;

double square(double v) { return v * v; }

/// The search over m directions: a Hessian of size m, row by row, a few times.
double search_time(double rows, double m) {
  return hessians_of_a_search * 0.5 * rows * square(m) * product_of_a_dense_hessian;
}

double newton_time(const Objective& f) {
  const Cost cost = f.cost();
  const double d = static_cast<double>(f.dimension());
  const double hessian =
      cost.hessian_products * (cost.hessian_is_dense ? product_of_a_dense_hessian : product_of_a_sparse_hessian);
  const double factor = d * d * d / 6 * product_of_a_dense_hessian;
  return newton_iterations * (3 * cost.entries_per_pass * entry_of_a_pass + hessian + factor);
}

double gradient_time(const Objective& f) {
  const double rows = static_cast<double>(f.image_size());
  const double passes = 2 * f.cost().entries_per_pass * entry_of_a_pass;
  // The span grows from 1 to the number of iterations: the mean of m^2 is a third of the last.
  return gradient_iterations * (passes + search_time(rows, gradient_iterations) / 3);
}

double bytes_of_numbers(double count) { return 8 * count; }

}  // namespace

double MemoryPlan::bytes(const Objective& f) const {
  const double d = static_cast<double>(f.dimension()), n = static_cast<double>(f.image_size());
  const double m = static_cast<double>(std::min(directions, f.dimension()) + 3);
  const double slopes = static_cast<double>(balls + 3) * (whole_space ? d : n + d);
  return bytes_of_numbers((n + d) * m + slopes + 10 * square(m) + (whole_space ? 9 * d * d : 0));
}

MemoryPlan plan_memory(const Objective& f, const MethodSettings& settings) {
  return plan_memory(f, settings, settings.directions);
}

MemoryPlan plan_memory(const Objective& f, const MethodSettings& settings, Directions directions) {
  const double limit = settings.memory_limit;
  const std::size_t d = f.dimension();
  MemoryPlan plan;
  // More than dimension + 1 balls are never needed at once.
  plan.balls = std::min(most_balls, d + 1);

  const bool possible = f.cost().hessian_products > 0;
  const bool worthwhile = !settings.memory && newton_time(f) <= gradient_time(f);
  if (possible && (directions == Directions::newton || (directions == Directions::automatic && worthwhile))) {
    plan.whole_space = true;
    plan.directions = std::min(d, newton_directions);
    if (plan.bytes(f) <= limit) return plan;
    plan.whole_space = false;
  }

  const double rows = static_cast<double>(std::max<std::size_t>(f.image_size(), 1));
  const double affordable =
      std::sqrt(3 * passes_worth_of_search * f.cost().entries_per_pass * entry_of_a_pass / search_time(rows, 1));
  plan.directions =
      settings.memory.value_or(std::clamp(static_cast<std::size_t>(affordable), fewest_directions, most_directions));
  plan.directions = std::min(plan.directions, d);
  // Fewer of both until they fit; three directions and a ball there must be.
  while (plan.bytes(f) > limit && plan.directions + plan.balls > 0) {
    plan.directions -= (plan.directions + 9) / 10;
    plan.balls -= (plan.balls + 9) / 10;
  }
  return plan;
}

}  // namespace geodescent
