// f*, known to lie in a proven interval: what every accuracy of an experiment is measured from.
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
  double value = 0;        ///< f at the best point found, not below f*
  double lower_bound = 0;  ///< not above f*
  std::uint64_t iterations = 0;
  std::string solver;  ///< "newton", or the methods of the library where Newton's method would need too much memory

  /// (value - lower_bound) / (start_value - lower_bound).
  double relative_gap() const { return accuracy(value); }
  /// (f - f*) / (f(0) - f*) for a point with this value, from above: measured from the lower bound.
  double accuracy(double f) const {
    const double possible = start_value - lower_bound;
    if (possible > 0) return (f - lower_bound) / possible;
    return f > lower_bound ? std::numeric_limits<double>::infinity() : 0;  // nothing to gain: zero is the minimiser
  }
};

/// The minimum of mean loss + lambda/2 |w|^2, proven to 1e-13 of f(0) - f* or to the rounding floor.
/// Newton's method in the row space of the data, with the point and the products in long double and the loss in double.
/// It shares no code with the methods it judges. Where rows and columns both exceed `largest_newton` (0: the default),
/// or its matrices would need more than 800 MB, the methods of the library are run instead, and prove what they can.
/// When `cancelled` says so it returns early, with what is proven by then.
ReferenceMinimum reference_minimum(const Dataset& data, std::string_view loss, double lambda,
                                   std::optional<double> loss_parameter = {}, std::size_t largest_newton = 0,
                                   const std::function<bool()>& cancelled = {});

}  // namespace geodescent::lab
