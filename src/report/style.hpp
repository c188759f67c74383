// How each method is drawn, the same in every figure and in the page: told apart by colour (the palette of Okabe and
// Ito, made for colour-blind readers), by dash and by marker, so that print in grey is readable too.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace geodescent::lab {

inline constexpr int no_marker = -1;

struct Style {
  std::string label;      ///< in the legend: "GeoD", "L-BFGS", or the method's own name
  std::string colour;     ///< "#0072B2"
  std::vector<int> dash;  ///< lengths on and off; empty: solid
  int marker = 0;         ///< which of the markers: 0 to 8, or no_marker
  double width = 1.5;
};

/// The style of a method by its name ("geod", "lbfgs:memory=10"; "theory" for what is computed, not measured); `index`
/// chooses one for names that have none of their own, and a method with settings has none.
Style style_of(std::string_view method, std::size_t index);

}  // namespace geodescent::lab
