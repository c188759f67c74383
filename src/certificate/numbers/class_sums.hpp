// Sums of bounds over the classes, rounded outwards. Internal to the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/exact_sum.hpp"

namespace geodescent {

/// The sum of numbers from 0 on is at most this. Rounded once, so that smaller numbers never have a
/// larger sum.
inline double sum_above(std::span<const double> numbers) {
  return std::nextafter(exact_sum(numbers), std::numeric_limits<double>::infinity());
}

/// The sum of numbers from 0 on is at least this.
inline double sum_below(std::span<const double> numbers) {
  return std::max(0.0, std::nextafter(exact_sum(numbers), 0.0));
}

}  // namespace geodescent
