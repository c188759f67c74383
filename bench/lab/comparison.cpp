#include "lab/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/statistics.hpp"

namespace geodescent::lab {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string name_of(Measure measure) {
  switch (measure) {
    case Measure::iterations:
      return "iterations";
    case Measure::passes:
      return "passes";
    case Measure::line_evaluations:
      return "line_evaluations";
    case Measure::seconds:
      return "seconds";
  }
  return "";
}

double number_of(const Effort& effort, Measure measure) {
  switch (measure) {
    case Measure::iterations:
      return static_cast<double>(effort.iterations);
    case Measure::passes:
      return static_cast<double>(effort.passes);
    case Measure::line_evaluations:
      return static_cast<double>(effort.line_evaluations);
    case Measure::seconds:
      return effort.seconds;
  }
  return 0;
}

double number_of(const std::optional<Effort>& effort, Measure measure) {
  return effort ? number_of(*effort, measure) : infinity;
}

/// The accuracies shown where there is no room for all: three of them, spread evenly.
std::vector<std::size_t> shown_accuracies(std::size_t count) {
  std::vector<std::size_t> shown;
  for (const std::size_t third : {1u, 2u, 3u}) {
    const std::size_t k = std::max<std::size_t>(1, count * third / 3) - 1;
    if (shown.empty() || shown.back() != k) shown.push_back(k);
  }
  return shown;
}

class Comparison {
 public:
  Comparison(Report& report, const ExperimentOptions& options, const Results& results)
      : report_(report), o_(options), results_(results) {}

  void add() {
    for (const auto& [goal, word] : {std::pair{Goal::accuracy, ""}, std::pair{Goal::proof, "-to-proof"}}) {
      add_quantiles(Measure::iterations, goal, std::string("iterations") + word);
      add_quantiles(Measure::passes, goal, std::string("passes") + word);
      if (o_.timed) add_quantiles(Measure::seconds, goal, std::string("seconds") + word);
    }
    add_profiles(Measure::passes);
    if (o_.timed) add_profiles(Measure::seconds);
    add_summary();
    for (const std::size_t a : shown_accuracies(o_.accuracies.size())) add_problems(a);
    add_results();
    if (o_.timed) add_seconds();
    add_references();
    if (!results_.tunings.empty()) add_tunings();
    add_doubts();
  }

 private:
  std::string limit_text() const {
    std::string text = fmt::format("{} iterations", o_.limits.iterations);
    if (std::isfinite(o_.limits.seconds)) text += fmt::format(" or {:g} seconds", o_.limits.seconds);
    return text;
  }

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

  void add_quantiles(Measure measure, Goal goal, const std::string& name) {
    Figure figure;
    figure.name = name;
    figure.title =
        fmt::format("{} to each {}", capital(name_of(measure)), goal == Goal::accuracy ? "accuracy" : "proven gap");
    figure.caption = fmt::format(
        "Over {} problems, loss {}. A problem that is not solved within {} counts as infinite: a curve ends where the "
        "median, or the 90th percentile, is not solved.{}",
        results_.problems.size(), o_.loss, limit_text(),
        goal == Goal::proof && !o_.prove ? " Runs ended at the smallest accuracy, whether it was proven by then or not."
                                         : "");
    figure.panels = {quantile_panel(0.5, "median", measure, goal),
                     quantile_panel(0.9, "90th percentile", measure, goal)};
    report_.figures.push_back(std::move(figure));
  }

  static std::string capital(std::string word) {
    word[0] = static_cast<char>(std::toupper(word[0]));
    return word;
  }

  void add_profiles(Measure measure) {
    Figure figure;
    figure.name = "profile-" + name_of(measure);
    figure.title = "Performance profiles, " + name_of(measure);
    figure.caption = fmt::format(
        "The share of the {} problems that a method solves with at most the given multiple of the {} of the best "
        "method "
        "on that problem.",
        results_.problems.size(), name_of(measure));
    Table table{.name = figure.name,
                .title = figure.title,
                .caption = figure.caption,
                .columns = {"accuracy", "method", "ratio", "share"},
                .rows = {},
                .in_page = false};
    constexpr double widest = 100;
    for (const std::size_t a : shown_accuracies(o_.accuracies.size())) {
      std::vector<std::vector<double>> all;
      for (std::size_t m = 0; m < o_.methods.size(); ++m) all.push_back(costs(results_, m, a, measure));
      const std::vector<Profile> profiles = performance_profiles(all);
      Panel panel{.title = fmt::format("accuracy {:.0e}", o_.accuracies[a]),
                  .x = {.label = "times the best", .logarithmic = true, .least = 1, .most = widest},
                  .y = {.label = "share of problems", .least = 0, .most = 1},
                  .curves = {}};
      for (std::size_t m = 0; m < o_.methods.size(); ++m) {
        Curve curve{.method = o_.methods[m].text, .x = {}, .y = {}, .steps = true};
        for (std::size_t k = 0; k < profiles[m].ratio.size(); ++k) {
          table.rows.push_back({o_.accuracies[a], o_.methods[m].text, profiles[m].ratio[k], profiles[m].share[k]});
          if (profiles[m].ratio[k] > widest) continue;
          curve.x.push_back(profiles[m].ratio[k]);
          curve.y.push_back(profiles[m].share[k]);
        }
        if (!curve.x.empty() && curve.x.back() < widest) {
          curve.x.push_back(widest);
          curve.y.push_back(curve.y.back());
        }
        panel.curves.push_back(std::move(curve));
      }
      figure.panels.push_back(std::move(panel));
    }
    report_.figures.push_back(std::move(figure));
    report_.tables.push_back(std::move(table));
  }

  void add_summary() {
    Table table{.name = "summary",
                .title = "Median and 90th percentile",
                .caption = fmt::format("Over {} problems; those not solved within {} count as infinite. Quantiles are "
                                       "linear between neighbours.",
                                       results_.problems.size(), limit_text()),
                .columns = {"accuracy", "method", "solved", "iterations, median", "iterations, 90 %", "passes, median",
                            "passes, 90 %", "line evaluations, median", "passes to proof, median"},
                .rows = {}};
    for (std::size_t a = 0; a < o_.accuracies.size(); ++a)
      for (std::size_t m = 0; m < o_.methods.size(); ++m) {
        const auto at = [&](Measure measure, double p, Goal goal = Goal::accuracy) {
          return quantile(costs(results_, m, a, measure, goal), p);
        };
        const std::vector<double> iterations = costs(results_, m, a, Measure::iterations);
        const auto solved = std::count_if(iterations.begin(), iterations.end(), [](double v) { return v < infinity; });
        table.rows.push_back({o_.accuracies[a], o_.methods[m].text, static_cast<double>(solved),
                              at(Measure::iterations, 0.5), at(Measure::iterations, 0.9), at(Measure::passes, 0.5),
                              at(Measure::passes, 0.9), at(Measure::line_evaluations, 0.5),
                              at(Measure::passes, 0.5, Goal::proof)});
      }
    report_.tables.push_back(std::move(table));
  }

  void add_problems(std::size_t a) {
    Table table{.name = fmt::format("problems-{:.0e}", o_.accuracies[a]),
                .title = fmt::format("Every problem: passes to accuracy {:.0e}", o_.accuracies[a]),
                .caption = "A pass is one product with the data, forward or backward.",
                .columns = {"data", "rows", "features", "nonzeros", "lambda"},
                .rows = {}};
    for (const MethodChoice& m : o_.methods) table.columns.push_back(m.text);
    if (o_.timed)
      for (const MethodChoice& m : o_.methods) table.columns.push_back(m.text + ", seconds");
    for (const Problem& p : results_.problems) {
      std::vector<Entry> row = {p.data, static_cast<double>(p.rows), static_cast<double>(p.features),
                                static_cast<double>(p.nonzeros), p.lambda};
      for (const Cell& cell : p.cells) row.emplace_back(number_of(cell.reached[a], Measure::passes));
      if (o_.timed)
        for (const Cell& cell : p.cells) row.emplace_back(rounded_seconds(cell.reached[a]));
      table.rows.push_back(std::move(row));
    }
    report_.tables.push_back(std::move(table));
  }

  static double rounded_seconds(const std::optional<Effort>& effort) {
    return effort ? std::round(effort->seconds * 1e6) / 1e6 : infinity;
  }

  /// Everything that is the same in every run.
  void add_results() {
    Table table{.name = "results",
                .title = "Every cell",
                .caption = "What each method had spent when it reached each accuracy, and when it had proven it.",
                .columns = {"data", "lambda", "method", "accuracy", "iterations", "passes", "line_evaluations",
                            "proof_iterations", "proof_passes", "status"},
                .rows = {},
                .in_page = false};
    for_each_cell([&](const Problem& p, const std::string& method, const Cell& cell) {
      for (std::size_t a = 0; a < o_.accuracies.size(); ++a)
        table.rows.push_back(
            {p.data, p.lambda, method, o_.accuracies[a], number_of(cell.reached[a], Measure::iterations),
             number_of(cell.reached[a], Measure::passes), number_of(cell.reached[a], Measure::line_evaluations),
             number_of(cell.proven[a], Measure::iterations), number_of(cell.proven[a], Measure::passes), cell.status});
    });
    report_.tables.push_back(std::move(table));
  }

  /// Apart from the results, since no two runs agree on them.
  void add_seconds() {
    Table table{.name = "seconds",
                .title = "Every cell, seconds",
                .caption = "Training only; the data were in memory.",
                .columns = {"data", "lambda", "method", "accuracy", "seconds", "proof_seconds"},
                .rows = {},
                .in_page = false};
    for_each_cell([&](const Problem& p, const std::string& method, const Cell& cell) {
      for (std::size_t a = 0; a < o_.accuracies.size(); ++a)
        table.rows.push_back({p.data, p.lambda, method, o_.accuracies[a], rounded_seconds(cell.reached[a]),
                              rounded_seconds(cell.proven[a])});
    });
    report_.tables.push_back(std::move(table));
  }

  template <class Body>
  void for_each_cell(Body&& body) const {
    for (const Problem& p : results_.problems)
      for (std::size_t m = 0; m < p.cells.size(); ++m) body(p, o_.methods[m].text, p.cells[m]);
  }

  void add_references() {
    Table table{.name = "references",
                .title = "The minima",
                .caption =
                    "f* lies between the lower bound and the value: proven. Accuracies are measured from the lower "
                    "bound.",
                .columns = {"data", "lambda", "f(0)", "value", "lower bound", "relative gap", "solver", "iterations"},
                .rows = {}};
    for (const Problem& p : results_.problems) {
      const ReferenceMinimum& r = p.reference;
      table.rows.push_back({p.data, p.lambda, r.start_value, r.value, r.lower_bound, r.relative_gap(), r.solver,
                            static_cast<double>(r.iterations)});
    }
    report_.tables.push_back(std::move(table));
  }

  void add_tunings() {
    Table table{.name = "tuning",
                .title = "The constants of the methods that need one",
                .caption = fmt::format("The best power of two for each data set, by the sum of iterations to accuracy "
                                       "{:.0e} over all regularisations.",
                                       o_.tuning_accuracy),
                .columns = {"data", "method", "constant", "powers tried"},
                .rows = {}};
    for (const TuningOf& t : results_.tunings)
      table.rows.push_back(
          {t.data, t.method, fmt::format("2^{}", t.tuning.exponent), static_cast<double>(t.tuning.candidates.size())});
    report_.tables.push_back(std::move(table));
  }

  void add_doubts() {
    std::string loose, drifted;
    const double smallest = o_.accuracies.back();
    for (const Problem& p : results_.problems) {
      if (p.reference.relative_gap() > 0.01 * smallest)
        loose += fmt::format(" {} at {:g} (gap {:.1e});", p.data, p.lambda, p.reference.relative_gap());
      for (std::size_t m = 0; m < p.cells.size(); ++m) {
        const Cell& cell = p.cells[m];
        const auto last = last_reached(cell);
        if (last && cell.accuracy > 1.05 * o_.accuracies[*last])
          drifted += fmt::format(" {} at {:g}, {} ({:.2e});", p.data, p.lambda, o_.methods[m].text, cell.accuracy);
      }
    }
    if (!loose.empty())
      report_.warnings.push_back(fmt::format("Not all minima are known to 1 % of the smallest accuracy:{}", loose));
    if (!drifted.empty())
      report_.warnings.push_back(
          fmt::format("Values recomputed in the end are above the accuracy that was counted as reached:{}", drifted));
  }

  static std::optional<std::size_t> last_reached(const Cell& cell) {
    for (std::size_t a = cell.reached.size(); a-- > 0;)
      if (cell.reached[a]) return a;
    return std::nullopt;
  }

  Report& report_;
  const ExperimentOptions& o_;
  const Results& results_;
};

}  // namespace

std::vector<double> costs(const Results& results, std::size_t method, std::size_t accuracy, Measure measure,
                          Goal goal) {
  std::vector<double> values;
  for (const Problem& p : results.problems) {
    const Cell& cell = p.cells[method];
    values.push_back(number_of((goal == Goal::accuracy ? cell.reached : cell.proven)[accuracy], measure));
  }
  return values;
}

void add_comparison(Report& report, const ExperimentOptions& options, const Results& results) {
  Comparison(report, options, results).add();
}

}  // namespace geodescent::lab
