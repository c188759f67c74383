// A figure as a gnuplot script: panels side by side, and one legend below them, in the style of
// articles.
#pragma once

#include <map>
#include <string>

#include "report/report.hpp"
#include "report/style.hpp"

namespace geodescent::lab {

/// The methods of a report, in the order of their first curves.
std::vector<std::string> methods_in(const std::vector<Figure>& figures);
/// The style of each method, the same in all figures.
std::map<std::string, Style> styles_for(const std::vector<std::string>& methods);

struct Drawing {
  std::string script;  ///< for svg_by_gnuplot() and pdf_by_gnuplot()
  int width = 0;       ///< in points
  int height = 0;
};

Drawing draw(const Figure& figure, const std::map<std::string, Style>& styles);

}  // namespace geodescent::lab
