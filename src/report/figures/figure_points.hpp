// Reduces a curve to the points that are drawn, and chooses its markers.
#pragma once

#include <cstddef>
#include <vector>

#include "report/figures/figure_axis.hpp"
#include "report/report.hpp"

namespace geodescent::lab {

struct DrawnCurve {
  std::vector<double> x;
  std::vector<double> y;             ///< NaN: a gap
  std::vector<std::size_t> markers;  ///< indices, increasing
};

/// `which` is the index of the curve: different curves have markers at different places.
DrawnCurve drawn(const Curve& curve, const Scale& x, const Scale& y, std::size_t which);

}  // namespace geodescent::lab
