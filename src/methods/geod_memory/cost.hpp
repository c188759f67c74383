// What an iteration takes, by a model that knows sizes and no data: the parts that searches have in common.
#pragma once

#include "geodescent/optimize/method.hpp"

namespace geodescent {

inline double number(std::size_t n) { return static_cast<double>(n); }

/// Most entries are zero.
bool has_sparse_rows(const Facts& f);

/// The same on every machine; wrong by up to 0.03.
double log10_of(double x);

// Nanoseconds on one core. Only their ratios matter.

/// Of one product with the data.
double pass_time(const Facts& f);
/// The same, one row after the other: a dense row is no faster then.
double pass_time_by_row(const Facts& f);
/// Of one evaluation of the losses of all rows.
double losses_time(const Facts& f);
/// Of reading so many numbers from memory, as those of many vectors are.
double vectors_time(double numbers);
/// Of the first touch of so much memory.
double first_touch_time(double bytes);
/// Of what one iteration does with m balls, or with m pairs, whose vectors have so many numbers.
double balls_time(const Facts& f, bool dual, double numbers, double m);
double pairs_time(double numbers, double m);
/// Of both, for as many as a run of so many iterations has on average.
double remembered_time(const Facts& f, const Memory& memory, double numbers, double iterations);

/// Iterations of a search along gradients for so many digits, in a space without end.
double expected_iterations(const Facts& f, double digits);
/// So many of `most` are there on average in a run.
double on_average(std::size_t most, double iterations);

// Numbers that are kept in memory.

/// Of the balls of a bundle, whose vectors have so many numbers.
double bundle_numbers(const Facts& f, const Memory& memory, double numbers);
/// Of a basis of so many directions with their images, and of the search on it.
double basis_numbers(const Facts& f, std::size_t directions);

/// The largest number up to `most`, but at least `least`, whose time is within the budget.
template <class Time>
std::size_t affordable(std::size_t least, std::size_t most, double budget, Time time) {
  std::size_t count = most;
  while (count > least && time(number(count)) > budget) --count;
  return count;
}

}  // namespace geodescent
