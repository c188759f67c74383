// The range and the tics of an axis, the same for the printed figure and the chart in the page.
#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"

namespace geodescent::lab {

struct Tic {
  double value = 0.0;
  bool power = false;  ///< written as a power of ten
};

struct Scale {
  bool logarithmic = false;
  bool reversed = false;
  double low = 0.0;
  double high = 1.0;
  std::vector<Tic> tics;
  std::vector<double> minor;  ///< small tics without a number

  /// The relative position: 0 at `low`, 1 at `high`.
  double position(double value) const;
  bool drawable(double value) const;  ///< finite, and positive on a logarithmic axis
};

Scale x_scale(const Panel& panel);
Scale y_scale(const Panel& panel);

std::string label_for_gnuplot(const Tic& tic);  ///< "10^{-3}", as gnuplot's enhanced text
std::string label_for_page(const Tic& tic);     ///< "10⁻³"

}  // namespace geodescent::lab
