// The cost model: predicted run times from sizes, without reading data. These are the parts that
// searches share.
#pragma once

#include "geodescent/optimize/method.hpp"

namespace geodescent {

inline double number(std::size_t n) { return static_cast<double>(n); }

/// Whether more than half of the entries of a row are zero.
bool has_sparse_rows(const Facts& f);

/// The same bits on every machine; wrong by up to 0.03.
double log10_of(double x);

// Times are in nanoseconds on one core. Only their ratios matter.

/// One product with the data.
double pass_time(const Facts& f);
/// The same for products row by row, where a dense row is no faster than a sparse one.
double pass_time_by_row(const Facts& f);
/// One evaluation of the losses of all rows.
double losses_time(const Facts& f);
/// Reading this many numbers of many vectors from memory.
double vectors_time(double numbers);
/// The first touch of this much memory.
double first_touch_time(double bytes);
/// The work of one iteration on m balls, or on m pairs, whose vectors have `numbers` numbers.
double balls_time(const Facts& f, bool dual, double numbers, double m);
double pairs_time(double numbers, double m);
/// Pairs of limited-memory BFGS. With several outputs vectors are long beside a pass, and pairs
/// beyond a few cost more than they save.
std::size_t usual_pairs(const Facts& f);
/// The work on both, for the average number of balls and pairs during a run of `iterations`
/// iterations.
double remembered_time(const Facts& f, const Memory& memory, double numbers, double iterations);

/// Expected iterations of a search along gradients for this many digits, if the dimension does not
/// limit it.
double expected_iterations(const Facts& f, double digits);
/// The average number of items during a run that adds one per iteration, up to `most`.
double on_average(std::size_t most, double iterations);

// Memory, in numbers of doubles.

/// The balls of a bundle, whose vectors have `numbers` numbers.
double bundle_numbers(const Facts& f, const Memory& memory, double numbers);
/// A basis of `directions` directions with their images, and the search in its span.
double basis_numbers(const Facts& f, std::size_t directions);

/// The largest number from `least` to `most` whose time is within the budget; `least` if none is.
template <class Time>
std::size_t affordable(std::size_t least, std::size_t most, double budget, Time time) {
  std::size_t count = most;
  while (count > least && time(number(count)) > budget) --count;
  return count;
}

}  // namespace geodescent
