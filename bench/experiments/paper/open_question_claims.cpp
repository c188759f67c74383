#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text/outward_text.hpp"
#include "experiments/paper/open_question.hpp"
#include "report/statistics.hpp"

namespace geodescent::lab {
namespace {

constexpr const char* question = "section 4.1, question";
constexpr double proof_lambda = 1e-4;
constexpr double proof_most = 1.5;

std::string text_of_quantile(double p) { return p == 0.5 ? "median" : "90th percentile"; }

/// A verdict that counts every problem: at most one failure in ten is "in part".
Verdict judged_strictly(std::size_t failing, std::size_t all) {
  if (all == 0) return Verdict::not_measured;
  if (failing == 0) return Verdict::holds;
  return 10 * failing <= all ? Verdict::holds_in_part : Verdict::does_not_hold;
}

class Claims {
 public:
  Claims(const ExperimentOptions& o, const Results& results, const Sides& sides)
      : o_(o), results_(results), sides_(sides) {}

  Claim fewer_passes(double p) const {
    std::vector<std::string> wanted, found;
    std::size_t holding = 0, all = 0;
    for (const Aim& aim : aims_for(o_.loss)) {
      if (aim.quantile != p) continue;
      wanted.push_back(fmt::format("{:g} at {:.0e}", aim.most, aim.accuracy));
      const auto a = place_of(aim.accuracy, o_.accuracies);
      if (!a) continue;
      const double passes = quantile(costs(results_, sides_.memory, *a, Measure::passes), p);
      const Least lbfgs = least_quantile(results_, sides_, *a, p);
      const double r = ratio(passes, lbfgs.cost);
      if (std::isnan(r)) continue;
      ++all;
      holding += r <= aim.most;
      found.push_back(fmt::format("{:g} : {:g} at {:.0e}, {:.2f} times {}", passes, lbfgs.cost, aim.accuracy, r,
                                  o_.methods[lbfgs.method].text));
    }
    return {
        question,
        fmt::format("{} is competitive to L-BFGS with memory 100: {} of the passes over all problems. (Judged: as a "
                    "part of that of the better L-BFGS at most {}; in part: at half of these points.)",
                    who(), text_of_quantile(p), fmt::join(wanted, ", ")),
        found.empty() ? "neither gets as far in this run" : fmt::format("{}", fmt::join(found, "; ")),
        judged(holding, all)};
  }

  Claim no_exceptions() const {
    const std::size_t on_problem = problems_in(exceptions(o_, results_, sides_));
    // The better L-BFGS over the whole suite. It is an easier rival than one chosen for each
    // problem.
    const std::size_t a = place_of(judged_accuracy, o_.accuracies).value_or(o_.accuracies.size() - 1);
    const std::size_t better = least_quantile(results_, sides_, a, 0.5).method;
    const std::size_t on_suite = problems_in(exceptions(o_, results_, {sides_.memory, {better}}));
    return {question,
            "On no problem does it need more than 1.25 times the passes of L-BFGS with memory 100, plus 3, at any "
            "accuracy from 1e-2 to 1e-8. (Judged: against the line search that is better on that very problem; in "
            "part: on nine of ten problems.)",
            fmt::format("{} of {} problems are exceptions; {} against {}, the better one in the median at {:.0e}",
                        on_problem, results_.problems.size(), on_suite, o_.methods[better].text, o_.accuracies[a]),
            judged_strictly(on_problem, results_.problems.size())};
  }

  Claim everything_proven() const {
    Claim claim{question,
                "It proves a relative gap of 1e-6 on every problem where double precision allows that. (Judged: where "
                "it does not, its run ends at the precision, and no other method of the run proves it; in part: on "
                "nine of ten problems.)",
                beyond_the_run(), Verdict::not_measured};
    const auto a = place_of(judged_accuracy, o_.accuracies);
    if (!a) return claim;
    std::size_t proven = 0;
    std::vector<std::string> precision, failed;
    for (const Problem& p : results_.problems) {
      const Cell& cell = p.cells[sides_.memory];
      const bool by_another = std::ranges::any_of(p.cells, [&](const Cell& c) { return c.proven[*a].has_value(); });
      const std::string name = fmt::format("{} at {:g} ({})", p.data, p.lambda, text_above(cell.relative_gap, 2));
      if (cell.proven[*a])
        ++proven;
      else
        (cell.status == to_string(Status::precision_limit) && !by_another ? precision : failed).push_back(name);
    }
    claim.measured = fmt::format("proven on {} of {} problems", proven, results_.problems.size());
    if (!precision.empty())
      claim.measured += fmt::format("; double precision does not allow it on {}", fmt::join(precision, ", "));
    if (!failed.empty()) claim.measured += fmt::format("; not proven although it can be: {}", fmt::join(failed, ", "));
    claim.verdict = judged_strictly(failed.size(), results_.problems.size());
    return claim;
  }

  Claim proven_soon() const {
    Claim claim{question,
                fmt::format("At lambda = {:g} its proof of 1e-6 takes hardly more than getting there. (Judged: the "
                            "median of the passes to the proof is at most {} times that to the accuracy.)",
                            proof_lambda, proof_most),
                beyond_the_run(), Verdict::not_measured};
    const auto a = place_of(judged_accuracy, o_.accuracies);
    Results there;
    for (const Problem& p : results_.problems)
      if (p.lambda == proof_lambda) there.problems.push_back(p);
    if (!a || there.problems.empty()) return claim;
    const double reached = quantile(costs(there, sides_.memory, *a, Measure::passes), 0.5);
    const double proven = quantile(costs(there, sides_.memory, *a, Measure::passes, Goal::proof), 0.5);
    const double r = ratio(proven, reached);
    claim.measured = fmt::format("{:g} passes to the proof, {:g} to the accuracy, {:.2f} times as many, on {} problems",
                                 proven, reached, r, there.problems.size());
    if (!std::isnan(r)) claim.verdict = r <= proof_most ? Verdict::holds : Verdict::does_not_hold;
    return claim;
  }

 private:
  std::string who() const {
    return o_.methods[sides_.memory].text == equal_terms ? "GeoD with 100 balls and directions, gradients alone,"
                                                         : "GeoD that remembers many balls";
  }

  static std::string beyond_the_run() { return "this is not part of the run"; }

  static std::size_t problems_in(const std::vector<Exception>& found) {
    std::set<const Problem*> problems;
    for (const Exception& e : found) problems.insert(e.problem);
    return problems.size();
  }

  const ExperimentOptions& o_;
  const Results& results_;
  const Sides& sides_;
};

}  // namespace

std::vector<Claim> memory_claims(const ExperimentOptions& o, const Results& results, const Sides& sides) {
  const Claims claims(o, results, sides);
  std::vector<Claim> all = {claims.fewer_passes(0.5), claims.fewer_passes(0.9), claims.no_exceptions()};
  if (o.prove) {
    all.push_back(claims.everything_proven());
    all.push_back(claims.proven_soon());
  }
  return all;
}

}  // namespace geodescent::lab
