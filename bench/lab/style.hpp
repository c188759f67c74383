// How each method is drawn, the same in every figure and in the page: told apart by colour (the palette of Okabe and
// Ito, made for colour-blind readers), by dash and by marker, so that print in grey is readable too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace geodescent::lab {

struct Style {
  std::string label;      ///< in the legend: "GeoD", "L-BFGS", or the method's own name
  std::string colour;     ///< "#0072B2"
  std::vector<int> dash;  ///< lengths on and off; empty: solid
  int marker = 0;         ///< 0, 1, 2, ...: which of the markers
  double width = 1.5;
};

/// The style of a method by its name ("geod", "lbfgs:memory=10"); `index` chooses one for names that have none of their
/// own.
Style style_of(std::string_view method, std::size_t index);

}  // namespace geodescent::lab
