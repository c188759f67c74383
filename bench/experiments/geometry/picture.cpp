#include "experiments/geometry/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/text/outward_text.hpp"

namespace geodescent::lab {
namespace {

// Colours of Okabe and Ito. Dashes and widths distinguish the circles in grey; a GIF has no dashes.
constexpr const char* old_ball = "lc rgb '#E69F00' lw 1.8";
constexpr const char* old_ball_whole = "lc rgb '#E69F00' lw 1 dt (8,5)";
constexpr const char* gradient_ball_style = "lc rgb '#0072B2' lw 1.8";
constexpr const char* gradient_ball_whole = "lc rgb '#0072B2' lw 1 dt (2,4)";
constexpr const char* new_ball = "lc rgb '#000000' lw 3";
constexpr const char* region = "fc rgb '#D9D9D9' fs solid 1 noborder";

std::string block(const std::string& name, const std::vector<Vector>& points) {
  std::string text = fmt::format("${} << EOD\n", name);
  for (const Vector& p : points) text += fmt::format("{:.9g} {:.9g}\n", p[0], p[1]);
  return text + "EOD\n";
}

std::vector<Vector> circle(const Ball& ball) {
  constexpr int points = 360;
  const double radius = std::sqrt(ball.squared_radius);
  std::vector<Vector> result;
  for (int i = 0; i <= points; ++i) {
    const double angle = 2 * std::numbers::pi * i / points;
    result.push_back({ball.centre[0] + radius * std::cos(angle), ball.centre[1] + radius * std::sin(angle)});
  }
  return result;
}

Ball unit_ball() { return {{0, 0}, 1}; }

std::string measure(double x1, double y1, double x2, double y2, const std::string& text, double right, double up) {
  return fmt::format(
      "set arrow from {0},{1} to {2},{3} heads size 0.06,90 lw 1 front\n"
      "set label '{4}' at {5},{6} center front\n",
      x1, y1, x2, y2, text, (x1 + x2) / 2 + right, (y1 + y2) / 2 + up);
}

/// f on a grid, in gnuplot's format for level lines.
std::string grid(const PlaneProblem& p, double half_width) {
  constexpr int cells = 80;
  std::string text = "$grid << EOD\n";
  for (int i = 0; i <= cells; ++i) {
    for (int j = 0; j <= cells; ++j) {
      const double u = p.minimiser[0] + half_width * (2.0 * i / cells - 1);
      const double v = p.minimiser[1] + half_width * (2.0 * j / cells - 1);
      text += fmt::format("{:.9g} {:.9g} {:.9g}\n", u, v, p.value(u, v) - p.minimum);
    }
    text += '\n';
  }
  return text + "EOD\n";
}

/// The levels of f grow quadratically, which gives equal distances where f is quadratic.
std::string levels(const PlaneProblem& p, double half_width) {
  constexpr int count = 9;
  double highest = 0;
  for (const double u : {-half_width, half_width}) {
    for (const double v : {-half_width, half_width})
      highest = std::max(highest, p.value(p.minimiser[0] + u, p.minimiser[1] + v) - p.minimum);
  }
  std::string text = "set cntrparam levels discrete ";
  for (int i = 1; i <= count; ++i)
    text += fmt::format("{}{:.6g}", i == 1 ? "" : ",", highest * i * i / (count * count));
  return text + "\n";
}

constexpr const char* contour_commands =
    "set contour base\nunset surface\nset table $levels\nsplot $grid using 1:2:3\nunset table\nunset contour\n";

std::string point(const char* name, const Vector& p) { return block(name, {p}); }

/// The thick circle is drawn first, so that a thin one on top of it stays visible.
std::string frame_plot(const BallStep& step) {
  const bool shrinks = step.before_shrunk.squared_radius != step.before.squared_radius;
  std::string text = fmt::format(
      "plot $region using 1:2 with filledcurves closed {} title 'intersection', "
      "$levels using 1:2 with lines lc rgb '#A8A8A8' lw 0.6 title 'level lines', "
      "$around with lines {} title 'new ball', "
      "$before with lines {} title 'ball before', ",
      region, new_ball, shrinks ? old_ball_whole : old_ball);
  if (shrinks) text += fmt::format("$before_shrunk with lines {} title 'before, shrunk', ", old_ball);
  text += fmt::format(
      "$gradient with lines {} title 'gradient ball', $gradient_shrunk with lines {} title 'gradient, shrunk', ",
      gradient_ball_whole, gradient_ball_style);
  return text + fmt::format(
                    "$centre with points pt 1 ps 1.1 lw 2 lc rgb '#000000' title 'new centre', "
                    "$x with points pt 6 ps 0.9 lw 1.6 lc rgb '#D55E00' title 'x_{{{0}}}', "
                    "$xplus with points pt 9 ps 1 lc rgb '#D55E00' title 'x_{{{0}}}⁺', "
                    "$minimiser with points pt 3 ps 1.2 lw 1.6 lc rgb '#009E73' title 'minimiser'\n",
                    step.at);
}

}  // namespace

ShrinkingBalls shrinking_balls(bool both) {
  ShrinkingBalls b;
  b.epsilon = 1 - (3.85 / 4) * (3.85 / 4);  // the value of the paper's drawings
  b.unit = b.unit_shrunk = unit_ball();
  b.other = b.other_shrunk = {{b.g, 0}, b.g * b.g};
  b.other_shrunk.squared_radius *= 1 - b.epsilon;
  if (both) b.unit_shrunk.squared_radius -= b.epsilon * b.g * b.g;
  b.around = smallest_ball_around_intersection(b.other_shrunk, b.unit_shrunk);
  return b;
}

Picture picture_of(const ShrinkingBalls& b, bool both) {
  Picture picture;
  picture.name = both ? "two-balls-shrink" : "one-ball-shrinks";
  picture.width = 430;
  picture.height = 400;
  const double c = b.around.centre[0];
  const double radius = std::sqrt(b.around.squared_radius);
  picture.caption = fmt::format(
      "{} shrink{} (the paper's Figure {}): |g| = {:g}, epsilon = {:.4f}. The smallest ball around the intersection "
      "has "
      "squared radius {:.4f}; the bound is {} = {:.4f}.",
      both ? "Two balls" : "One ball", both ? "" : "s", both ? 2 : 1, b.g, b.epsilon, b.around.squared_radius,
      both ? "1 - sqrt(epsilon)" : "1 - epsilon", 1 - (both ? std::sqrt(b.epsilon) : b.epsilon));
  std::string& s = picture.script;
  s = "set size ratio -1\nset xrange [-1.15:4.15]\nset yrange [-2.15:2.15]\nunset border\nunset tics\nset samples 2\n"
      "set key at screen 0.5,0.02 center bottom horizontal Left reverse samplen 2.5 maxcols 3\n"
      "set lmargin 1\nset rmargin 1\nset tmargin 1\nset bmargin 4\n";
  s += block("region", intersection_border(b.unit_shrunk, b.other_shrunk, 200));
  s += block("unit", circle(b.unit)) + block("unit_shrunk", circle(b.unit_shrunk));
  s += block("other", circle(b.other)) + block("other_shrunk", circle(b.other_shrunk));
  s += block("around", circle(b.around)) + block("centres", {{0, 0}, {b.g, 0}}) + block("centre", {{c, 0}});
  const double right = b.g + std::sqrt(b.other_shrunk.squared_radius);
  s += measure(b.g, 0, right, 0, "√(1−ε) |g|", 0, 0.13) + measure(b.g, 0, b.g, b.g, "|g|", 0.18, 0);
  s += measure(0, -1.3, -std::sqrt(b.unit_shrunk.squared_radius), -1.3, both ? "√(1−ε|g|²)" : "1", 0, -0.15);
  s += measure(c, -0.25, c + radius, -0.25, fmt::format("{:.3f}", radius), 0, -0.13);
  s += fmt::format(
      "plot $region using 1:2 with filledcurves closed {} title 'intersection', $unit with lines {} title 'unit "
      "ball', ",
      region, old_ball_whole);
  if (both) s += fmt::format("$unit_shrunk with lines {} title 'shrunk', ", old_ball);
  s += fmt::format(
      "$other with lines {} title 'ball around g', $other_shrunk with lines {} title 'shrunk', "
      "$around with lines {} title 'smallest ball around', $centres with points pt 2 ps 0.8 lw 1.2 lc rgb '#000000' "
      "notitle, $centre with points pt 1 ps 1.1 lw 2 lc rgb '#000000' notitle\n",
      gradient_ball_whole, gradient_ball_style, new_ball);
  return picture;
}

double half_width_for(const BallStep& step, const PlaneProblem& p) {
  const double radius = std::sqrt(step.before.squared_radius);
  double reach = 0;
  for (const std::size_t i : {0u, 1u})
    reach = std::max(reach, std::abs(step.before.centre[i] - p.minimiser[i]) + radius);
  return 1.05 * reach;
}

PlaneWindow window_for(const BallStep& step, const PlaneProblem& p, double first_half_width) {
  PlaneWindow window{first_half_width, 1};
  const double needed = half_width_for(step, p);
  while (window.half_width / std::numbers::sqrt2 >= needed) {
    window.half_width /= std::numbers::sqrt2;
    window.zoom *= std::numbers::sqrt2;
  }
  return window;
}

Picture picture_of(const BallStep& step, const PlaneProblem& p, const PlaneWindow& window, double bound) {
  Picture picture;
  picture.name = fmt::format("step-{:02}", step.k);
  picture.width = 480;
  picture.height = 555;
  picture.caption = fmt::format(
      "Iteration {}: squared radius {:.3g}, {:.3f} times the one before (theory: at most {:.3f}). Proven gap {}, true "
      "gap {:.3g}. The window is {:.3g} wide; the first is {:.3g} times as wide.",
      step.k, step.around.squared_radius, step.ratio(), bound, text_above(step.gap, 3),
      p.value(step.x_plus[0], step.x_plus[1]) - p.minimum, 2 * window.half_width, window.zoom);
  const double h = window.half_width;
  std::string& s = picture.script;
  s = grid(p, h) + levels(p, h) + contour_commands;
  s += fmt::format("set size ratio -1\nset xrange [{:.9g}:{:.9g}]\nset yrange [{:.9g}:{:.9g}]\n", p.minimiser[0] - h,
                   p.minimiser[0] + h, p.minimiser[1] - h, p.minimiser[1] + h);
  s += fmt::format("set title 'iteration {}{}' noenhanced\n", step.k,
                   window.zoom > 1 ? fmt::format(", magnified {:.3g} times", window.zoom) : "");
  s += "set tics nomirror out scale 0.6\nset lmargin 6\nset rmargin 2\nset bmargin 7\nset tmargin 2.5\n"
       "set key at screen 0.5,0.015 center bottom vertical Left reverse samplen 2.2 maxrows 4\n";
  s += block("region", intersection_border(step.before_shrunk, step.gradient_shrunk, 300));
  s += block("before", circle(step.before)) + block("before_shrunk", circle(step.before_shrunk));
  s += block("gradient", circle(step.gradient)) + block("gradient_shrunk", circle(step.gradient_shrunk));
  s += block("around", circle(step.around)) + point("centre", step.around.centre) + point("x", step.x);
  s += point("xplus", step.x_plus) + point("minimiser", p.minimiser) + frame_plot(step);
  return picture;
}

}  // namespace geodescent::lab
