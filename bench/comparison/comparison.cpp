#include "comparison/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/text/outward_text.hpp"
#include "comparison/infinity.hpp"

namespace geodescent::lab {
namespace {

std::optional<std::size_t> last_reached(const Cell& cell) {
  for (std::size_t a = cell.reached.size(); a-- > 0;)
    if (cell.reached[a]) return a;
  return std::nullopt;
}

}  // namespace

std::string name_of(Measure measure) {
  switch (measure) {
    case Measure::iterations:
      return "iterations";
    case Measure::passes:
      return "passes";
    case Measure::line_evaluations:
      return "line evaluations";
    case Measure::subspace_evaluations:
      return "subspace evaluations";
    case Measure::seconds:
      return "seconds";
  }
  return "";
}

double amount(const std::optional<Effort>& effort, Measure measure) {
  if (!effort) return infinity;
  switch (measure) {
    case Measure::iterations:
      return static_cast<double>(effort->iterations);
    case Measure::passes:
      return static_cast<double>(effort->passes);
    case Measure::line_evaluations:
      return static_cast<double>(effort->line_evaluations);
    case Measure::subspace_evaluations:
      return static_cast<double>(effort->subspace_evaluations);
    case Measure::seconds:
      return std::round(effort->seconds * 1e6) / 1e6;
  }
  return infinity;
}

std::vector<double> costs(const Results& results, std::size_t method, std::size_t accuracy, Measure measure,
                          Goal goal) {
  std::vector<double> values;
  for (const Problem& p : results.problems) {
    const Cell& cell = p.cells[method];
    values.push_back(amount((goal == Goal::accuracy ? cell.reached : cell.proven)[accuracy], measure));
  }
  return values;
}

std::vector<std::size_t> shown_accuracies(std::size_t count) {
  std::vector<std::size_t> shown;
  for (const std::size_t third : {1u, 2u, 3u}) {
    const std::size_t k = std::max<std::size_t>(1, count * third / 3) - 1;
    if (shown.empty() || shown.back() != k) shown.push_back(k);
  }
  return shown;
}

double shortened(double value) {
  return std::isfinite(value) ? std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr) : value;
}

std::string text_of(const Limits& limits) {
  std::string text = fmt::format("{} iterations", limits.iterations);
  if (std::isfinite(limits.seconds)) text += fmt::format(" or {:g} seconds", limits.seconds);
  return text;
}

void add_doubts(Report& report, const ExperimentOptions& o, const Results& results) {
  std::string loose, drifted;
  for (const Problem& p : results.problems) {
    if (!(p.reference.relative_gap() <= 0.01 * o.accuracies.back()))  // NaN if f(0) is the minimum
      loose += fmt::format(" {} at {:g} (gap {});", p.data, p.lambda, text_above(p.reference.relative_gap(), 2));
    for (std::size_t m = 0; m < p.cells.size(); ++m) {
      const auto last = last_reached(p.cells[m]);
      if (last && p.cells[m].accuracy > 1.05 * o.accuracies[*last])
        drifted += fmt::format(" {} at {:g}, {} ({:.2e});", p.data, p.lambda, o.methods[m].text, p.cells[m].accuracy);
    }
  }
  if (!loose.empty())
    report.warnings.push_back(fmt::format("Not all minima are known to 1 % of the smallest accuracy:{}", loose));
  if (!drifted.empty())
    report.warnings.push_back(
        fmt::format("Values recomputed at the end are above the accuracy that was counted as reached:{}", drifted));
}

}  // namespace geodescent::lab
