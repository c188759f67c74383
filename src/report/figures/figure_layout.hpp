// The positions of the parts of a figure, in points from its lower left corner.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "report/style.hpp"

namespace geodescent::lab {

/// The frame of a panel, without its tics and labels.
struct Box {
  int left = 0, right = 0, bottom = 0, top = 0;
  bool y_label = true;  ///< false if the panel to its left has the same label
};

struct Place {
  int x = 0, y = 0;
};

inline constexpr int sample_width = 34;  ///< of a line in the legend

struct Layout {
  int width = 0;
  int height = 0;
  std::vector<Box> panels;
  std::vector<Place> legend;  ///< the left end of each name's sample line
};

/// The approximate width of a text at 10 points.
int text_width(const std::string& text);

Layout lay_out(const Figure& figure, const std::vector<std::string>& legend);

}  // namespace geodescent::lab
