#include "experiments/geometry/geometry.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "report/figures/gnuplot.hpp"

namespace geodescent::lab {
namespace {

const std::vector<std::string> ball_methods{"geod", "geod-fixed", "ball"};

TEST(Geometry, FiguresHaveThePapersNumbers) {
  // The drawings of the paper are twice as large.
  const ShrinkingBalls one = shrinking_balls(false);
  EXPECT_NEAR(2 * one.around.centre[0], 0.64719, 1e-5);
  EXPECT_NEAR(2 * std::sqrt(one.around.squared_radius), 1.8924, 1e-4);
  const ShrinkingBalls two = shrinking_balls(true);
  EXPECT_NEAR(2 * std::sqrt(two.unit_shrunk.squared_radius), 1.68, 1e-3);
  EXPECT_NEAR(2 * two.around.centre[0], 0.5, 1e-3);
  EXPECT_NEAR(2 * std::sqrt(two.around.squared_radius), 1.6044, 1e-3);
}

TEST(Geometry, ProblemIsWhatItSays) {
  const PlaneProblem p = plane_problem();
  EXPECT_GT(p.condition(), 10);
  EXPECT_LT(p.condition(), 30);
  Vector g(2);
  p.f->evaluate(p.minimiser, g);
  EXPECT_LT(norm(g), 1e-13);
  for (const double h : {-0.01, 0.01}) {
    EXPECT_GT(p.value(p.minimiser[0] + h, p.minimiser[1]), p.minimum);
    EXPECT_GT(p.value(p.minimiser[0], p.minimiser[1] + h), p.minimum);
  }
}

TEST(Geometry, MinimiserAndIntersectionLieInEveryBall) {
  const PlaneProblem p = plane_problem();
  for (const std::string& method : ball_methods) {
    const auto steps = ball_steps(p, method, 8);
    ASSERT_EQ(steps.size(), 8u) << method;
    for (const BallStep& s : steps) {
      SCOPED_TRACE(method + " " + std::to_string(s.k));
      for (const Ball& ball : {s.before, s.before_shrunk, s.gradient, s.gradient_shrunk, s.around})
        EXPECT_LE(squared_excess(ball, p.minimiser), p.rounding());
      const auto border = intersection_border(s.before_shrunk, s.gradient_shrunk, 100);
      ASSERT_GE(border.size(), 100u);
      for (const Vector& point : border) {
        EXPECT_LE(squared_excess(s.around, point), p.rounding());
        EXPECT_LE(squared_excess(s.before_shrunk, point), p.rounding()) << "the border belongs to both";
        EXPECT_LE(squared_excess(s.gradient_shrunk, point), p.rounding());
      }
      EXPECT_LT(s.ratio(), 1);
    }
  }
}

TEST(Geometry, BordersOfDiscsInsideEachOther) {
  const Ball small{{0.1, 0}, 0.01}, large{{0, 0}, 1};
  for (const auto& border : {intersection_border(small, large, 50), intersection_border(large, small, 50)}) {
    ASSERT_EQ(border.size(), 51u);
    for (const Vector& point : border) EXPECT_NEAR(squared_excess(small, point), 0, 1e-15);
  }
}

TEST(Geometry, WindowHoldsTheBallAndFollowsIt) {
  const PlaneProblem p = plane_problem();
  const auto steps = ball_steps(p, "geod", 8);
  const double first = half_width_for(steps[0], p);
  double zoom = 1;
  for (const BallStep& s : steps) {
    const PlaneWindow window = window_for(s, p, first);
    const double radius = std::sqrt(s.before.squared_radius);
    EXPECT_GE(window.half_width, std::abs(s.before.centre[0] - p.minimiser[0]) + radius);
    EXPECT_GE(window.half_width, std::abs(s.before.centre[1] - p.minimiser[1]) + radius);
    EXPECT_LT(window.half_width, 4 * radius);
    EXPECT_GE(window.zoom, zoom);
    zoom = window.zoom;
  }
  EXPECT_GT(zoom, 8);
}

TEST(Geometry, AllClaimsHold) {
  for (const std::string& method : ball_methods) {
    const Geometry g = geometry({method, 5});
    EXPECT_EQ(g.frames.size(), 5u);
    ASSERT_EQ(g.report.tables.size(), 1u);
    for (const auto& row : g.report.tables[0].rows) EXPECT_EQ(row.size(), g.report.tables[0].columns.size());
    for (const Claim& claim : g.report.claims)
      EXPECT_EQ(claim.verdict, Verdict::holds) << method << ": " << claim.statement << claim.measured;
  }
}

TEST(Geometry, PicturesAreDrawn) {
  if (!gnuplot_installed()) GTEST_SKIP() << gnuplot_remedy();
  const Geometry g = geometry({"geod", 2});
  ASSERT_EQ(g.report.steppers.size(), 2u);
  EXPECT_EQ(g.report.steppers[0].frames.size(), 2u);
  EXPECT_EQ(g.report.steppers[1].frames.size(), 2u);
  const auto files = picture_files(g);
  EXPECT_EQ(files.size(), 9u) << "four pictures twice and the animation";
  for (const PictureFile& file : files) {
    const std::string start = file.name.ends_with(".svg") ? "<?xml" : file.name.ends_with(".pdf") ? "%PDF" : "GIF8";
    EXPECT_TRUE(file.text.starts_with(start)) << file.name;
    EXPECT_GT(file.text.size(), 1000u) << file.name;
  }
}

}  // namespace
}  // namespace geodescent::lab
