#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "comparison/comparison.hpp"
#include "experiments/functions/functions.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

Table summary(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs) {
  Table table{.name = "summary",
              .title = "Evaluations to each accuracy",
              .caption = fmt::format(
                  "Over {} problems; those not solved within {} evaluations count as infinite. The ratio is the "
                  "geometric mean of the evaluations over those of {}, on the problems that both solve.",
                  runs.size(), o.max_evaluations, o.methods.front().text),
              .columns = {"accuracy", "method", "solved", "median", "90 %", "ratio"},
              .rows = {}};
  for (const double accuracy : o.accuracies) {
    const std::vector<double> first = evaluations_of(runs, 0, accuracy);
    for (std::size_t m = 0; m < o.methods.size(); ++m) {
      const std::vector<double> counts = evaluations_of(runs, m, accuracy);
      const auto solved = std::ranges::count_if(counts, [](double c) { return std::isfinite(c); });
      const double ratio = geometric_mean_of_ratios(counts, first);
      table.rows.push_back({accuracy, o.methods[m].text, static_cast<double>(solved), shortened(quantile(counts, 0.5)),
                            shortened(quantile(counts, 0.9)), std::isnan(ratio) ? Entry{} : Entry{shortened(ratio)}});
    }
  }
  return table;
}

Table problems(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs, double accuracy) {
  Table table{.name = fmt::format("problems-{:.0e}", accuracy),
              .title = fmt::format("Every problem: evaluations to accuracy {:.0e}", accuracy),
              .caption = "",
              .columns = {"problem", "n"},
              .rows = {}};
  for (const Contender& method : o.methods) table.columns.push_back(method.text);
  for (const FunctionRuns& r : runs) {
    const TestProblem& problem = r.reference.problem();
    std::vector<Entry> row = {std::string(problem.name), static_cast<double>(problem.dimension())};
    for (const FunctionTrace& trace : r.traces) row.emplace_back(trace.evaluations_to(accuracy));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table stops(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs) {
  Table table{
      .name = "estimates",
      .title = "When a method is left to stop by itself",
      .caption = fmt::format(
          "Each run ends when the method estimates its relative gap at {:.0e}. The ratio is the truth over the "
          "estimate: at most 1 when the estimate is honest. \"Needed\" are the evaluations after which that accuracy "
          "was reached in truth: what is spent beyond them is the price of not knowing it. No strong convexity exceeds "
          "the least curvature at the minimum, in the last column: an estimate above it is too large.",
          o.stop_tolerance),
      .columns = {"problem", "method", "status", "evaluations", "needed", "estimated gap", "true accuracy", "ratio",
                  "estimated strong convexity", "least curvature"},
      .rows = {}};
  for (const FunctionRuns& r : runs)
    for (const FunctionStop& stop : r.stops) {
      const auto same = std::ranges::find(r.traces, stop.method, &FunctionTrace::method);
      table.rows.push_back({std::string(r.reference.problem().name), stop.method, stop.status, stop.evaluations,
                            same->evaluations_to(o.stop_tolerance), shortened(stop.estimated_gap),
                            shortened(stop.accuracy), shortened(stop.accuracy / stop.estimated_gap),
                            shortened(stop.estimated_strong_convexity), shortened(r.reference.least_curvature())});
    }
  return table;
}

Table references(const std::vector<FunctionRuns>& runs) {
  Table table{
      .name = "references",
      .title = "The minima",
      .caption =
          "By Newton's method in long double. The error is what a further step would gain by the quadratic model, and "
          "the rounding of the value, as a part of f(x0) - f*: an estimate, no proof. The last column compares with "
          "the formula, where there is one. Curvatures are the extreme eigenvalues of the Hessian at the minimum.",
      .columns = {"problem", "n", "f(x0)", "f*", "relative error", "gradient norm", "iterations", "least curvature",
                  "largest curvature", "from formula"},
      .rows = {}};
  for (const FunctionRuns& r : runs) {
    const FunctionReference& f = r.reference;
    const auto& formula = f.problem().minimum;
    const double distance =
        formula ? static_cast<double>(std::abs(f.minimum() - *formula) / (f.start_value() - f.minimum())) : 0;
    table.rows.push_back({std::string(f.problem().name), static_cast<double>(f.problem().dimension()),
                          static_cast<double>(f.start_value()), static_cast<double>(f.minimum()),
                          shortened(f.relative_error()), shortened(static_cast<double>(f.gradient_norm())),
                          static_cast<double>(f.iterations()), shortened(f.least_curvature()),
                          shortened(f.largest_curvature()), formula ? Entry{shortened(distance)} : Entry{}});
  }
  return table;
}

Table results(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs) {
  Table table{.name = "results",
              .title = "Every run",
              .caption = "Evaluations to each accuracy.",
              .columns = {"problem", "method", "accuracy", "evaluations", "status"},
              .rows = {},
              .in_page = false};
  for (const FunctionRuns& r : runs)
    for (const FunctionTrace& trace : r.traces)
      for (const double accuracy : o.accuracies)
        table.rows.push_back({std::string(r.reference.problem().name), trace.method, accuracy,
                              trace.evaluations_to(accuracy), trace.status});
  return table;
}

}  // namespace

std::vector<Table> functions_tables(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs) {
  std::vector<Table> tables{summary(o, runs)};
  for (const double accuracy : shown_accuracies(o)) tables.push_back(problems(o, runs, accuracy));
  if (!runs.front().stops.empty()) tables.push_back(stops(o, runs));
  tables.push_back(references(runs));
  tables.push_back(results(o, runs));
  return tables;
}

}  // namespace geodescent::lab
