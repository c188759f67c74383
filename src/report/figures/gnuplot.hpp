// Pictures drawn by gnuplot, which runs as a child process. The script and the picture are passed
// as text.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace geodescent::lab {

bool gnuplot_installed();

/// The remedy to show if gnuplot is not installed.
std::string gnuplot_remedy();

/// The picture of a script: the commands between `set terminal` and the end, for example "plot
/// sin(x)\n". Width and height are in points (1/72 inch), which are pixels in SVG. Text is
/// sans-serif at 10 points, the background white. The same script gives the same bytes. Throws
/// InputError if gnuplot is missing or fails.
std::string svg_by_gnuplot(std::string_view script_body, int width, int height);
std::string pdf_by_gnuplot(std::string_view script_body, int width, int height);

/// An animation of several scripts, each shown for `hundredths` of a second.
std::string gif_by_gnuplot(std::span<const std::string> script_bodies, int width, int height, int hundredths);

/// Any text as a quoted string of a script. The text cannot end the string. Whether {, _ and ^ are
/// markup depends on the command (`set title ... noenhanced`).
std::string gnuplot_string(std::string_view text);

}  // namespace geodescent::lab
