#include "experiments/functions/functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace geodescent::lab {
namespace {

constexpr std::string_view estimating_method = "geod-memory";

FunctionRuns run_problem(const TestProblem& problem, const FunctionsOptions& o, const FunctionsWatch& watch) {
  // The watch may throw, which also ends the long computation of a minimum.
  const auto go_on = [&] {
    if (watch) watch({.problem = problem.name, .method = {}});
    return false;
  };
  FunctionRuns runs{FunctionReference(problem, go_on)};
  for (const Contender& method : o.methods) {
    runs.traces.push_back(run_function(runs.reference, method, {o.max_evaluations, o.accuracies.back()}, watch));
    if (method.method.name() == estimating_method)
      runs.stops.push_back(stop_by_estimate(runs.reference, method, o.stop_tolerance, o.max_evaluations, watch));
  }
  return runs;
}

void warn_of_loose_minima(Report& report, const FunctionsOptions& o, const std::vector<FunctionRuns>& runs) {
  std::string loose;
  for (const FunctionRuns& r : runs)
    if (!(r.reference.relative_error() <= 0.01 * o.accuracies.back()))
      loose += fmt::format(" {} (error {:.1e});", r.reference.problem().name, r.reference.relative_error());
  if (!loose.empty())
    report.warnings.push_back(fmt::format("Not all minima are known to 1 % of the smallest accuracy:{}", loose));
}

}  // namespace

FunctionsOptions default_functions_options() {
  FunctionsOptions o;
  o.methods = parse_methods({"geod-memory", "lbfgs", "lbfgs:line-search=exact", "lbfgs:memory=10", "sd"});
  for (const TestProblem& problem : test_problems()) o.problems.emplace_back(problem.name);
  for (int digits = 1; digits <= 10; ++digits) o.accuracies.push_back(std::pow(10.0, -digits));
  return o;
}

void require_no_strong_convexity(const Contender& method) {
  // The method itself throws if it needs the strong convexity.
  const FunctionObjective square({.dimension = 1}, [](std::span<const double> x, std::span<double> g) {
    g[0] = 2 * x[0];
    return x[0] * x[0];
  });
  method.method.make()->start(*square.oracle(), Vector{1});
}

Report functions_report(const FunctionsOptions& o, const FunctionsWatch& watch) {
  for (const Contender& method : o.methods) require_no_strong_convexity(method);
  std::vector<FunctionRuns> runs;
  for (const std::string& name : o.problems) runs.push_back(run_problem(test_problem(name), o, watch));

  Report report;
  report.name = "functions";
  report.title = "Functions of which only convexity is known";
  report.lead = fmt::format(
      "{} methods minimise {} test problems of the library: smooth, convex, ill-conditioned, not quadratic. They see "
      "values and gradients and know no strong convexity. The cost is the number of evaluations (value and gradient "
      "together, those of line searches included) until (f - f*) / (f(x0) - f*) has each accuracy; f* is computed by "
      "Newton's method in long double. What GeoD with memory says about its own gap is an estimate then, and is "
      "compared with the truth.",
      o.methods.size(), o.problems.size());
  std::vector<std::string> names;
  for (const Contender& method : o.methods) names.push_back(method.text);
  report.facts = {
      {"methods", fmt::format("{}", fmt::join(names, ", "))},
      {"limit of a run", fmt::format("accuracy {:.0e} or {} evaluations", o.accuracies.back(), o.max_evaluations)}};
  report.figures = functions_figures(o, runs);
  report.claims = functions_claims(o, runs);
  report.tables = functions_tables(o, runs);
  warn_of_loose_minima(report, o, runs);
  return report;
}

std::vector<double> evaluations_of(const std::vector<FunctionRuns>& runs, std::size_t method, double accuracy) {
  std::vector<double> counts;
  for (const FunctionRuns& r : runs) counts.push_back(r.traces[method].evaluations_to(accuracy));
  return counts;
}

std::vector<double> shown_accuracies(const FunctionsOptions& o) {
  std::vector<double> shown;
  for (const double accuracy : o.accuracies)
    for (const double wanted : {1e-4, 1e-6, 1e-8})
      if (std::abs(accuracy / wanted - 1) < 1e-6) shown.push_back(accuracy);
  return shown;
}

double geometric_mean_of_ratios(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!std::isfinite(a[i]) || !std::isfinite(b[i])) continue;
    sum += std::log(a[i] / b[i]);
    ++count;
  }
  return std::exp(sum / count);
}

}  // namespace geodescent::lab
