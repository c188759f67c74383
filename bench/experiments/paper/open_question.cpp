#include "experiments/paper/open_question.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

constexpr std::size_t memory_of_lbfgs = 100;  // the default memory

template <class CostOf>
Least least(const Sides& sides, CostOf&& cost_of) {
  Least best{cost_of(sides.lbfgs.front()), sides.lbfgs.front()};
  for (const std::size_t m : sides.lbfgs)
    if (const double cost = cost_of(m); cost < best.cost) best = {cost, m};
  return best;
}

}  // namespace

std::optional<Sides> sides_of(const ExperimentOptions& o) {
  Sides sides;
  auto memory = std::ranges::find(o.methods, equal_terms, &Contender::text);
  if (memory == o.methods.end())
    memory =
        std::ranges::find_if(o.methods, [](const Contender& c) { return c.method.get_if<GeodMemory>() != nullptr; });
  const auto usual = std::ranges::find(o.methods, "geod-memory", &Contender::text);
  if (usual != o.methods.end() && usual != memory) sides.beside = static_cast<std::size_t>(usual - o.methods.begin());
  sides.memory = static_cast<std::size_t>(memory - o.methods.begin());
  for (std::size_t m = 0; m < o.methods.size(); ++m)
    if (const Lbfgs* lbfgs = o.methods[m].method.get_if<Lbfgs>(); lbfgs && lbfgs->memory == memory_of_lbfgs)
      sides.lbfgs.push_back(m);
  if (memory == o.methods.end() || sides.lbfgs.empty()) return std::nullopt;
  return sides;
}

Least least_on(const Problem& problem, const Sides& sides, std::size_t accuracy, Measure measure) {
  return least(sides, [&](std::size_t m) { return amount(problem.cells[m].reached[accuracy], measure); });
}

Least least_quantile(const Results& results, const Sides& sides, std::size_t accuracy, double p) {
  return least(sides, [&](std::size_t m) { return quantile(costs(results, m, accuracy, Measure::passes), p); });
}

double ratio(double a, double b) {
  if (b == 0) return std::numeric_limits<double>::quiet_NaN();  // the seconds are too short to measure
  return a / b;
}

std::optional<std::size_t> place_of(double accuracy, const std::vector<double>& accuracies) {
  const auto found =
      std::ranges::find_if(accuracies, [&](double a) { return std::abs(a - accuracy) <= 1e-9 * accuracy; });
  if (found == accuracies.end()) return std::nullopt;
  return static_cast<std::size_t>(found - accuracies.begin());
}

std::vector<Aim> aims_for(const std::string& loss) {
  if (loss == "smoothed-hinge" || loss == "logistic")
    return {{0.5, 1e-4, 0.6}, {0.5, 1e-6, 0.5}, {0.5, 1e-8, 0.45}, {0.9, 1e-6, 0.4}, {0.9, 1e-8, 0.25}};
  return {{0.5, 1e-4, 1}, {0.5, 1e-6, 1}, {0.5, 1e-8, 1}, {0.9, 1e-6, 1}, {0.9, 1e-8, 1}};
}

double passes_allowed(double of_lbfgs) { return 1.25 * of_lbfgs + 3; }

std::vector<Exception> exceptions(const ExperimentOptions& o, const Results& results, const Sides& sides) {
  std::vector<Exception> found;
  for (const Problem& p : results.problems)
    for (std::size_t a = 0; a < o.accuracies.size(); ++a) {
      if (o.accuracies[a] > 1.01e-2 || o.accuracies[a] < 0.99e-8) continue;
      const double passes = amount(p.cells[sides.memory].reached[a], Measure::passes);
      const Least lbfgs = least_on(p, sides, a, Measure::passes);
      if (passes > passes_allowed(lbfgs.cost)) found.push_back({&p, a, passes, lbfgs});
    }
  return found;
}

void add_open_question(Report& report, const ExperimentOptions& o, const Results& results) {
  const auto sides = sides_of(o);
  if (!sides) return;
  std::ranges::move(memory_claims(o, results, *sides), std::inserter(report.claims, report.claims.begin()));
  std::ranges::move(memory_tables(o, results, *sides), std::inserter(report.tables, report.tables.begin()));
}

}  // namespace geodescent::lab
