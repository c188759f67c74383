#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "comparison/comparison.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

class Tables {
 public:
  Tables(const ExperimentOptions& options, const Results& results) : o_(options), results_(results) {}

  Table summary(const std::string& name, const std::vector<Measure>& measures) const {
    Table table{.name = name,
                .title = "Median and 90th percentile",
                .caption = fmt::format("Over {} problems; those not solved within {} count as infinite. Quantiles are "
                                       "linear between neighbours.",
                                       results_.problems.size(), text_of(o_.limits)),
                .columns = {"accuracy", "method", "solved"},
                .rows = {}};
    struct Column {
      Measure measure;
      double quantile;
      Goal goal;
    };
    std::vector<Column> columns;
    for (const Measure measure : measures)
      for (const double p : {0.5, 0.9}) columns.push_back({measure, p, Goal::accuracy});
    if (o_.prove)
      for (const double p : {0.5, 0.9}) columns.push_back({measures.back(), p, Goal::proof});
    for (const Column& c : columns)
      table.columns.push_back(fmt::format("{}{}, {}", name_of(c.measure), c.goal == Goal::proof ? " to proof" : "",
                                          c.quantile == 0.5 ? "median" : "90 %"));

    for (std::size_t a = 0; a < o_.accuracies.size(); ++a)
      for (std::size_t m = 0; m < o_.methods.size(); ++m) {
        const std::vector<double> iterations = costs(results_, m, a, Measure::iterations);
        const auto solved =
            std::count_if(iterations.begin(), iterations.end(), [](double v) { return std::isfinite(v); });
        std::vector<Entry> row = {o_.accuracies[a], o_.methods[m].text, static_cast<double>(solved)};
        for (const Column& c : columns)
          row.emplace_back(shortened(quantile(costs(results_, m, a, c.measure, c.goal), c.quantile)));
        table.rows.push_back(std::move(row));
      }
    return table;
  }

  Table problems(const std::string& name, std::size_t a, Measure measure) const {
    Table table{
        .name = fmt::format("{}-{:.0e}", name, o_.accuracies[a]),
        .title = fmt::format("Every problem: {} to accuracy {:.0e}", name_of(measure), o_.accuracies[a]),
        .caption = measure == Measure::passes ? "A pass is one product with the data, forward or backward." : "",
        .columns = {"data", "rows", "features", "nonzeros", "lambda"},
        .rows = {}};
    for (const Contender& m : o_.methods) table.columns.push_back(m.text);
    for (const Problem& p : results_.problems) {
      std::vector<Entry> row = {p.data, static_cast<double>(p.rows), static_cast<double>(p.features),
                                static_cast<double>(p.nonzeros), p.lambda};
      for (const Cell& cell : p.cells) row.emplace_back(amount(cell.reached[a], measure));
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  /// The columns that are the same in every run.
  Table results() const {
    Table table{.name = "results",
                .title = "Every cell",
                .caption =
                    "What each method had spent when it reached each accuracy, and when it had proven it; how "
                    "its run ended, with which gap proven, the constant it was given, and the directions it chose.",
                .columns = {"data", "lambda", "method", "accuracy", "iterations", "passes", "line_evaluations",
                            "subspace_evaluations", "proof_iterations", "proof_passes", "status", "final_gap",
                            "smoothness", "directions"},
                .rows = {},
                .in_page = false};
    for_each_accuracy([&](const Problem& p, std::size_t m, std::size_t a) {
      const Cell& cell = p.cells[m];
      const auto& reached = cell.reached[a];
      const auto& proven = cell.proven[a];
      table.rows.push_back({p.data, p.lambda, o_.methods[m].text, o_.accuracies[a],
                            amount(reached, Measure::iterations), amount(reached, Measure::passes),
                            amount(reached, Measure::line_evaluations), amount(reached, Measure::subspace_evaluations),
                            amount(proven, Measure::iterations), amount(proven, Measure::passes), cell.status,
                            shortened(cell.relative_gap), cell.smoothness > 0 ? Entry(cell.smoothness) : Entry(),
                            cell.directions.empty() ? Entry() : Entry(cell.directions)});
    });
    return table;
  }

  /// Separate from the results, because seconds differ from run to run.
  Table seconds() const {
    Table table{.name = "seconds",
                .title = "Every cell: seconds",
                .caption = "Training only; the data were in memory.",
                .columns = {"data", "lambda", "method", "accuracy", "seconds", "proof_seconds"},
                .rows = {},
                .in_page = false};
    for_each_accuracy([&](const Problem& p, std::size_t m, std::size_t a) {
      table.rows.push_back({p.data, p.lambda, o_.methods[m].text, o_.accuracies[a],
                            amount(p.cells[m].reached[a], Measure::seconds),
                            amount(p.cells[m].proven[a], Measure::seconds)});
    });
    return table;
  }

  Table profiles() const {
    Table table{.name = "profiles",
                .title = "Performance profiles, passes",
                .caption = "The share of problems solved with at most `ratio` times the passes of the best method.",
                .columns = {"accuracy", "method", "ratio", "share"},
                .rows = {},
                .in_page = false};
    for (const std::size_t a : shown_accuracies(o_.accuracies.size())) {
      std::vector<std::vector<double>> all;
      for (std::size_t m = 0; m < o_.methods.size(); ++m) all.push_back(costs(results_, m, a, Measure::passes));
      const std::vector<Profile> found = performance_profiles(all);
      for (std::size_t m = 0; m < found.size(); ++m)
        for (std::size_t k = 0; k < found[m].ratio.size(); ++k)
          table.rows.push_back({o_.accuracies[a], o_.methods[m].text, found[m].ratio[k], found[m].share[k]});
    }
    return table;
  }

  Table references() const {
    Table table{.name = "references",
                .title = "The minima",
                .caption =
                    "f* lies between the lower bound and the value: proven. Accuracies are measured from the "
                    "lower bound.",
                .columns = {"data", "lambda", "f(0)", "value", "lower bound", "relative gap", "solver", "iterations"},
                .rows = {},
                .upper_bounds = {"value", "relative gap"},
                .lower_bounds = {"lower bound"}};
    for (const Problem& p : results_.problems) {
      const ReferenceMinimum& r = p.reference;
      table.rows.push_back({p.data, p.lambda, r.start_value, r.value, r.lower_bound, r.relative_gap(), r.solver,
                            static_cast<double>(r.iterations)});
    }
    return table;
  }

  Table tunings() const {
    Table table{.name = "tuning",
                .title = "The constants of the methods that need one",
                .caption = fmt::format("The best power of two for each data set, by the sum of iterations to accuracy "
                                       "{:.0e} over all regularisations, in runs of at most {} iterations.",
                                       o_.tuning_accuracy, std::min(o_.tuning_iterations, o_.limits.iterations)),
                .columns = {"data", "method", "constant", "powers tried"},
                .rows = {}};
    for (const TuningOf& t : results_.tunings)
      table.rows.push_back(
          {t.data, t.method, fmt::format("2^{}", t.tuning.exponent), static_cast<double>(t.tuning.candidates.size())});
    return table;
  }

  bool any_subspace_evaluation() const {
    return std::ranges::any_of(results_.problems, [](const Problem& p) {
      return std::ranges::any_of(p.cells, [](const Cell& c) { return c.total.subspace_evaluations > 0; });
    });
  }

 private:
  template <class Body>
  void for_each_accuracy(Body&& body) const {
    for (const Problem& p : results_.problems)
      for (std::size_t m = 0; m < p.cells.size(); ++m)
        for (std::size_t a = 0; a < o_.accuracies.size(); ++a) body(p, m, a);
  }

  const ExperimentOptions& o_;
  const Results& results_;
};

}  // namespace

void add_tables(Report& report, const ExperimentOptions& options, const Results& results) {
  const Tables tables(options, results);
  std::vector<Measure> measures = {Measure::iterations, Measure::line_evaluations};
  if (tables.any_subspace_evaluation()) measures.push_back(Measure::subspace_evaluations);
  measures.push_back(Measure::passes);
  report.tables.push_back(tables.summary("summary", measures));
  // Seconds differ from run to run, so they have their own tables.
  if (options.timed) report.tables.push_back(tables.summary("seconds-summary", {Measure::seconds}));
  for (const std::size_t a : shown_accuracies(options.accuracies.size())) {
    report.tables.push_back(tables.problems("problems", a, Measure::passes));
    if (options.timed) report.tables.push_back(tables.problems("seconds", a, Measure::seconds));
  }
  report.tables.push_back(tables.results());
  if (options.timed) report.tables.push_back(tables.seconds());
  report.tables.push_back(tables.profiles());
  report.tables.push_back(tables.references());
  if (!results.tunings.empty()) report.tables.push_back(tables.tunings());
}

}  // namespace geodescent::lab
