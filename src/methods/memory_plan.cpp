#include "geodescent/memory_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace geodescent {
namespace {

// The least and the most that is remembered.
constexpr std::size_t fewest_directions = 20;
constexpr std::size_t fewest_pairs = 10, most_pairs = 100;
constexpr std::size_t fewest_balls = 20, most_balls = 40;
constexpr std::size_t newton_directions = 50;
constexpr std::size_t most_columns = 1000;  // a Basis has no room for many more

// Nanoseconds on one core, as bench/micro measures them. Only their ratios matter.
constexpr double entry_of_a_pass = 0.8;
constexpr double entry_of_a_vector = 0.4;  // of one that is read from memory, as many vectors are
constexpr double loss_of_a_row = 3;
constexpr double product_of_a_dense_hessian = 0.1;
constexpr double product_of_a_sparse_hessian = 0.5;

// Of runs to a gap of 1e-6 (docs/performance.md). Gradients need as many iterations as there are directions at most,
// and fewer where the problem is well conditioned: in proportion to the digits that are wanted. Those of Newton's
// method double with every step.
constexpr double usual_digits = 6, fewest_digits = 1, most_digits = 15;
constexpr double most_newton_iterations = 7;
constexpr double iterations_per_root_of_condition = 0.05;
constexpr double fewest_iterations = 40;
// What an iteration evaluates of the losses, and how often it reads the directions remembered.
constexpr double evaluations_of_losses = 12, evaluations_by_newton = 6;
constexpr double readings_of_directions = 5;
// What limited-memory BFGS would spend on its pairs, per pair.
constexpr double readings_of_pairs = 4;

double number(std::size_t n) { return static_cast<double>(n); }

double pass_time(const Objective& f) { return f.cost().entries_per_pass * entry_of_a_pass; }
double losses_time(const Objective& f) { return number(f.image_size()) * loss_of_a_row; }
double vectors_time(double entries) { return entries * entry_of_a_vector; }

/// The searches over m directions.
double search_time(const Objective& f, double m) {
  return readings_of_directions * vectors_time(m * number(f.dimension() + f.image_size()));
}

double iterations_with_gradients(const Objective& f, double gap_tolerance) {
  const double most = number(std::min(f.dimension(), f.image_size()));
  const double digits =
      gap_tolerance > 0 ? std::clamp(-std::log10(gap_tolerance), fewest_digits, most_digits) : most_digits;
  const double expected = std::max(fewest_iterations, iterations_per_root_of_condition * std::sqrt(f.cost().condition));
  return std::min(digits / usual_digits * expected, most);
}

double newton_time(const Objective& f, double most_iterations) {
  const Cost cost = f.cost();
  const double d = number(f.dimension());
  const double hessian =
      cost.hessian_products * (cost.hessian_is_dense ? product_of_a_dense_hessian : product_of_a_sparse_hessian);
  const double factorization = d * d * d / 6 * product_of_a_dense_hessian;
  return std::min(most_newton_iterations, most_iterations) *
         (3 * pass_time(f) + evaluations_by_newton * losses_time(f) + hessian + factorization);
}

double gradient_time(const Objective& f, double iterations) {
  const double directions = std::min(iterations, number(most_directions)) / 2;  // on average
  return iterations * (2 * pass_time(f) + evaluations_of_losses * losses_time(f) + search_time(f, directions));
}

bool newton_is_worthwhile(const Objective& f, const MethodSettings& settings) {
  if (settings.directions != Directions::automatic) return settings.directions == Directions::newton;
  const double iterations = iterations_with_gradients(f, settings.gap_tolerance);
  return !settings.memory && newton_time(f, iterations) <= gradient_time(f, iterations);
}

/// The largest number up to `most`, but at least `least`, whose time is within the budget.
template <class Time>
std::size_t affordable(std::size_t least, std::size_t most, double budget, Time time) {
  std::size_t count = most;
  while (count > least && time(number(count)) > budget) --count;
  return count;
}

Memory affordable_plan(const Objective& f, std::optional<std::size_t> directions, bool dual) {
  const double d = number(f.dimension()), n = number(f.image_size());
  const double passes = 2 * pass_time(f);
  Memory plan{.dual = dual};
  // More than dimension + 1 balls are never needed at once.
  plan.balls = std::min(f.dimension() + 1, affordable(fewest_balls, most_balls, passes,
                                                      [&](double m) { return vectors_time(3 * m * (n + d)); }));
  if (n == 0) {  // evaluations of a user's function are assumed to cost more than vectors
    plan.balls = std::min(f.dimension() + 1, most_balls);
    plan.pairs = directions.value_or(most_pairs);
    return plan;
  }
  // As much as the passes cost and what limited-memory BFGS would spend, so that it cannot be much faster.
  const double budget = passes + vectors_time(readings_of_pairs * number(most_pairs) * number(f.columns()));
  plan.directions = directions.value_or(
      affordable(fewest_directions, most_directions, budget, [&](double m) { return search_time(f, m / 2); }));
  plan.directions = std::min({plan.directions, f.dimension(), most_columns});
  // Where many directions are remembered, and where they fill the space, pairs would add nothing.
  if (plan.directions < std::min(most_pairs, f.dimension()))
    plan.pairs = affordable(fewest_pairs, most_pairs, passes,
                            [&](double m) { return vectors_time(readings_of_pairs * m * (n + d)); });
  return plan;
}

}  // namespace

double bytes_of(const Memory& memory, const Objective& f) {
  const double d = number(f.dimension()), n = number(f.image_size()), point = n + d;
  double numbers = (memory.whole_space ? 5 : 9) * point;                     // the points of an iteration
  numbers += (number(memory.balls) + 2) * (memory.whole_space ? d : point);  // the slopes of the balls
  if (memory.dual) numbers += (number(memory.balls) + 2) * n;
  if (f.strong_convexity() == 0) numbers += 2 * (number(memory.balls) + 10) * d;  // to make them anew
  numbers += 2 * number(memory.pairs) * point;
  if (memory.whole_space) numbers += n + 9 * d * d + 256 * d;  // the Hessians of blocks of rows
  if (n > 0 && (memory.directions > 0 || !memory.whole_space)) {
    const double m = number(std::min(memory.directions, f.dimension()) + 3);
    numbers += m * point + 2 * n + 13 * m * m + 256 * m;  // the basis, and the Hessians of blocks of rows on it
    if (memory.whole_space) numbers += 3 * point;         // of the search
  }
  return 8 * numbers;
}

Memory plan_memory(const Objective& f, const MethodSettings& settings) {
  const bool dual = settings.dual && f.dual_size() > 0;
  const auto fits = [&](Memory& plan) {
    plan.bytes = bytes_of(plan, f);
    return plan.bytes <= settings.memory_limit;
  };

  if (f.cost().hessian_products > 0 && newton_is_worthwhile(f, settings)) {
    const std::size_t wanted = f.cost().curvature_is_smooth ? 0 : settings.memory.value_or(newton_directions);
    Memory plan{.whole_space = true, .directions = std::min(f.dimension(), wanted), .dual = dual};
    if (fits(plan)) return plan;
  }
  Memory plan = affordable_plan(f, settings.memory, dual);
  while (!fits(plan) && plan.directions + plan.pairs + plan.balls > 0)
    for (std::size_t* const count : {&plan.directions, &plan.pairs, &plan.balls}) *count -= (*count + 9) / 10;
  if (!fits(plan))
    throw std::invalid_argument(
        fmt::format("geod-memory needs at least {:.0f} bytes here, but its memory limit is {:.0f}; raise the limit, or "
                    "use geod, which remembers one ball",
                    plan.bytes, settings.memory_limit));
  return plan;
}

}  // namespace geodescent
