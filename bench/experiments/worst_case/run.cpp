#include "experiments/worst_case/run.hpp"

#include <algorithm>
#include <cmath>
#include <geodescent/optimize/minimize.hpp>
#include <limits>
#include <tuple>

#include "comparison/methods.hpp"

namespace geodescent::lab {

namespace {

double first_below(const std::vector<double>& values, double wanted) {
  const auto found = std::ranges::find_if(values, [&](double v) { return v <= wanted; });
  if (found == values.end()) return std::numeric_limits<double>::infinity();
  return static_cast<double>(found - values.begin());
}

}  // namespace

double WorstCaseTrace::iterations_to(double wanted) const { return first_below(accuracy, wanted); }

double WorstCaseTrace::iterations_to_proof(double wanted) const { return first_below(gap, wanted); }

double WorstCaseTrace::rate(std::size_t first, std::size_t last) const {
  const double count = static_cast<double>(last - first + 1);
  const double middle = 0.5 * static_cast<double>(first + last);
  double mean = 0;
  for (std::size_t k = first; k <= last; ++k) mean += std::log(accuracy[k]) / count;
  double covariance = 0;
  double variance = 0;
  for (std::size_t k = first; k <= last; ++k) {
    const double distance = static_cast<double>(k) - middle;
    covariance += distance * (std::log(accuracy[k]) - mean);
    variance += distance * distance;
  }
  return -covariance / variance;
}

double WorstCaseTrace::rate_between(double start, double end) const {
  return std::log(start / end) / (iterations_to(end) - iterations_to(start));
}

WorstCaseTrace run_worst_case(const WorstCaseProblem& problem, const MethodChoice& method,
                              const WorstCaseLimits& limits, const WorstCaseWatch& watch) {
  WorstCaseTrace trace{problem.dimension(), std::string(method.name()), {}, {}};
  Options options;
  options.gap_tolerance = 0;  // the exact minimum decides, below
  options.max_iterations = limits.iterations;
  double best = std::numeric_limits<double>::infinity();
  const MethodChoice planned = planned_for(method, limits.accuracy);
  std::ignore = minimize(problem.function(), planned, {}, options, [&](const Progress& progress) {
    best = std::min(best, problem.accuracy(*progress.method->iterate().x));
    trace.accuracy.push_back(best);
    trace.gap.push_back(progress.relative_gap());
    if (watch) watch({trace.n, trace.method, progress.iteration, best});
    return best > limits.accuracy || (limits.prove && trace.gap.back() > limits.accuracy);
  });
  return trace;
}

}  // namespace geodescent::lab
