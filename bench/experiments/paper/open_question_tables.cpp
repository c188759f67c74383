#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/paper/open_question.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

/// Empty where there is nothing to compare.
Entry entry(double value) { return std::isnan(value) ? Entry() : Entry(shortened(value)); }

class Tables {
 public:
  Tables(const ExperimentOptions& o, const Results& results, const Sides& sides)
      : o_(o),
        results_(results),
        sides_(sides),
        judged_(place_of(judged_accuracy, o.accuracies).value_or(o.accuracies.size() - 1)) {}

  Table ratios() const {
    Table table{.name = "memory-ratios",
                .title = "GeoD with memory against L-BFGS with memory 100: passes",
                .caption = fmt::format("The better L-BFGS is chosen anew for each quantile and accuracy, and for each "
                                       "problem where problems are compared one by one: there the ratio is the "
                                       "geometric mean over those that both solve within {}.",
                                       text_of(o_.limits)),
                .columns = {"accuracy", "over all problems", o_.methods[sides_.memory].text, "L-BFGS", "which L-BFGS",
                            "ratio", "aim"},
                .rows = {}};
    const std::vector<Aim> aims = aims_for(o_.loss);
    for (std::size_t a = 0; a < o_.accuracies.size(); ++a) {
      for (const double p : {0.5, 0.9}) {
        const double passes = quantile(costs(results_, sides_.memory, a, Measure::passes), p);
        const Least lbfgs = least_quantile(results_, sides_, a, p);
        const auto aim = std::ranges::find_if(
            aims, [&](const Aim& x) { return x.quantile == p && place_of(x.accuracy, o_.accuracies) == a; });
        table.rows.push_back({o_.accuracies[a], p == 0.5 ? "median" : "90 %", entry(passes), entry(lbfgs.cost),
                              o_.methods[lbfgs.method].text, entry(ratio(passes, lbfgs.cost)),
                              aim == aims.end() ? Entry() : Entry(aim->most)});
      }
      table.rows.push_back({o_.accuracies[a], "problem by problem", {}, {}, {}, entry(mean_ratio(a)), {}});
    }
    return table;
  }

  Table exceptions() const {
    const std::vector<Exception> found = lab::exceptions(o_, results_, sides_);
    Table table{.name = "memory-exceptions",
                .title = "Where GeoD with memory needs more passes than 1.25 times those of L-BFGS plus 3",
                .caption = fmt::format("{} points, of {} problems at the accuracies from 1e-2 to 1e-8. The L-BFGS is "
                                       "the one with the fewest passes on that very problem.",
                                       found.size(), results_.problems.size()),
                .columns = {"data", "lambda", "accuracy", o_.methods[sides_.memory].text, "L-BFGS", "which L-BFGS",
                            "allowed", "ratio"},
                .rows = {}};
    for (const Exception& e : found)
      table.rows.push_back({e.problem->data, e.problem->lambda, o_.accuracies[e.accuracy], e.passes, e.lbfgs.cost,
                            o_.methods[e.lbfgs.method].text, passes_allowed(e.lbfgs.cost),
                            entry(ratio(e.passes, e.lbfgs.cost))});
    return table;
  }

  Table proofs() const {
    Table table{.name = "memory-proof",
                .title = fmt::format("GeoD with memory: passes to the accuracy and to the proof of {:.0e}",
                                     o_.accuracies[judged_]),
                .caption = "Beside them the fewest passes to the proof that another method of the run needs.",
                .columns = {"data", "lambda", "to the accuracy", "to the proof", "ratio", "gap proven in the end",
                            "status", "another to the proof", "which"},
                .rows = {}};
    for (const Problem& p : results_.problems) {
      const Cell& cell = p.cells[sides_.memory];
      const double reached = amount(cell.reached[judged_], Measure::passes);
      const double proven = amount(cell.proven[judged_], Measure::passes);
      Least other;
      for (std::size_t m = 0; m < p.cells.size(); ++m)
        if (const double passes = amount(p.cells[m].proven[judged_], Measure::passes);
            m != sides_.memory && passes < other.cost)
          other = {passes, m};
      table.rows.push_back({p.data, p.lambda, reached, proven, entry(ratio(proven, reached)), entry(cell.relative_gap),
                            cell.status, other.cost, std::isinf(other.cost) ? Entry() : o_.methods[other.method].text});
    }
    return table;
  }

  Table seconds() const {
    Table table{.name = "memory-seconds",
                .title = fmt::format("GeoD with memory against L-BFGS with memory 100: passes and seconds to {:.0e}",
                                     o_.accuracies[judged_]),
                .caption = "",
                .columns = {"data", "lambda", "passes", "L-BFGS passes", "ratio", "seconds", "L-BFGS seconds",
                            "ratio of seconds", "GeoD with memory is", "of its seconds: passes", "line searches",
                            "subspace", "its own vectors"},
                .rows = {}};
    std::array<std::size_t, 4> counts{};
    for (const Problem& p : results_.problems) {
      const Cell& cell = p.cells[sides_.memory];
      const double passes = amount(cell.reached[judged_], Measure::passes);
      const double spent = amount(cell.reached[judged_], Measure::seconds);
      const double lbfgs_passes = least_on(p, sides_, judged_, Measure::passes).cost;
      const double lbfgs_spent = least_on(p, sides_, judged_, Measure::seconds).cost;
      const std::size_t standing = (passes > lbfgs_passes ? 2u : 0u) + (spent > lbfgs_spent ? 1u : 0u);
      ++counts[standing];
      std::vector<Entry> row = {p.data,
                                p.lambda,
                                passes,
                                lbfgs_passes,
                                entry(ratio(passes, lbfgs_passes)),
                                spent,
                                lbfgs_spent,
                                entry(ratio(spent, lbfgs_spent)),
                                standings[standing]};
      for (const double part : {cell.calls.passes, cell.calls.line, cell.calls.subspace, own_seconds(cell)})
        row.push_back(entry(std::round(100 * ratio(part, cell.total.seconds)) / 100));
      table.rows.push_back(std::move(row));
    }
    std::vector<std::string> parts;
    for (std::size_t s = 0; s < counts.size(); ++s) parts.push_back(fmt::format("{} on {}", standings[s], counts[s]));
    table.caption = fmt::format(
        "Of {} problems it is {}. Passes are held against the L-BFGS with the fewest passes on that problem, seconds "
        "against that with the fewest seconds. The last columns are shares of its whole run: products with the data, "
        "evaluations on lines, gradients and Hessians on subspaces, and the rest (basis, balls, factors).",
        results_.problems.size(), fmt::join(parts, ", "));
    return table;
  }

 private:
  static constexpr std::array<const char*, 4> standings = {"not behind", "behind in seconds only",
                                                           "behind in passes only", "behind in both"};

  static double own_seconds(const Cell& cell) {
    return std::max(0.0, cell.total.seconds - cell.calls.passes - cell.calls.line - cell.calls.subspace);
  }

  /// Not a number when there is no problem that both solve.
  double mean_ratio(std::size_t accuracy) const {
    double sum = 0, count = 0;
    for (const Problem& p : results_.problems) {
      const double r = ratio(amount(p.cells[sides_.memory].reached[accuracy], Measure::passes),
                             least_on(p, sides_, accuracy, Measure::passes).cost);
      if (!(r > 0) || std::isinf(r)) continue;
      sum += std::log(r);
      ++count;
    }
    return count > 0 ? std::exp(sum / count) : std::numeric_limits<double>::quiet_NaN();
  }

  const ExperimentOptions& o_;
  const Results& results_;
  const Sides& sides_;
  std::size_t judged_;  ///< the place of the accuracy of proofs and seconds, or of the smallest one
};

}  // namespace

std::vector<Table> memory_tables(const ExperimentOptions& o, const Results& results, const Sides& sides) {
  const Tables tables(o, results, sides);
  std::vector<Table> all = {tables.ratios(), tables.exceptions()};
  if (o.prove) all.push_back(tables.proofs());
  if (o.timed) all.push_back(tables.seconds());
  return all;
}

}  // namespace geodescent::lab
