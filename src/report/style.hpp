// The style of each method in every figure and in the page. Methods differ in colour (the Okabe-Ito
// palette for colour-blind readers), dash and marker, so that print in grey is readable, too.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace geodescent::lab {

inline constexpr int no_marker = -1;

struct Style {
  std::string label;      ///< in the legend: "GeoD", "L-BFGS", or the name of the method
  std::string colour;     ///< "#0072B2"
  std::vector<int> dash;  ///< lengths on and off; empty: solid
  int marker = 0;         ///< the index of the marker: 0 to 8, or no_marker
  double width = 1.5;
};

/// The style of a method by its name ("geod", "lbfgs:memory=10"; "theory" for computed curves).
/// Names without a style, such as methods with settings, get the extra style number `index`.
Style style_of(std::string_view method, std::size_t index);

}  // namespace geodescent::lab
