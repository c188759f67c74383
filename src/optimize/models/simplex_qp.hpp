// The quadratic programme of the smallest ball around an intersection of balls: maximise b.w - w'G
// w/2 over the simplex w >= 0, sum w = 1.
#pragma once

#include <cstddef>
#include <span>

namespace geodescent {

struct SimplexQp {
  std::span<const double> b;
  std::span<const double> gram;  ///< G, symmetric and positive semidefinite, row by row
  std::size_t stride;            ///< between rows of G

  /// Improves w, a point of the simplex, by moving weight between pairs of items. Stops when the
  /// gap max_i (b - G w)_i - w.(b - G w), which bounds the distance to the maximum, is at most
  /// `tolerance`, or after `steps` moves. The objective never falls. `gradient` is scratch memory
  /// of the size of b.
  void improve(std::span<double> w, std::span<double> gradient, double tolerance, int steps) const;
};

}  // namespace geodescent
