#include <fmt/format.h>

#include "comparison/comparison.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

std::string capital(std::string word) {
  word[0] = static_cast<char>(std::toupper(word[0]));
  return word;
}

class Figures {
 public:
  Figures(const ExperimentOptions& options, const Results& results) : o_(options), results_(results) {}

  Figure quantiles(Measure measure, Goal goal) const {
    const bool proof = goal == Goal::proof;
    Figure figure;
    figure.name = name_of(measure) + (proof ? "-to-proof" : "");
    figure.title = fmt::format("{} to each {}", capital(name_of(measure)), proof ? "proven gap" : "accuracy");
    figure.caption = fmt::format(
        "Over {} problems, loss {}. A problem that is not solved within {} counts as infinite: a curve ends where the "
        "median, or the 90th percentile, is not solved.",
        results_.problems.size(), o_.loss, text_of(o_.limits));
    figure.panels = {quantile_panel(0.5, "median", measure, goal),
                     quantile_panel(0.9, "90th percentile", measure, goal)};
    return figure;
  }

  Figure profiles(Measure measure) const {
    Figure figure;
    figure.name = "profile-" + name_of(measure);
    figure.title = "Performance profiles, " + name_of(measure);
    figure.caption = fmt::format(
        "The share of the {} problems that a method solves with at most the given multiple of the {} of the best "
        "method "
        "on that problem.",
        results_.problems.size(), name_of(measure));
    for (const std::size_t a : shown_accuracies(o_.accuracies.size()))
      figure.panels.push_back(profile_panel(a, measure));
    return figure;
  }

 private:
  static constexpr double widest_ratio = 100;

  Panel quantile_panel(double p, const std::string& title, Measure measure, Goal goal) const {
    Panel panel;
    panel.title = title;
    panel.x = {.label = goal == Goal::accuracy ? "accuracy (f - f*) / (f(0) - f*)" : "relative gap proven",
               .logarithmic = true,
               .reversed = true};
    panel.y = {.label = name_of(measure), .logarithmic = true};
    for (std::size_t m = 0; m < o_.methods.size(); ++m) {
      Curve curve{.method = o_.methods[m].text, .x = o_.accuracies, .y = {}};
      for (std::size_t a = 0; a < o_.accuracies.size(); ++a)
        curve.y.push_back(quantile(costs(results_, m, a, measure, goal), p));
      panel.curves.push_back(std::move(curve));
    }
    return panel;
  }

  Panel profile_panel(std::size_t accuracy, Measure measure) const {
    std::vector<std::vector<double>> all;
    for (std::size_t m = 0; m < o_.methods.size(); ++m) all.push_back(costs(results_, m, accuracy, measure));
    const std::vector<Profile> profiles = performance_profiles(all);
    Panel panel{.title = fmt::format("accuracy {:.0e}", o_.accuracies[accuracy]),
                .x = {.label = "times the best", .logarithmic = true, .least = 1, .most = widest_ratio},
                .y = {.label = "share of problems", .least = 0, .most = 1},
                .curves = {}};
    for (std::size_t m = 0; m < o_.methods.size(); ++m) {
      Curve curve{.method = o_.methods[m].text, .x = {}, .y = {}, .steps = true};
      for (std::size_t k = 0; k < profiles[m].ratio.size() && profiles[m].ratio[k] <= widest_ratio; ++k) {
        curve.x.push_back(profiles[m].ratio[k]);
        curve.y.push_back(profiles[m].share[k]);
      }
      if (!curve.x.empty() && curve.x.back() < widest_ratio) {  // extended to the edge of the panel
        curve.x.push_back(widest_ratio);
        curve.y.push_back(curve.y.back());
      }
      panel.curves.push_back(std::move(curve));
    }
    return panel;
  }

  const ExperimentOptions& o_;
  const Results& results_;
};

}  // namespace

void add_figures(Report& report, const ExperimentOptions& options, const Results& results) {
  const Figures figures(options, results);
  std::vector<Measure> measures = {Measure::iterations, Measure::passes};
  if (options.timed) measures.push_back(Measure::seconds);
  for (const Measure m : measures) report.figures.push_back(figures.quantiles(m, Goal::accuracy));
  // Without --prove runs end when the accuracy is reached, and most proofs would be missing.
  if (options.prove)
    for (const Measure m : measures) report.figures.push_back(figures.quantiles(m, Goal::proof));
  report.figures.push_back(figures.profiles(Measure::passes));
  if (options.timed) report.figures.push_back(figures.profiles(Measure::seconds));
}

}  // namespace geodescent::lab
