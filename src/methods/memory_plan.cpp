#include "geodescent/memory_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace geodescent {
namespace {

constexpr std::size_t most_directions = 200;
constexpr std::size_t fewest_directions = 20;
constexpr std::size_t newton_directions = 50;
constexpr std::size_t most_pairs = 100;
constexpr std::size_t most_balls = 40;

// Nanoseconds on one core, as bench/micro measures them. Only their ratios matter.
constexpr double entry_of_a_pass = 1.0;
constexpr double product_of_a_dense_hessian = 0.15;
constexpr double product_of_a_sparse_hessian = 0.8;

// Of runs to a gap of 1e-6 on hard problems (docs/reproduction.md): where few iterations are enough, either choice is
// fast.
constexpr double newton_iterations = 12;
constexpr double gradient_iterations = 80;
constexpr double hessians_of_a_search = 2.5;
/// On average over a run, searches may take as long as so many passes.
constexpr double passes_worth_of_search = 6;

double number(std::size_t n) { return static_cast<double>(n); }

/// The search over m directions: a Hessian of size m, row by row, a few times.
double search_time(double rows, double m) {
  return hessians_of_a_search * 0.5 * rows * m * m * product_of_a_dense_hessian;
}
/// The same, averaged over a run in which the directions grow to m.
double mean_search_time(double rows, double m) { return search_time(rows, m) / 3; }

double newton_time(const Objective& f) {
  const Cost cost = f.cost();
  const double d = number(f.dimension());
  const double hessian =
      cost.hessian_products * (cost.hessian_is_dense ? product_of_a_dense_hessian : product_of_a_sparse_hessian);
  const double factorization = d * d * d / 6 * product_of_a_dense_hessian;
  return newton_iterations * (3 * cost.entries_per_pass * entry_of_a_pass + hessian + factorization);
}

double gradient_time(const Objective& f) {
  return gradient_iterations * (2 * f.cost().entries_per_pass * entry_of_a_pass +
                                mean_search_time(number(f.image_size()), gradient_iterations));
}

bool newton_is_worthwhile(const Objective& f, const MethodSettings& settings) {
  if (settings.directions != Directions::automatic) return settings.directions == Directions::newton;
  return !settings.memory && newton_time(f) <= gradient_time(f);
}

/// As many as keep the searches cheap beside the passes.
std::size_t affordable_directions(const Objective& f) {
  if (f.image_size() == 0) return most_pairs;
  const double passes = passes_worth_of_search * f.cost().entries_per_pass * entry_of_a_pass;
  const double m = std::sqrt(passes / mean_search_time(number(f.image_size()), 1));
  return std::clamp(static_cast<std::size_t>(m), fewest_directions, most_directions);
}

}  // namespace

double MemoryPlan::bytes(const Objective& f) const {
  const double d = number(f.dimension()), n = number(f.image_size()), point = n + d;
  double numbers = 8 * point;                                                  // the points of an iteration
  numbers += (number(balls) + 2) * (whole_space ? d : point);                  // the slopes of the balls
  if (f.strong_convexity() == 0) numbers += 2 * (number(balls) + 10) * point;  // to make them anew
  if (n == 0) {
    numbers += 2 * number(directions) * d;  // pairs
  } else {
    const double m = number(std::min(directions, f.dimension()) + 3);
    numbers += m * point + 2 * n + 13 * m * m + 256 * m;  // the basis, and the Hessians of blocks of rows on it
    if (whole_space) numbers += n + 9 * d * d + 256 * d;
  }
  return 8 * numbers;
}

MemoryPlan plan_memory(const Objective& f, const MethodSettings& settings) {
  const std::size_t d = f.dimension();
  const auto fits = [&](const MemoryPlan& plan) { return plan.bytes(f) <= settings.memory_limit; };
  // More than dimension + 1 balls are never needed at once.
  const std::size_t balls = std::min(most_balls, d + 1);

  if (f.cost().hessian_products > 0 && newton_is_worthwhile(f, settings)) {
    const MemoryPlan plan{true, std::min(d, newton_directions), balls};
    if (fits(plan)) return plan;
  }
  MemoryPlan plan{false, settings.memory.value_or(affordable_directions(f)), balls};
  // There are no more directions than dimensions, but pairs of a function whose curvature changes can be as many.
  if (f.image_size() > 0) plan.directions = std::min(plan.directions, d);
  while (!fits(plan) && plan.directions + plan.balls > 0) {
    plan.directions -= (plan.directions + 9) / 10;
    plan.balls -= (plan.balls + 9) / 10;
  }
  if (!fits(plan))
    throw std::invalid_argument(
        fmt::format("geod-memory needs at least {:.0f} bytes here, but its memory limit is {:.0f}; raise the limit, or "
                    "use geod, which remembers one ball",
                    plan.bytes(f), settings.memory_limit));
  return plan;
}

}  // namespace geodescent
