#include "report/figures/figure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/figures/figure_axis.hpp"
#include "report/figures/figure_layout.hpp"
#include "report/figures/figure_points.hpp"
#include "report/figures/gnuplot.hpp"
#include "support/report/sample_report.hpp"

namespace geodescent::lab {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

Panel panel_of(const Axis& x, const Axis& y, std::vector<double> xs, std::vector<double> ys) {
  return {"", x, y, {{"geod", std::move(xs), std::move(ys), false}}};
}

std::vector<std::string> labels(const Scale& scale) {
  std::vector<std::string> result;
  for (const Tic& tic : scale.tics) result.push_back(label_for_page(tic));
  return result;
}

TEST(Scale, ALongLogarithmicAxisHasPowersOfTen) {
  const Scale scale = y_scale(panel_of({}, {"", true}, {1, 2}, {3.0, 2e-9}));
  EXPECT_DOUBLE_EQ(scale.low, 1e-9);
  EXPECT_DOUBLE_EQ(scale.high, 10.0);
  EXPECT_EQ(labels(scale), (std::vector<std::string>{"10⁻⁸", "10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"}));
  EXPECT_EQ(label_for_gnuplot(scale.tics[0]), "10^{-8}");
}

TEST(Scale, AShortLogarithmicAxisHasPlainNumbers) {
  EXPECT_EQ(labels(x_scale(panel_of({"", true}, {}, {1, 30}, {0, 0}))),
            (std::vector<std::string>{"1", "2", "5", "10", "20"}));
  EXPECT_GE(x_scale(panel_of({"", true}, {}, {30, 48}, {0, 0})).tics.size(), 3u);
}

TEST(Scale, ALinearAxisHasRoundEnds) {
  const Scale scale = x_scale(panel_of({}, {}, {0, 237}, {0, 0}));
  EXPECT_EQ(scale.high, 250.0);
  EXPECT_EQ(labels(scale), (std::vector<std::string>{"0", "50", "100", "150", "200", "250"}));
  EXPECT_EQ(labels(x_scale(panel_of({}, {}, {0, 4e6}, {0, 0}))).back(), "4·10⁶");
}

TEST(Scale, WhatTheExperimentSetsIsKept) {
  const Axis y{"", false, false, 0.0, 1.05};
  const Scale scale = y_scale(panel_of({}, y, {1, 2}, {0.2, 0.7}));
  EXPECT_EQ(scale.low, 0.0);
  EXPECT_EQ(scale.high, 1.05);
}

TEST(Scale, HasTwoEndsWhateverTheData) {
  for (const std::vector<double>& values :
       {std::vector<double>{}, {0.0}, {5.0}, {-5.0, -5.0}, {unbounded, unbounded}, {1e-320, 1e-320}}) {
    for (const bool logarithmic : {false, true}) {
      const Scale scale = y_scale(panel_of({}, {"", logarithmic}, values, values));
      EXPECT_LT(scale.low, scale.high);
      EXPECT_TRUE(std::isfinite(scale.low) && std::isfinite(scale.high));
      EXPECT_LT(scale.tics.size() + scale.minor.size(), 1000u);
    }
  }
}

TEST(DrawnCurve, EndsBeforeWhatIsNotReachedAndLeavesAGapInBetween) {
  const Panel panel = panel_of({}, {"", true}, {1, 2, 3, 4, 5, 6}, {1.0, 0.0, unbounded, 0.1, 0.01, unbounded});
  const DrawnCurve curve = drawn(panel.curves[0], x_scale(panel), y_scale(panel), 0);
  ASSERT_EQ(curve.y.size(), 4u);
  EXPECT_EQ(curve.y[0], 1.0);
  EXPECT_TRUE(std::isnan(curve.y[1]));
  EXPECT_EQ(curve.y[3], 0.01);
}

TEST(DrawnCurve, OfMillionsOfPointsKeepsWhatCanBeSeen) {
  Panel panel = panel_of({}, {}, {}, {});
  for (int k = 0; k < 1000000; ++k) {
    panel.curves[0].x.push_back(k);
    panel.curves[0].y.push_back(k == 123456 ? 50.0 : k == 654321 ? -50.0 : std::sin(k));
  }
  const DrawnCurve curve = drawn(panel.curves[0], x_scale(panel), y_scale(panel), 2);
  EXPECT_LT(curve.x.size(), 2100u);
  EXPECT_EQ(*std::ranges::max_element(curve.y), 50.0);
  EXPECT_EQ(*std::ranges::min_element(curve.y), -50.0);
  EXPECT_TRUE(std::ranges::is_sorted(curve.x));
  EXPECT_LE(curve.markers.size(), 13u);
  EXPECT_GE(curve.markers.size(), 9u);
}

TEST(DrawnCurve, MarksItsLastPointOnAReversedAxisToo) {
  const Panel panel = panel_of({"", true, true}, {}, {1e-1, 1e-2, 1e-3}, {1, 2, 3});
  EXPECT_EQ(drawn(panel.curves[0], x_scale(panel), y_scale(panel), 0).markers, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(DrawnCurve, MarksEveryPointWhereAllAreMarked) {
  Panel panel = panel_of({"", true}, {}, {}, {});
  for (int k = 0; k < 40; ++k) {
    panel.curves[0].x.push_back(std::pow(1.2, k));
    panel.curves[0].y.push_back(k == 7 ? unbounded : k);
  }
  const auto markers = [&] { return drawn(panel.curves[0], x_scale(panel), y_scale(panel), 0).markers.size(); };
  EXPECT_LT(markers(), 15u);
  panel.curves[0].all_marked = true;
  EXPECT_EQ(markers(), 39u);
}

TEST(Layout, PanelsAndLegendLieInsideAndApart) {
  for (std::size_t count = 1; count <= 7; ++count) {
    Figure figure = sample_report().figures[0];
    figure.panels.assign(count, figure.panels[0]);
    const Layout layout = lay_out(figure, {"GeoD", "GeoD, fixed steps", "L-BFGS (memory=10)", "AFG", "SD"});
    ASSERT_EQ(layout.panels.size(), count);
    for (const Box& box : layout.panels) {
      EXPECT_GT(box.left, 0);
      EXPECT_LT(box.right, layout.width);
      EXPECT_LT(box.top, layout.height);
      for (const Place& place : layout.legend) EXPECT_LT(place.y, box.bottom - 30);
    }
    for (const Place& place : layout.legend) EXPECT_TRUE(place.x >= 0 && place.y > 0);
  }
}

TEST(Figure, IsDrawnWhateverItsText) {
  if (!gnuplot_installed()) GTEST_SKIP() << gnuplot_remedy();
  Figure figure = sample_report().figures[1];
  figure.panels[0].title = figure.panels[0].x.label = figure.panels[0].y.label = hostile;
  const Drawing drawing = draw(figure, styles_for(methods_in({figure})));
  const std::string svg = svg_by_gnuplot(drawing.script, drawing.width, drawing.height);
  EXPECT_NE(svg.find("&lt;/script>&lt;script>alert(1)&lt;/script> \"quoted\", it's \\n `date` %d {a_b^2}"), svg.npos);
  EXPECT_EQ(svg, svg_by_gnuplot(drawing.script, drawing.width, drawing.height));
}

TEST(Figure, IsDrawnWithoutCurves) {
  if (!gnuplot_installed()) GTEST_SKIP() << gnuplot_remedy();
  const Curve nothing{"geod", {1.0}, {unbounded}, false};
  const Figure figure{"f", "", "", {{"empty", {}, {"", true}, {}}, {"not solved", {"", true}, {}, {nothing}}}};
  const Drawing drawing = draw(figure, styles_for(methods_in({figure})));
  EXPECT_NE(svg_by_gnuplot(drawing.script, drawing.width, drawing.height).find("not solved"), std::string::npos);
}

TEST(FigureFiles, LabelsOfTheYAxisAreNotCutOff) {
  if (!gnuplot_installed()) GTEST_SKIP() << "gnuplot is not installed";
  // gnuplot writes a rotated label as translate(x,y) rotate(270): x is its baseline, and its
  // letters reach to the left of it.
  const std::string before = "translate(", after = ") rotate(270)";
  std::size_t labels = 0;
  const Report report = sample_report();
  for (const Figure& figure : report.figures) {
    const Drawing drawing = draw(figure, styles_for(methods_in(report.figures)));
    const std::string svg = svg_by_gnuplot(drawing.script, drawing.width, drawing.height);
    for (std::size_t end = svg.find(after); end != svg.npos; end = svg.find(after, end + 1), ++labels)
      EXPECT_GE(std::stod(svg.substr(svg.rfind(before, end) + before.size())), 10) << figure.name;
  }
  EXPECT_GT(labels, 0u);
}

}  // namespace
}  // namespace geodescent::lab
