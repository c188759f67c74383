#include "methods/geod_memory/plan/cost.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "methods/geod_memory/plan/forecast.hpp"
#include "methods/geod_memory/plan/memory_plan.hpp"
#include "optimize/search/cholesky.hpp"
#include "optimize/search/reduced.hpp"

namespace geodescent {
namespace {

// Nanoseconds, close to the results of bench/micro. The first touch is more than twice as slow on a
// virtual machine.
constexpr double entry_of_a_pass = 0.8;
/// Rough values, from iterations on four generated shapes on a machine with other load.
constexpr double entry_of_a_dense_pass = 0.4, row_of_a_pass = 10;
/// Added if the vectors of a pass exceed the second-level cache, for each doubling of the columns
/// from 2^16 to 2^20. With 2^20 columns of text the two products of an iteration take 9.4 ns per
/// nonzero. Values between these sizes are interpolated.
constexpr double entry_of_a_scattered_pass = 0.9;
/// With K outputs a pass multiplies K neighbours by each entry; these are for one of them, from
/// iterations on letter, dna and news20. What is scattered are the entries.
constexpr double output_of_a_pass = 0.25, output_of_a_dense_pass = 0.15;
constexpr double number_of_a_vector = 0.4;
constexpr double loss_of_a_row = 3;
constexpr double first_touch_of_a_number = 2;  // includes zeroing by the system and by the program
// How often an iteration reads the remembered vectors.
constexpr double readings_of_pairs = 4, readings_of_balls = 3;

// Medians and geometric means over 33 sets with few columns, all real but one, l2 = 1e-4 and 1e-6,
// logistic and smoothed hinge (docs/explanations/geod-memory.md). The first digit takes longer than
// the others.
constexpr double usual_digits = 6, digits_to_begin = 1.5;
constexpr double iterations_per_root_of_condition = 0.05;
constexpr double fewest_iterations = 25;  // the condition is only bounded: expect the geometric mean of both
// A small bound needs fewer iterations: with C = 0.01, 2 to 10 on most sets of scripts/cost-model
// --quick.
constexpr double decades_of_a_usual_condition = 4, easiest_part = 0.2;

}  // namespace

bool has_sparse_rows(const Facts& f) {
  const double entries_in_a_row = f.entries_per_pass / number(std::max<std::size_t>(f.image_size, 1));
  return entries_in_a_row < number(f.columns / f.outputs) / 2;
}

double pass_time(const Facts& f) {
  const int doublings = std::clamp(static_cast<int>(std::bit_width(f.columns)) - 17, 0, 4);
  const double scattered = doublings * entry_of_a_scattered_pass / number(f.outputs);
  const double of_sparse = f.outputs > 1 ? output_of_a_pass : entry_of_a_pass;
  const double of_dense = f.outputs > 1 ? output_of_a_dense_pass : entry_of_a_dense_pass;
  const double entry = has_sparse_rows(f) ? of_sparse + scattered : of_dense;
  return f.entries_per_pass * entry + number(f.image_size / f.outputs) * row_of_a_pass;
}

std::size_t usual_pairs(const Facts& f) {
  if (f.outputs == 1) return most_pairs;
  return affordable(fewest_pairs, most_pairs, 2 * pass_time(f) + 2 * losses_time(f),
                    [&](double m) { return pairs_time(number(f.columns), m); });
}

double pass_time_by_row(const Facts& f) {
  return std::max(pass_time(f), f.entries_per_pass * (f.outputs > 1 ? output_of_a_pass : entry_of_a_pass));
}

double log10_of(double x) { return 0.30103 * Forecast::log2_of(x); }

double losses_time(const Facts& f) { return number(f.image_size) * loss_of_a_row * f.losses_per_evaluation; }

double vectors_time(double numbers) { return numbers * number_of_a_vector; }

double first_touch_time(double bytes) { return bytes / sizeof(double) * first_touch_of_a_number; }

double balls_time(const Facts& f, bool dual, double numbers, double m) {
  return vectors_time(m * (readings_of_balls * numbers + (dual ? number(f.image_size) : 0)));
}

double pairs_time(double numbers, double m) { return vectors_time(readings_of_pairs * m * numbers); }

double remembered_time(const Facts& f, const Memory& memory, double numbers, double iterations) {
  return balls_time(f, memory.dual, numbers, on_average(memory.balls, iterations)) +
         pairs_time(numbers, on_average(memory.pairs, iterations));
}

double expected_iterations(const Facts& f, double digits) {
  const double most = std::max(fewest_iterations, iterations_per_root_of_condition * std::sqrt(f.condition));
  const double part = (digits_to_begin + digits) / (digits_to_begin + usual_digits);
  const double decades = f.condition > 0 ? log10_of(f.condition) : decades_of_a_usual_condition;
  const double easy = std::clamp(decades / decades_of_a_usual_condition, easiest_part, 1.0);
  return easy * part * std::sqrt(fewest_iterations * most);
}

double on_average(std::size_t most, double iterations) { return std::min(iterations / 2, number(most)); }

double bundle_numbers(const Facts& f, const Memory& memory, double numbers) {
  const double balls = number(memory.balls) + 2;  // with the enclosing ball and the ball `two_`
  const double dual = memory.dual ? balls * number(f.image_size) : 0;
  const double rebuilt = f.strong_convexity == 0 ? 2 * (number(memory.balls) + 10) * number(f.dimension) : 0;
  return balls * numbers + dual + rebuilt;
}

double basis_numbers(const Facts& f, std::size_t directions) {
  const std::size_t columns = std::min(directions, f.dimension) + 3;
  const double m = number(columns), n = number(f.image_size);
  // of the basis, with those of blocks of rows
  const double hessians = 13 * m * m + 256 * m + number(Cholesky::scratch(columns));
  return m * (n + number(f.dimension)) + 2 * n + hessians + Reduced::numbers_for_groups(columns, f.outputs);
}

}  // namespace geodescent
