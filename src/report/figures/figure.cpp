#include "report/figures/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "report/figures/figure_axis.hpp"
#include "report/figures/figure_layout.hpp"
#include "report/figures/figure_points.hpp"
#include "report/figures/gnuplot.hpp"

namespace geodescent::lab {
namespace {

/// The gnuplot numbers of the markers: filled circle, square, triangles, diamond, then the first
/// four unfilled.
constexpr std::array<int, 9> point_types = {7, 5, 9, 11, 13, 6, 4, 8, 12};

/// Options of `plot` for the line and the markers of a style.
std::string line_of(const Style& style) {
  std::string line = fmt::format("lc rgb '{}' lw {}", style.colour, 0.8 * style.width);
  if (!style.dash.empty()) line += fmt::format(" dt ({})", fmt::join(style.dash, ","));
  return line;
}

std::string marker_of(const Style& style) {
  const std::size_t type = static_cast<std::size_t>(style.marker) % point_types.size();
  return fmt::format("pt {} ps 0.55", point_types[type]);
}

/// A text as an argument of `set title` and similar commands, with a smaller font if it is wider
/// than `room`.
std::string fitted(const std::string& text, int room) {
  const double size = std::clamp(10.0 * room / std::max(1, text_width(text)), 5.0, 10.0);
  return fmt::format("{} noenhanced font ',{:.1f}'", gnuplot_string(text), size);
}

/// The ends of the axis, enlarged invisibly, because rounding may place a tic on an end outside the
/// axis.
std::pair<double, double> slack_ends(const Scale& scale) {
  constexpr double slack = 1e-6;
  if (scale.logarithmic) return {scale.low * (1.0 - slack), scale.high * (1.0 + slack)};
  const double length = scale.high - scale.low;
  return {scale.low - slack * length, scale.high + slack * length};
}

std::string axis_commands(char letter, const Axis& axis, const Scale& scale, int room) {
  std::string text = fmt::format("{} logscale {}\n", scale.logarithmic ? "set" : "unset", letter);
  // "reverse" works only for ranges that gnuplot chooses. For explicit ranges the first number is
  // the left or lower end.
  auto [first, last] = slack_ends(scale);
  if (scale.reversed) std::swap(first, last);
  text += fmt::format("set {}range [{}:{}]\n", letter, first, last);
  std::vector<std::string> tics;
  for (const Tic& tic : scale.tics) tics.push_back(fmt::format("'{}' {}", label_for_gnuplot(tic), tic.value));
  for (const double value : scale.minor) tics.push_back(fmt::format("'' {} 1", value));
  text += fmt::format("set {}tics nomirror ({})\n", letter, fmt::join(tics, ", "));
  text += fmt::format("set {}label {}\n", letter, room == 0 ? "''" : fitted(axis.label, room));
  return text;
}

std::string data_block(const std::string& name, const DrawnCurve& curve) {
  std::string text = fmt::format("${} << EOD\n", name);
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    text += std::isnan(curve.y[i]) ? "\n" : fmt::format("{} {}\n", curve.x[i], curve.y[i]);
  }
  text += fmt::format("EOD\n${}m << EOD\n", name);
  for (const std::size_t i : curve.markers) text += fmt::format("{} {}\n", curve.x[i], curve.y[i]);
  return text + "EOD\n";
}

double share(int part, int whole) { return static_cast<double>(part) / whole; }

/// A panel without curves is an empty frame.
std::string plot_command(const std::vector<std::string>& plots) {
  return fmt::format("plot {}\n", plots.empty() ? "NaN notitle" : fmt::format("{}", fmt::join(plots, ", \\\n  ")));
}

std::string draw(const Panel& panel, const Box& box, const Layout& layout, const std::map<std::string, Style>& styles) {
  const Scale x = x_scale(panel), y = y_scale(panel);
  std::string text = fmt::format(
      "set lmargin at screen {}\nset rmargin at screen {}\nset bmargin at screen {}\nset tmargin at screen {}\n",
      share(box.left, layout.width), share(box.right, layout.width), share(box.bottom, layout.height),
      share(box.top, layout.height));
  const int width = box.right - box.left + 20, height = box.top - box.bottom + 20;
  text += fmt::format("set title {}\n", fitted(panel.title, width));
  text += axis_commands('x', panel.x, x, width) + axis_commands('y', panel.y, y, box.y_label ? height : 0);
  std::vector<std::string> plots;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const Curve& curve = panel.curves[i];
    const Style& style = styles.at(curve.method);
    const DrawnCurve points = drawn(curve, x, y, i);
    if (points.x.empty()) continue;
    const std::string name = fmt::format("curve{}", i);
    text += data_block(name, points);
    plots.push_back(fmt::format("${} with {} {}", name, curve.steps ? "steps" : "lines", line_of(style)));
    if (style.marker != no_marker)
      plots.push_back(fmt::format("${}m with points {} lc rgb '{}'", name, marker_of(style), style.colour));
  }
  return text + plot_command(plots);
}

/// Draws the legend itself, because gnuplot's key drops names when it estimates that there is too
/// little room.
std::string draw_legend(const Layout& layout, const std::vector<std::string>& methods,
                        const std::vector<std::string>& labels, const std::map<std::string, Style>& styles) {
  std::string text =
      "unset logscale\nunset border\nunset tics\nunset title\nunset xlabel\nunset ylabel\nunset grid\n"
      "set xrange [0:1]\nset yrange [0:1]\n";
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const Style& style = styles.at(methods[i]);
    const auto at = [&, place = layout.legend[i]](int right) {
      return fmt::format("screen {}, screen {}", share(place.x + right, layout.width), share(place.y, layout.height));
    };
    text += fmt::format("set arrow from {} to {} nohead {}\n", at(0), at(sample_width), line_of(style));
    text += fmt::format("set label {} at {} left noenhanced\n", gnuplot_string(labels[i]), at(sample_width + 6));
    if (style.marker == no_marker) continue;
    text +=
        fmt::format("set label '' at {} point {} lc rgb '{}'\n", at(sample_width / 2), marker_of(style), style.colour);
  }
  return text + plot_command({});
}

/// Truncates a name that would leave the figure. The page shows it in full.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 50;
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::vector<std::string> labels_of(const std::vector<std::string>& methods,
                                   const std::map<std::string, Style>& styles) {
  std::vector<std::string> labels;
  for (const std::string& method : methods) labels.push_back(shortened(styles.at(method).label));
  return labels;
}

constexpr const char* look =
    "set border 3 lc rgb '#404040' lw 0.8\n"
    "set tics out scale 0.6,0.35 textcolor rgb '#202020'\n"
    "set grid xtics ytics lt 1 lc rgb '#e6e6e6' lw 0.6, lt 1 lc rgb '#e6e6e6' lw 0.6\n"
    "set title offset 0,-0.6\n"
    "set xtics offset 0,0.2\n"
    "set xlabel offset 0,0.7\n"
    "set ylabel offset 0.5,0\n"
    "unset key\n"
    "set multiplot\n";

}  // namespace

std::vector<std::string> methods_in(const std::vector<Figure>& figures) {
  std::vector<std::string> methods;
  for (const Figure& figure : figures) {
    for (const Panel& panel : figure.panels) {
      for (const Curve& curve : panel.curves) {
        if (std::ranges::find(methods, curve.method) == methods.end()) methods.push_back(curve.method);
      }
    }
  }
  return methods;
}

std::map<std::string, Style> styles_for(const std::vector<std::string>& methods) {
  std::map<std::string, Style> styles;
  for (std::size_t i = 0; i < methods.size(); ++i) styles.emplace(methods[i], style_of(methods[i], i));
  return styles;
}

Drawing draw(const Figure& figure, const std::map<std::string, Style>& styles) {
  const std::vector<std::string> methods = methods_in({figure});
  const std::vector<std::string> labels = labels_of(methods, styles);
  const Layout layout = lay_out(figure, labels);
  std::string script = look;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    script += draw(figure.panels[i], layout.panels[i], layout, styles);
  }
  script += draw_legend(layout, methods, labels, styles) + "unset multiplot\n";
  return {script, layout.width, layout.height};
}

}  // namespace geodescent::lab
