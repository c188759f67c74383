// The claims about the test problems, with the thresholds that decide each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/functions/functions.hpp"
#include "report/style.hpp"

namespace geodescent::lab {
namespace {

constexpr double judged_at = 1e-6;
constexpr double no_more = 1.1;  // times the evaluations of L-BFGS still count as "no more"
constexpr double not_far = 1.5;  // up to this factor the claim holds in part
constexpr double honest = 10;    // a true gap above this multiple of the estimate is a wrong estimate
constexpr double mostly = 0.8;   // this share of the problems is "most"
constexpr const char* source = "beyond the paper";

const Contender* find(const FunctionsOptions& o, std::string_view text) {
  const auto found = std::ranges::find(o.methods, text, &Contender::text);
  return found == o.methods.end() ? nullptr : &*found;
}

std::size_t index_of(const FunctionsOptions& o, const Contender* method) {
  return static_cast<std::size_t>(method - o.methods.data());
}

std::size_t solved(const std::vector<double>& counts) {
  return static_cast<std::size_t>(std::ranges::count_if(counts, [](double c) { return std::isfinite(c); }));
}

Claim as_few_as(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs, std::string_view rival) {
  Claim claim{
      source,
      fmt::format("GeoD with memory, not knowing the strong convexity, needs no more evaluations than {}. "
                  "(Judged at accuracy {:.0e}: it solves as many problems, and the geometric mean of the ratios "
                  "is at most {:g}; in part: at most {:g}.)",
                  style_of(rival, 0).label, judged_at, no_more, not_far),
      ""};
  const Contender *ours = find(o, "geod-memory"), *theirs = find(o, rival);
  if (ours == nullptr || theirs == nullptr) {
    claim.measured = fmt::format("needs geod-memory and {}", rival);
    return claim;
  }
  const std::vector<double> a = evaluations_of(runs, index_of(o, ours), judged_at);
  const std::vector<double> b = evaluations_of(runs, index_of(o, theirs), judged_at);
  const double ratio = geometric_mean_of_ratios(a, b);
  std::size_t fewer = 0;
  for (std::size_t i = 0; i < a.size(); ++i) fewer += a[i] < b[i] ? 1 : 0;
  claim.measured = fmt::format("Solved: {} against {} of {}. The ratio is {:.3f} in the mean; fewer evaluations on {}.",
                               solved(a), solved(b), a.size(), ratio, fewer);
  const bool as_many = solved(a) >= solved(b);
  claim.verdict = as_many && ratio <= no_more   ? Verdict::holds
                  : as_many && ratio <= not_far ? Verdict::holds_in_part
                                                : Verdict::does_not_hold;
  return claim;
}

Claim solves_all(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs) {
  const double last = o.accuracies.back();
  Claim claim{source,
              fmt::format("GeoD with memory gets by without the strong convexity, also where there is none. (Judged: "
                          "accuracy {:.0e} on every problem; in part: on {:.0f} % of them.)",
                          last, 100 * mostly),
              ""};
  const Contender* const ours = find(o, "geod-memory");
  if (ours == nullptr) {
    claim.measured = "needs geod-memory";
    return claim;
  }
  const std::vector<double> counts = evaluations_of(runs, index_of(o, ours), last);
  std::string missed;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (!std::isfinite(counts[i])) missed += fmt::format(", {}", runs[i].reference.problem().name);
  claim.measured = fmt::format("Solved: {} of {}{}.", solved(counts), counts.size(),
                               missed.empty() ? "" : "; not solved: " + missed.substr(2));
  const double part = static_cast<double>(solved(counts)) / static_cast<double>(counts.size());
  claim.verdict = missed.empty() ? Verdict::holds : part >= mostly ? Verdict::holds_in_part : Verdict::does_not_hold;
  return claim;
}

Claim honest_estimate(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs) {
  Claim claim{
      source,
      fmt::format("When GeoD with memory stops because it estimates its relative gap at {:.0e}, the true one is "
                  "at most {:g} times the estimate. (Judged: on every problem on which it stops so, and it does "
                  "on all; in part: on {:.0f} % of all.)",
                  o.stop_tolerance, honest, 100 * mostly),
      ""};
  std::size_t good = 0, stopped = 0;
  double worst = 0;
  std::string who;
  for (const FunctionRuns& r : runs)
    for (const FunctionStop& stop : r.stops) {
      if (stop.status != "converged" || !std::isfinite(stop.estimated_gap)) continue;
      ++stopped;
      const double ratio = stop.accuracy / stop.estimated_gap;
      if (ratio <= honest) ++good;
      if (ratio > worst) worst = ratio, who = r.reference.problem().name;
    }
  if (runs.front().stops.empty()) {
    claim.measured = "needs geod-memory";
    return claim;
  }
  claim.measured = fmt::format(
      "It stops so on {} of {} problems, {} times with an honest estimate. The worst truth is "
      "{:.3g} times the estimate ({}).",
      stopped, runs.size(), good, worst, who.empty() ? "none" : who);
  const double part = static_cast<double>(good) / static_cast<double>(runs.size());
  claim.verdict = good == runs.size() ? Verdict::holds
                  : part >= mostly    ? Verdict::holds_in_part
                                      : Verdict::does_not_hold;
  return claim;
}

}  // namespace

std::vector<Claim> functions_claims(const FunctionsOptions& o, const std::vector<FunctionRuns>& runs) {
  return {as_few_as(o, runs, "lbfgs"), as_few_as(o, runs, "lbfgs:line-search=exact"), solves_all(o, runs),
          honest_estimate(o, runs)};
}

}  // namespace geodescent::lab
