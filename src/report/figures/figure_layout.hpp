// Where the parts of a figure lie, in points from its lower left corner.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/report.hpp"
#include "report/style.hpp"

namespace geodescent::lab {

/// The frame of a panel: tics and labels are outside of it.
struct Box {
  int left = 0, right = 0, bottom = 0, top = 0;
  bool y_label = true;  ///< panels in a row that measure the same say so once
};

struct Place {
  int x = 0, y = 0;
};

inline constexpr int sample_width = 34;  ///< of a line in the legend

struct Layout {
  int width = 0;
  int height = 0;
  std::vector<Box> panels;
  std::vector<Place> legend;  ///< the left end of the sample of each name
};

/// About how wide a text is at 10 points.
int text_width(const std::string& text);

Layout lay_out(const Figure& figure, const std::vector<std::string>& legend);

}  // namespace geodescent::lab
