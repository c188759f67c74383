#include "experiments/geometry/geometry.hpp"

#include <fmt/format.h>

#include <cmath>

#include "report/figures/gnuplot.hpp"

namespace geodescent::lab {
namespace {

Stepper stepper_of(const std::vector<Picture>& pictures) {
  Stepper stepper;
  for (const Picture& picture : pictures) stepper.frames.push_back({picture.caption, picture.svg});
  return stepper;
}

void draw(std::vector<Picture>& pictures) {
  for (Picture& picture : pictures) picture.svg = svg_by_gnuplot(picture.script, picture.width, picture.height);
}

Table steps_table(const PlaneProblem& problem, const std::vector<BallStep>& steps, double bound) {
  Table table{
      "steps",
      "The iterations",
      "Squared radii: of the ball before, shrunk; of the ball of the gradient, shrunk; of the new ball. The ratio "
      "is that of the new ball to the one before, unshrunk.",
      {"k", "x 1", "x 2", "x+ 1", "x+ 2", "centre 1", "centre 2", "before", "gradient", "new", "ratio", "bound",
       "proven gap", "true gap"},
      {}};
  for (const BallStep& s : steps) {
    table.rows.push_back({static_cast<double>(s.k), s.x[0], s.x[1], s.x_plus[0], s.x_plus[1], s.around.centre[0],
                          s.around.centre[1], s.before_shrunk.squared_radius, s.gradient_shrunk.squared_radius,
                          s.around.squared_radius, s.ratio(), bound, s.gap,
                          problem.value(s.x_plus[0], s.x_plus[1]) - problem.minimum});
  }
  return table;
}

void add_steppers(Geometry& g, const std::string& method) {
  Report& report = g.report;
  if (!gnuplot_installed()) {
    report.warnings.push_back(gnuplot_remedy());
    return;
  }
  draw(g.figures);
  draw(g.frames);
  Stepper figures = stepper_of(g.figures);
  figures.name = "figures";
  figures.title = "Figures 1 and 2 of the paper";
  figures.caption =
      "With the paper's numbers, computed by Algorithm 1: what the intersection gains when one ball shrinks, "
      "and when both do.";
  Stepper run = stepper_of(g.frames);
  run.name = "run";
  run.title = fmt::format("The balls of {}", method);
  run.caption =
      "Each iteration cuts the ball before, shrunk, with the ball that the gradient at x gives, shrunk by the "
      "decrease of f, and goes on with the smallest ball around what both contain. The window is centred at the "
      "minimiser and magnified by powers of sqrt(2) as the balls shrink.";
  report.steppers = {std::move(figures), std::move(run)};
}

}  // namespace

Geometry geometry(const GeometryOptions& o) {
  const PlaneProblem problem = plane_problem();
  const std::vector<BallStep> steps = ball_steps(problem, o.method, o.steps);
  const double kappa = problem.condition();
  const double bound = 1 - 1 / (o.method == "ball" ? kappa : std::sqrt(kappa));

  Geometry result;
  for (const bool both : {false, true}) result.figures.push_back(picture_of(shrinking_balls(both), both));
  const double first = half_width_for(steps.front(), problem);
  for (const BallStep& step : steps)
    result.frames.push_back(picture_of(step, problem, window_for(step, problem, first), bound));

  Report& report = result.report;
  report.name = "geometry";
  report.title = "The geometry of the method";
  report.lead = fmt::format(
      "The paper's two drawings, computed, and {} iterations of {} on logistic regression with two weights: strongly "
      "convex and smooth with condition number {:.1f}, and not quadratic.",
      steps.size(), o.method, kappa);
  report.facts = {{"method", o.method},
                  {"alpha", fmt::format("{:g}", problem.f->strong_convexity())},
                  {"beta", fmt::format("{:.4f}", problem.smoothness)},
                  {"start", fmt::format("({:g}, {:g})", problem.start[0], problem.start[1])},
                  {"minimiser", fmt::format("({:.6f}, {:.6f})", problem.minimiser[0], problem.minimiser[1])}};
  if (steps.size() < o.steps)
    report.warnings.push_back(
        fmt::format("after {} iterations the gap is nearly rounding: no more are drawn", steps.size()));
  report.claims = geometry_claims(problem, steps, bound);
  report.tables = {steps_table(problem, steps, bound)};
  add_steppers(result, o.method);
  return result;
}

std::vector<PictureFile> picture_files(const Geometry& g) {
  if (!gnuplot_installed()) return {};
  std::vector<PictureFile> files;
  std::vector<std::string> scripts;
  for (const auto* pictures : {&g.figures, &g.frames}) {
    for (const Picture& p : *pictures) {
      files.push_back({p.name + ".svg", p.svg});
      files.push_back({p.name + ".pdf", pdf_by_gnuplot(p.script, p.width, p.height)});
    }
  }
  for (const Picture& p : g.frames) scripts.push_back(p.script);
  const Picture& first = g.frames.front();
  files.push_back({"run.gif", gif_by_gnuplot(scripts, 3 * first.width / 2, 3 * first.height / 2, 200)});
  return files;
}

}  // namespace geodescent::lab
