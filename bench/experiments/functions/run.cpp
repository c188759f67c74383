#include "experiments/functions/run.hpp"

#include <algorithm>
#include <geodescent/optimize/minimize.hpp>
#include <limits>

namespace geodescent::lab {

double FunctionTrace::evaluations_to(double wanted) const {
  const auto found = std::ranges::find_if(accuracy, [&](double a) { return a <= wanted; });
  if (found == accuracy.end()) return std::numeric_limits<double>::infinity();
  return evaluations[static_cast<std::size_t>(found - accuracy.begin())];
}

FunctionTrace run_function(const FunctionReference& reference, const Contender& method, const FunctionsLimits& limits,
                           const FunctionsWatch& watch) {
  const TestProblem& problem = reference.problem();
  FunctionTrace trace{.method = method.text};
  Options options;
  options.gap_tolerance = 0;  // the known minimum decides, below
  options.max_iterations = limits.evaluations;
  double best = std::numeric_limits<double>::infinity();
  const Result result = minimize(problem.function(), method.method, problem.start, options, [&](const Progress& p) {
    best = std::min(best, reference.accuracy(*p.method->iterate().x));
    trace.evaluations.push_back(static_cast<double>(p.counts.function_evaluations));
    trace.accuracy.push_back(best);
    trace.estimated_gap.push_back(p.relative_gap());
    if (watch) watch({problem.name, method.text, p.counts.function_evaluations, best});
    return best > limits.accuracy && p.counts.function_evaluations < limits.evaluations;
  });
  trace.status = best <= limits.accuracy                        ? "accuracy"
                 : result.status == Status::stopped_by_observer ? "evaluation_limit"
                                                                : to_string(result.status);
  return trace;
}

FunctionStop stop_by_estimate(const FunctionReference& reference, const Contender& method, double tolerance,
                              std::uint64_t most_evaluations, const FunctionsWatch& watch) {
  const TestProblem& problem = reference.problem();
  Options options;
  options.gap_tolerance = tolerance;
  options.max_iterations = most_evaluations;
  const Result result = minimize(problem.function(), method.method, problem.start, options, [&](const Progress& p) {
    if (watch) watch({problem.name, method.text, p.counts.function_evaluations, p.relative_gap()});
    return p.counts.function_evaluations < most_evaluations;
  });
  const bool limited = result.status == Status::stopped_by_observer;
  return {.method = method.text,
          .status = limited ? "evaluation_limit" : std::string(to_string(result.status)),
          .evaluations = static_cast<double>(result.counts.function_evaluations),
          .estimated_gap = result.relative_gap(),
          .accuracy = reference.accuracy(result.x),
          .estimated_strong_convexity = result.estimated_strong_convexity.value_or(0)};
}

}  // namespace geodescent::lab
