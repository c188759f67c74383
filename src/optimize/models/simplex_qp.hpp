// The quadratic programme behind the smallest ball around the intersection of many: maximise b.w - w'G w/2 over the
// simplex w >= 0, sum w = 1.
#pragma once

#include <cstddef>
#include <span>

namespace geodescent {

struct SimplexQp {
  std::span<const double> b;
  std::span<const double> gram;  ///< G, symmetric and positive semidefinite, row by row
  std::size_t stride;            ///< from one row of G to the next

  /// Improves w, which must lie in the simplex, by moving weight between pairs until the gap
  /// max_i (b - G w)_i - w.(b - G w), which bounds what is missing to the maximum, is at most `tolerance`, or `steps`
  /// are made. The objective never falls. `gradient` is scratch; both have the size of b.
  void improve(std::span<double> w, std::span<double> gradient, double tolerance, int steps) const;
};

}  // namespace geodescent
