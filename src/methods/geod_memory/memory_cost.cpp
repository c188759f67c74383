#include "methods/geod_memory/memory_cost.hpp"

#include <algorithm>
#include <cmath>

#include "methods/geod_memory/memory_plan.hpp"

namespace geodescent {
namespace {

// About what bench/micro measures. A first touch took more than twice as long there, on a virtual machine; elsewhere it
// takes less.
constexpr double entry_of_a_pass = 0.8;
constexpr double number_of_a_vector = 0.4;
constexpr double loss_of_a_row = 3;
constexpr double product_of_a_dense_hessian = 0.1;
constexpr double product_of_a_sparse_hessian = 0.5;
constexpr double product_of_a_factorization = 0.2;
constexpr double blocks_of_a_hessian = 8;
constexpr double first_touch_of_a_number = 2;  // the system zeroes a fresh page, and so do we

// Medians and geometric means over 33 sets with few columns, all real but one, l2 = 1e-4 and 1e-6, logistic and
// smoothed hinge (docs/method.md). Gradients need as many iterations as there are directions at most, and fewer where
// the problem is well conditioned; the first digit takes longer than the others. Newton's method spends most of its
// iterations far from the minimum; once near, the digits double with every step.
constexpr double usual_digits = 6, fewest_digits = 1, most_digits = 15, digits_to_begin = 1.5;
constexpr double iterations_per_root_of_condition = 0.05;
constexpr double fewest_iterations = 25;  // the condition is only bounded: the mean of both in exponents is expected
constexpr double newton_iterations_far_away = 3, newton_iterations_among_kinks = 2.5, newton_iterations_per_digit = 0.3;
// Where a memory of gradients holds all of a run, quasi-Newton directions need so many times its iterations. On hard
// problems it is more, but there a memory that does not hold all needs more, too.
constexpr double quasi_newton_iterations = 1.1;
// What an iteration evaluates of the losses, and how often it reads what is remembered.
constexpr double evaluations_of_span = 12, evaluations_of_line = 3, evaluations_by_newton = 6;
constexpr double readings_of_directions = 5, readings_of_pairs = 4, readings_of_balls = 3;

double number(std::size_t n) { return static_cast<double>(n); }

double losses_time(const Facts& f) { return number(f.image_size) * loss_of_a_row; }

/// Threads do not share the factorization, and each block of rows has a matrix to be cleared and added.
double hessian_time(const Facts& f) {
  const double d = number(f.dimension);
  const double products =
      f.hessian_products * (f.hessian_is_dense ? product_of_a_dense_hessian : product_of_a_sparse_hessian);
  return products + vectors_time(2 * blocks_of_a_hessian * d * d) + d * d * d / 6 * product_of_a_factorization;
}

/// Numbers of a vector that is remembered, with its image where that is needed.
double size_of_a_vector(const Facts& f, const Memory& memory) {
  const bool spans = memory.along == Directions::gradients;
  return number(f.dimension) + (spans ? number(f.image_size) : 0);
}

double iterations_of(const Facts& f, const Memory& memory, double digits) {
  const double most = std::max(fewest_iterations, iterations_per_root_of_condition * std::sqrt(f.condition));
  const double part = (digits_to_begin + digits) / (digits_to_begin + usual_digits);
  const double expected = part * std::sqrt(fewest_iterations * most);
  const double gradients = std::min(expected, number(std::min(f.dimension, f.image_size)));
  const double far_away = newton_iterations_far_away + (f.curvature_is_smooth ? 0 : newton_iterations_among_kinks);
  switch (memory.along) {
    case Directions::newton:
      return std::min(far_away + newton_iterations_per_digit * digits, gradients);
    case Directions::quasi_newton:
      return quasi_newton_iterations * expected;
    default:
      return gradients;
  }
}

double iteration_time(const Facts& f, const Memory& memory, double iterations) {
  const auto on_average = [iterations](std::size_t most) { return std::min(iterations / 2, number(most)); };
  const double kept = balls_time(f, memory, on_average(memory.balls)) + pairs_time(f, memory, on_average(memory.pairs));
  switch (memory.along) {
    case Directions::newton:
      return 3 * pass_time(f) + evaluations_by_newton * losses_time(f) + hessian_time(f) + kept;
    case Directions::quasi_newton:
      return 2 * pass_time(f) + evaluations_of_line * losses_time(f) + kept;
    default:
      return 2 * pass_time(f) + evaluations_of_span * losses_time(f) + span_time(f, on_average(memory.directions)) +
             kept;
  }
}

}  // namespace

double pass_time(const Facts& f) { return f.entries_per_pass * entry_of_a_pass; }

double vectors_time(double numbers) { return numbers * number_of_a_vector; }

double span_time(const Facts& f, double m) {
  return vectors_time(readings_of_directions * m * number(f.dimension + f.image_size));
}

double balls_time(const Facts& f, const Memory& memory, double m) {
  const double dual = memory.dual ? number(f.image_size) : 0;
  return vectors_time(m * (readings_of_balls * size_of_a_vector(f, memory) + dual));
}

double pairs_time(const Facts& f, const Memory& memory, double m) {
  return vectors_time(readings_of_pairs * m * size_of_a_vector(f, memory));
}

double lbfgs_pairs_time(const Facts& f, double m) { return vectors_time(readings_of_pairs * m * number(f.columns)); }

double run_time(const Facts& f, const Memory& memory, double gap_tolerance) {
  const double digits =
      gap_tolerance > 0 ? std::clamp(-std::log10(gap_tolerance), fewest_digits, most_digits) : most_digits;
  const double iterations = iterations_of(f, memory, digits);
  Memory touched = memory;
  touched.directions = std::min(memory.directions, static_cast<std::size_t>(iterations));
  return iterations * iteration_time(f, memory, iterations) +
         bytes_of(touched, f) / sizeof(double) * first_touch_of_a_number;
}

}  // namespace geodescent
