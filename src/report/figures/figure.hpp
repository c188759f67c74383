// A figure as a gnuplot script: panels side by side with one legend below, in the style of printed articles.
#pragma once

#include <map>
#include <string>

#include "report/report.hpp"
#include "report/style.hpp"

namespace geodescent::lab {

/// The methods drawn in a report, in the order of their first curves.
std::vector<std::string> methods_in(const std::vector<Figure>& figures);
/// Each with the style it has in all figures.
std::map<std::string, Style> styles_for(const std::vector<std::string>& methods);

struct Drawing {
  std::string script;  ///< for svg_by_gnuplot() and pdf_by_gnuplot()
  int width = 0;       ///< in points
  int height = 0;
};

Drawing draw(const Figure& figure, const std::map<std::string, Style>& styles);

}  // namespace geodescent::lab
