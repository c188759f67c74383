// f* in a proven interval, from which all accuracies of an experiment are measured.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "geodescent/data/dataset.hpp"
#include "geodescent/learn/risk.hpp"

namespace geodescent::lab {

struct ReferenceMinimum {
  double start_value = 0;  ///< f(0)
  double value = 0;        ///< f at the best point, at least f*
  double lower_bound = 0;  ///< at most f*
  std::uint64_t iterations = 0;
  std::string solver;  ///< "newton", or the library's methods if Newton's method would need too much memory

  /// (value - lower_bound) / (start_value - lower_bound).
  double relative_gap() const { return accuracy(value); }
  /// An upper bound on (f - f*) / (f(0) - f*) for a point with this value, measured from the lower
  /// bound.
  double accuracy(double f) const {
    const double possible = start_value - lower_bound;
    if (possible > 0) return (f - lower_bound) / possible;
    // no improvement is possible: zero is the minimiser
    return f > lower_bound ? std::numeric_limits<double>::infinity() : 0;
  }
};

/// The minimum of mean loss + lambda/2 |w|^2, proven to 1e-13 of f(0) - f* or to the rounding
/// limit. Newton's method in the row space of the data. The point and the products are long double,
/// the loss is double. It shares no code with the judged methods. If rows and columns both exceed
/// `largest_newton` (0: the default), or if its matrices would need more than 800 MB, the library's
/// methods are used instead. Stops early if `cancelled` returns true, with the best proof so far.
ReferenceMinimum reference_minimum(const Dataset& data, std::string_view loss, double lambda,
                                   std::optional<double> loss_parameter = {}, std::size_t largest_newton = 0,
                                   const std::function<bool()>& cancelled = {});

}  // namespace geodescent::lab
