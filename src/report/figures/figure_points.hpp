// The points of a curve that are drawn: of a long curve no more than can be seen, and a marker at a few of them.
#pragma once

#include <cstddef>
#include <vector>

#include "report/figures/figure_axis.hpp"
#include "report/report.hpp"

namespace geodescent::lab {

struct DrawnCurve {
  std::vector<double> x;
  std::vector<double> y;             ///< not a number: a gap
  std::vector<std::size_t> markers;  ///< indices, increasing
};

/// `which` of how many curves this is: markers of different curves are put at different places.
DrawnCurve drawn(const Curve& curve, const Scale& x, const Scale& y, std::size_t which);

}  // namespace geodescent::lab
