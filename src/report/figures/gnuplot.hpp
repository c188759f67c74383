// Pictures by gnuplot, run as a child process: a script goes in, the picture comes out as text. No file is made.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace geodescent::lab {

bool gnuplot_installed();

/// What to tell the user when it is not.
std::string gnuplot_remedy();

/// The picture that a script draws: the commands between `set terminal` and the end, for example "plot sin(x)\n". Width
/// and height are in points (1/72 inch), which an SVG calls pixels; text is set in a sans-serif face of 10 points, on
/// white. The same script gives the same bytes. Throws InputError when gnuplot is missing or complains.
std::string svg_by_gnuplot(std::string_view script_body, int width, int height);
std::string pdf_by_gnuplot(std::string_view script_body, int width, int height);

/// The pictures of several scripts one after the other, each shown for `hundredths` of a second.
std::string gif_by_gnuplot(std::span<const std::string> script_bodies, int width, int height, int hundredths);

/// Any text as a quoted string of a script. Quoting keeps it inside its quotes; that {, _ and ^ are not taken for
/// markup is up to the command it is used in (`set title ... noenhanced`).
std::string gnuplot_string(std::string_view text);

}  // namespace geodescent::lab
