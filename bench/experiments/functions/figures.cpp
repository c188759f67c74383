#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "experiments/functions/functions.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

constexpr const char* estimate_name = "its estimate";

Panel profile_panel(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs, double accuracy) {
  constexpr double widest_ratio = 100;
  std::vector<std::vector<double>> all;
  for (std::size_t m = 0; m < o.methods.size(); ++m) all.push_back(evaluations_of(runs, m, accuracy));
  const std::vector<Profile> profiles = performance_profiles(all);
  Panel panel{.title = fmt::format("accuracy {:.0e}", accuracy),
              .x = {.label = "times the best", .logarithmic = true, .least = 1, .most = widest_ratio},
              .y = {.label = "share of problems", .least = 0, .most = 1},
              .curves = {}};
  for (std::size_t m = 0; m < o.methods.size(); ++m) {
    Curve curve{.method = o.methods[m].text, .x = {}, .y = {}, .steps = true};
    for (std::size_t k = 0; k < profiles[m].ratio.size() && profiles[m].ratio[k] < widest_ratio; ++k) {
      curve.x.push_back(profiles[m].ratio[k]);
      curve.y.push_back(profiles[m].share[k]);
    }
    curve.x.push_back(widest_ratio);  // extended to the edge of the panel
    curve.y.push_back(curve.y.back());
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

Figure profiles_figure(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs) {
  Figure figure{"profile-evaluations",
                "Performance profiles, evaluations",
                fmt::format("The share of the {} problems that a method solves with at most the given multiple of the "
                            "evaluations of the best method on that problem.",
                            runs.size()),
                {}};
  for (const double accuracy : shown_accuracies(o)) figure.panels.push_back(profile_panel(o, runs, accuracy));
  return figure;
}

/// The range of a panel. Curves of slow methods leave it on the right.
double shown_evaluations(const FunctionRuns& runs, double accuracy) {
  constexpr double times_the_best = 3;
  double most = 0, best = std::numeric_limits<double>::infinity();
  for (const FunctionTrace& trace : runs.traces) {
    most = std::max(most, trace.evaluations.back());
    best = std::min(best, trace.evaluations_to(accuracy));
  }
  return std::min(most, times_the_best * best);
}

Curve curve_of(const std::string& name, const FunctionTrace& trace, const std::vector<double>& heights, double last,
               double least) {
  Curve curve{name, {}, {}};
  for (std::size_t k = 0; k < heights.size() && trace.evaluations[k] <= last; ++k) {
    curve.x.push_back(trace.evaluations[k]);
    curve.y.push_back(std::max(heights[k], least));
  }
  return curve;
}

Panel empty_panel(const FunctionRuns& runs, double last, double least) {
  const TestProblem& problem = runs.reference.problem();
  return {fmt::format("{}, n = {}", problem.name, problem.dimension()),
          {.label = "evaluations", .least = 0, .most = last},
          {.label = "(f - f*) / (f(x0) - f*)", .logarithmic = true, .least = least, .most = 1},
          {}};
}

Figure convergence_figure(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs) {
  const double least = o.accuracies.back() / 10;
  Figure figure{"convergence",
                "Convergence on every problem",
                fmt::format("Accuracy of the best point against evaluations. A curve that ends near the bottom has "
                            "reached {:.0e}; one that leaves on the right goes on.",
                            o.accuracies.back()),
                {}};
  for (const FunctionRuns& r : runs) {
    const double last = shown_evaluations(r, o.accuracies.back());
    Panel panel = empty_panel(r, last, least);
    for (const FunctionTrace& trace : r.traces)
      panel.curves.push_back(curve_of(trace.method, trace, trace.accuracy, last, least));
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

Figure estimates_figure(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs, std::size_t method) {
  const double least = o.accuracies.back() / 10;
  Figure figure{
      "estimates",
      "What the method believes, and what is true",
      "The relative gap that GeoD with memory estimates against the true accuracy of its best point. Where the "
      "estimate lies below, it is too good to be true.",
      {}};
  for (const FunctionRuns& r : runs) {
    const FunctionTrace& trace = r.traces[method];
    const double last = trace.evaluations.back();
    Panel panel = empty_panel(r, last, least);
    panel.curves = {curve_of(trace.method, trace, trace.accuracy, last, least),
                    curve_of(estimate_name, trace, trace.estimated_gap, last, least)};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace

std::vector<Figure> functions_figures(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs) {
  std::vector<Figure> figures{profiles_figure(o, runs), convergence_figure(o, runs)};
  const auto estimating =
      std::ranges::find_if(o.methods, [](const Contender& c) { return c.method.get_if<GeodMemory>() != nullptr; });
  if (estimating != o.methods.end())
    figures.push_back(estimates_figure(o, runs, static_cast<std::size_t>(estimating - o.methods.begin())));
  return figures;
}

}  // namespace geodescent::lab
