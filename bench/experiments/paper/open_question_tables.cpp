#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/paper/open_question.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

/// Empty for NaN.
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
                .caption = fmt::format("The better L-BFGS is chosen for each quantile and accuracy, and for each "
                                       "problem where problems are compared one by one: there the ratio is the "
                                       "geometric mean, and the largest, over those that both solve within {}.{}",
                                       text_of(o_.limits), about_beside()),
                .columns = {"accuracy", "over all problems", o_.methods[sides_.memory].text, "L-BFGS", "which L-BFGS",
                            "ratio", "aim"},
                .rows = {}};
    if (sides_.beside) {
      table.columns.push_back(fmt::format("{}, the default", o_.methods[*sides_.beside].text));
      table.columns.emplace_back("ratio of the default");
    }
    for (std::size_t a = 0; a < o_.accuracies.size(); ++a) {
      for (const double p : {0.5, 0.9}) table.rows.push_back(quantile_row(a, p));
      const OneByOne memory = one_by_one(sides_.memory, a);
      table.rows.push_back({o_.accuracies[a], "problem by problem", {}, {}, {}, entry(memory.mean), {}});
      table.rows.push_back({o_.accuracies[a], "worst problem", {}, {}, {}, entry(memory.worst), {}});
      if (!sides_.beside) continue;
      const OneByOne beside = one_by_one(*sides_.beside, a);
      table.rows.end()[-2].insert(table.rows.end()[-2].end(), {Entry(), entry(beside.mean)});
      table.rows.back().insert(table.rows.back().end(), {Entry(), entry(beside.worst)});
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

  std::vector<Entry> quantile_row(std::size_t accuracy, double p) const {
    const auto passes = [&](std::size_t m) { return quantile(costs(results_, m, accuracy, Measure::passes), p); };
    const Least lbfgs = least_quantile(results_, sides_, accuracy, p);
    const std::vector<Aim> aims = aims_for(o_.loss);
    const auto aim = std::ranges::find_if(
        aims, [&](const Aim& x) { return x.quantile == p && place_of(x.accuracy, o_.accuracies) == accuracy; });
    std::vector<Entry> row = {o_.accuracies[accuracy],
                              p == 0.5 ? "median" : "90 %",
                              entry(passes(sides_.memory)),
                              entry(lbfgs.cost),
                              o_.methods[lbfgs.method].text,
                              entry(ratio(passes(sides_.memory), lbfgs.cost)),
                              aim == aims.end() ? Entry() : Entry(aim->most)};
    if (sides_.beside)
      row.insert(row.end(), {entry(passes(*sides_.beside)), entry(ratio(passes(*sides_.beside), lbfgs.cost))});
    return row;
  }

  /// The search of the default, which may use more than gradients.
  std::string about_beside() const {
    if (!sides_.beside) return "";
    const auto along = [&](std::string_view search) {
      return std::ranges::count_if(results_.problems,
                                   [&](const Problem& p) { return p.cells[*sides_.beside].directions == search; });
    };
    return fmt::format(
        " The default chooses its directions: of {} problems it uses Hessians on {}, gradients on {} and "
        "quasi-Newton directions on {}. A pass that adds up a Hessian counts as one pass.",
        results_.problems.size(), along("newton"), along("gradients"), along("quasi-newton"));
  }

  /// Ratios of passes over the problems that both solve; NaN if there are none.
  struct OneByOne {
    double mean, worst;
  };
  OneByOne one_by_one(std::size_t method, std::size_t accuracy) const {
    double sum = 0, count = 0, worst = 0;
    for (const Problem& p : results_.problems) {
      const double r = ratio(amount(p.cells[method].reached[accuracy], Measure::passes),
                             least_on(p, sides_, accuracy, Measure::passes).cost);
      if (!(r > 0) || std::isinf(r)) continue;
      sum += std::log(r);
      worst = std::max(worst, r);
      ++count;
    }
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    return count > 0 ? OneByOne{std::exp(sum / count), worst} : OneByOne{nothing, nothing};
  }

  const ExperimentOptions& o_;
  const Results& results_;
  const Sides& sides_;
  std::size_t judged_;  ///< the index of the accuracy of proofs and seconds, or of the smallest accuracy
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
