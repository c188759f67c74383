// The claims of section 4.2, with the thresholds that decide each.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/worst_case/worst_case.hpp"
#include "report/style.hpp"

namespace geodescent::lab {
namespace {

constexpr double same_order = 3;      // "the same rate with different constants": rates within this factor
constexpr double near_theory = 1.25;  // "the rate theory predicts": rates within this factor of it
constexpr double much_faster = 2;     // this multiple of the rate of AFG
constexpr double comparable = 2;      // this multiple of the iterations of L-BFGS
constexpr double same_league = 5;     // beyond "comparable", but of the same order
constexpr double at_once = 1.25;      // "at about iteration n": up to this multiple of n
constexpr double begin_late = 1e-5, end_late = 1e-10;  // late rates are measured between these accuracies

std::string label(const WorstCaseTrace& trace) { return style_of(trace.method, 0).label; }

std::string count(double iterations) {
  return std::isfinite(iterations) ? fmt::format("{:.0f}", iterations) : "not reached";
}

Claim not_measured(Claim claim, const std::string& why) {
  claim.measured = why;
  claim.verdict = Verdict::not_measured;
  return claim;
}

/// A window that excludes the beginning, which has a faster rate.
struct Window {
  std::size_t first, last;
};
Window early_window(const WorstCaseSize& size) {
  std::size_t last = std::min(size.traces.front().last(), size.problem.dimension() - 1);
  for (const WorstCaseTrace& trace : size.traces) last = std::min(last, trace.last());
  return {last / 5, last};
}

Claim same_early_rate(const WorstCaseSize& size) {
  const Window window = early_window(size);
  const double root = std::sqrt(size.problem.condition());
  Claim claim{
      "section 4.2",
      fmt::format("For the first n iterations every method except SD converges at the same rate, "
                  "1 - Theta(1/sqrt(kappa)), with different constants. (Judged for n = {}, iterations {} to {}: "
                  "fitted rates within a factor {:g} of each other, that of SD less than 1/{:g} of the slowest.)",
                  size.problem.dimension(), window.first, window.last, same_order, same_order),
      ""};
  const WorstCaseTrace* const sd = size.of("sd");
  double slowest = std::numeric_limits<double>::infinity();
  double fastest = 0;
  for (const WorstCaseTrace& trace : size.traces) {
    const double rate = trace.rate(window.first, window.last) * root;
    claim.measured += fmt::format("{} {:.2f}, ", label(trace), rate);
    if (&trace == sd || trace.method == "ball") continue;  // slow in theory: rate 1 - 1/kappa
    slowest = std::min(slowest, rate);
    fastest = std::max(fastest, rate);
  }
  if (sd == nullptr || fastest == 0) return not_measured(claim, "needs sd and another method");
  const double best = std::log(size.problem.best_possible(window.first) / size.problem.best_possible(window.last)) /
                      static_cast<double>(window.last - window.first) * root;
  claim.measured = fmt::format(
      "Rates in units of 1/sqrt(kappa) = 1/{:.0f}: {}and {:.2f} for the best possible. The fastest is {:.2f} times the "
      "slowest, SD left out.",
      root, claim.measured, best, fastest / slowest);
  const bool others = fastest <= same_order * slowest;
  const bool sd_slow = sd->rate(window.first, window.last) * root * same_order < slowest;
  claim.verdict = others && sd_slow   ? Verdict::holds
                  : others || sd_slow ? Verdict::holds_in_part
                                      : Verdict::does_not_hold;
  return claim;
}

Claim lower_bound(const WorstCaseSize& size) {
  const std::size_t last = std::min(early_window(size).last, size.problem.dimension() - 1);
  double closest = std::numeric_limits<double>::infinity();
  std::string who;
  for (const WorstCaseTrace& trace : size.traces) {
    for (std::size_t k = 1; k <= last; ++k) {
      const double ratio = trace.accuracy[k] / size.problem.best_possible(k + 1);
      if (ratio < closest) closest = ratio, who = label(trace);
    }
  }
  return {
      "section 4.2",
      fmt::format("Within the first n iterations no method that only uses gradients is faster than the lower bound. "
                  "(Judged for n = {}, every iteration to {}: no accuracy below the best one in the span of the "
                  "gradients used.)",
                  size.problem.dimension(), last),
      fmt::format("The closest is {}, at {:.3f} times the best possible accuracy.", who, closest),
      closest >= 1 - 1e-6 ? Verdict::holds : Verdict::does_not_hold};
}

/// A reason why late rates are undefined: a method finishes before iteration n.
std::string late_rates_missing(const WorstCaseSize& size) {
  for (const char* name : {"sd", "afg"}) {
    if (size.of(name) == nullptr) return fmt::format("needs {}", name);
  }
  for (const WorstCaseTrace& trace : size.traces) {
    if (trace.iterations_to(begin_late) < static_cast<double>(size.problem.dimension()))
      return fmt::format("{} has accuracy {:g} before iteration n: choose a larger beta", label(trace), begin_late);
  }
  return "";
}

Claim late_rates(const WorstCaseSize& size) {
  const WorstCaseProblem& p = size.problem;
  Claim claim{"section 4.2",
              fmt::format("After Theta(n) iterations SD and AFG go on at the rate of the theory while the others "
                          "converge much faster. (Judged for n = {}, mean rates from accuracy {:g} to {:g}: SD and AFG "
                          "within a factor {:g} of theory, the others at least {:g} times the rate of AFG.)",
                          p.dimension(), begin_late, end_late, near_theory, much_faster),
              ""};
  if (const std::string why = late_rates_missing(size); !why.empty()) return not_measured(claim, why);
  // For a quadratic, exact line searches reduce f - f* by ((kappa_n - 1)/(kappa_n + 1))^2 per
  // iteration, with kappa_n the ratio of the eigenvalues. Constant momentum (1 - r)/(1 + r), r =
  // sqrt(alpha/L), reduces it by that factor.
  const double ratio = p.largest_eigenvalue() / p.smallest_eigenvalue();
  const double sd_theory = -2 * std::log((ratio - 1) / (ratio + 1));
  const double r = 1 / std::sqrt(p.condition());
  const double afg_theory = -std::log((1 - r) / (1 + r));
  const double sd = size.of("sd")->rate_between(begin_late, end_late) / sd_theory;
  const double afg_rate = size.of("afg")->rate_between(begin_late, end_late);
  const double afg = afg_rate / afg_theory;
  const auto near = [](double x) { return x > 1 / near_theory && x < near_theory; };
  std::string others;
  int fast = 0;
  int slow = 0;
  for (const WorstCaseTrace& trace : size.traces) {
    if (trace.method == "sd" || trace.method == "afg" || trace.method == "ball") continue;
    const double times = trace.rate_between(begin_late, end_late) / afg_rate;
    others += fmt::format("{}{} {:.1f}", others.empty() ? "" : ", ", label(trace), times);
    ++(times >= much_faster ? fast : slow);
  }
  claim.measured = fmt::format("Rate over that of the theory: SD {:.3f}, AFG {:.3f}. Rate over that of AFG: {}.", sd,
                               afg, others.empty() ? "no other method was run" : others);
  const bool slow_ones = near(sd) && near(afg);
  claim.verdict = slow_ones && slow == 0  ? Verdict::holds
                  : slow_ones || fast > 0 ? Verdict::holds_in_part
                                          : Verdict::does_not_hold;
  return claim;
}

Claim lbfgs_ends(const WorstCaseSize& small, const WorstCaseSize& medium) {
  const double n = static_cast<double>(small.problem.dimension());
  Claim claim{"section 4.2",
              fmt::format("With n = {:.0f}, no more than its memory of 100, L-BFGS ends at about iteration n. (Judged: "
                          "accuracy {:g} by iteration {:g} n.)",
                          n, end_late, at_once),
              ""};
  const WorstCaseTrace* const here = small.of("lbfgs");
  if (here == nullptr) return not_measured(claim, "needs lbfgs");
  const double needed = here->iterations_to(end_late);
  claim.measured = fmt::format("Accuracy {:g} after {} iterations, {:g} after {}; with n = {} after {}.", end_late,
                               count(needed), begin_late, count(here->iterations_to(begin_late)),
                               medium.problem.dimension(), count(medium.of("lbfgs")->iterations_to(end_late)));
  claim.verdict = needed <= at_once * n ? Verdict::holds : Verdict::does_not_hold;
  return claim;
}

Claim short_memory(const WorstCaseSize& size) {
  Claim claim{
      "section 4.2",
      fmt::format("AFGwR and GeoD, which remember one step only, achieve a result comparable to that of L-BFGS. "
                  "(Judged for n = {}: iterations to {:g} within a factor {:g}; in part: within {:g}.)",
                  size.problem.dimension(), end_late, comparable, same_league),
      ""};
  const WorstCaseTrace* const lbfgs = size.of("lbfgs");
  if (lbfgs == nullptr || size.of("afgwr") == nullptr || size.of("geod") == nullptr)
    return not_measured(claim, "needs lbfgs, afgwr and geod");
  double worst = 0;
  claim.measured = fmt::format("Iterations to {:g}: L-BFGS {}", end_late, count(lbfgs->iterations_to(end_late)));
  for (const char* name : {"afgwr", "geod"}) {
    const double needed = size.of(name)->iterations_to(end_late);
    const double times = needed / lbfgs->iterations_to(end_late);
    worst = std::max(worst, times);
    claim.measured += fmt::format(", {} {} ({:.1f} times as many)", label(*size.of(name)), count(needed), times);
  }
  if (const WorstCaseTrace* const afg = size.of("afg"))
    claim.measured += fmt::format("; for comparison AFG {}", count(afg->iterations_to(end_late)));
  claim.measured += ".";
  claim.verdict = worst <= comparable    ? Verdict::holds
                  : worst <= same_league ? Verdict::holds_in_part
                                         : Verdict::does_not_hold;
  return claim;
}

}  // namespace

std::vector<Claim> worst_case_claims(const WorstCaseSizes& sizes) {
  return {same_early_rate(sizes.large), lower_bound(sizes.large), late_rates(sizes.medium),
          lbfgs_ends(sizes.small, sizes.medium), short_memory(sizes.medium)};
}

}  // namespace geodescent::lab
