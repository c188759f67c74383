#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/balls/balls.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

constexpr double judged_accuracy = 1e-6;

class Figures {
 public:
  Figures(const BallsOptions& o, const ExperimentOptions& e, const BallsResults& results)
      : o_(o), e_(e), results_(results), judged_(nearest(judged_accuracy)) {}

  Figure ratios() const {
    const std::string gap = fmt::format("{:.0e}", e_.accuracies[judged_]);
    return {"balls-ratios",
            "What m balls and m directions gain over one ball",
            fmt::format("Iterations over those of GeoD with one ball, problem by problem, over {} problems, loss {}. "
                        "A problem that neither solves within {} is left out.",
                        results_.data.problems.size(), e_.loss, text_of(e_.limits)),
            {ratio_panel("to accuracy " + gap + ", median", 0.5, Goal::accuracy),
             ratio_panel("to proven gap " + gap + ", median", 0.5, Goal::proof),
             ratio_panel("to proven gap " + gap + ", 90th percentile", 0.9, Goal::proof)}};
  }

  Figure proofs() const {
    Figure figure{"balls-proof",
                  "Iterations to each proven gap",
                  fmt::format("Median over {} problems, loss {}. A curve ends where the median problem is not proven "
                              "within {}.",
                              results_.data.problems.size(), e_.loss, text_of(e_.limits)),
                  {}};
    for (const std::size_t k : shown_sizes()) {
      Panel panel{fmt::format("m = {}", o_.sizes[k]),
                  {.label = "relative gap proven", .logarithmic = true, .reversed = true},
                  {.label = "iterations", .logarithmic = true},
                  {}};
      for_each_curve(k, [&](const std::string& name, std::size_t method) {
        Curve curve{name, e_.accuracies, {}};
        for (std::size_t a = 0; a < e_.accuracies.size(); ++a)
          curve.y.push_back(quantile(costs(results_.data, method, a, Measure::iterations, Goal::proof), 0.5));
        panel.curves.push_back(std::move(curve));
      });
      figure.panels.push_back(std::move(panel));
    }
    return figure;
  }

  Figure worst_case() const {
    Figure figure{"balls-worst-case",
                  "The worst-case function: proven gap against iterations",
                  fmt::format("The function of section 4.2 with n = {} and beta = {:g}. The gap is what the method "
                              "itself has proven.",
                              o_.dimension, o_.beta),
                  {}};
    for (const std::size_t k : shown_sizes()) {
      Panel panel{fmt::format("m = {}", o_.sizes[k]),
                  {.label = "iterations", .least = 0, .most = static_cast<double>(results_.worst_case[0].last())},
                  {.label = "relative gap proven", .logarithmic = true, .least = o_.stop_at, .most = 1},
                  {}};
      for_each_curve(k, [&](const std::string& name, std::size_t method) {
        panel.curves.push_back(curve_of(name, results_.worst_case[method]));
      });
      figure.panels.push_back(std::move(panel));
    }
    return figure;
  }

 private:
  /// A selection of sizes, because all would be too many panels.
  std::vector<std::size_t> shown_sizes() const {
    std::vector<std::size_t> shown;
    for (const std::size_t k : {std::size_t{0}, o_.sizes.size() / 2, o_.sizes.size() - 1})
      if (shown.empty() || shown.back() != k) shown.push_back(k);
    return shown;
  }

  std::size_t nearest(double accuracy) const {
    const auto distance = [&](double a) { return std::abs(std::log(a / accuracy)); };
    const auto found = std::ranges::min_element(e_.accuracies, {}, distance);
    return static_cast<std::size_t>(found - e_.accuracies.begin());
  }

  template <class Body>
  void for_each_curve(std::size_t k, Body&& body) const {
    body("geod", 0);
    for (const Kept kept : all_kept) body(name_of(kept), place_of(kept, k, o_));
  }

  Panel ratio_panel(const std::string& title, double p, Goal goal) const {
    std::vector<double> sizes(o_.sizes.begin(), o_.sizes.end());
    Panel panel{title, {.label = "m", .logarithmic = true}, {.label = "iterations / GeoD's", .logarithmic = true}, {}};
    panel.curves.push_back({"geod", sizes, std::vector<double>(sizes.size(), 1.0)});
    for (const Kept kept : all_kept) {
      Curve curve{name_of(kept), sizes, {}};
      for (std::size_t k = 0; k < sizes.size(); ++k) {
        const auto ratios =
            ratios_to_one_ball(results_.data, place_of(kept, k, o_), judged_, Measure::iterations, goal);
        curve.y.push_back(ratios.empty() ? std::numeric_limits<double>::infinity() : quantile(ratios, p));
      }
      panel.curves.push_back(std::move(curve));
    }
    return panel;
  }

  Curve curve_of(const std::string& name, const WorstCaseTrace& trace) const {
    Curve curve{name, {}, {}};
    const std::size_t last = std::min(trace.last(), results_.worst_case[0].last());
    for (std::size_t k = 0; k <= last; ++k) {
      curve.x.push_back(static_cast<double>(k));
      curve.y.push_back(std::min(trace.gap[k], 1.0));
    }
    return curve;
  }

  const BallsOptions& o_;
  const ExperimentOptions& e_;
  const BallsResults& results_;
  std::size_t judged_;
};

}  // namespace

std::vector<Figure> balls_figures(const BallsOptions& o, const ExperimentOptions& e, const BallsResults& results) {
  const Figures figures(o, e, results);
  return {figures.ratios(), figures.proofs(), figures.worst_case()};
}

}  // namespace geodescent::lab
