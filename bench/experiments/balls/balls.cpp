#include "experiments/balls/balls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace geodescent::lab {

std::string name_of(Kept kept) {
  switch (kept) {
    case Kept::balls:
      return "balls alone";
    case Kept::directions:
      return "directions alone";
    case Kept::both:
      return "balls and directions";
    case Kept::pairs:
      return "L-BFGS";
  }
  return "";
}

std::string method_of(Kept kept, std::size_t m) {
  switch (kept) {
    case Kept::balls:
      return fmt::format("geod:balls={}", m);
    case Kept::directions:
      return fmt::format("geod-memory:directions=gradients:memory={}:balls=1:pairs=0", m);
    case Kept::both:
      return fmt::format("geod-memory:directions=gradients:memory={0}:balls={0}:pairs=0", m);
    case Kept::pairs:
      return fmt::format("lbfgs:memory={}", m);
  }
  return "";
}

std::vector<std::string> methods_of(const BallsOptions& o) {
  std::vector<std::string> methods = {"geod"};
  for (const Kept kept : all_kept)
    for (const std::size_t m : o.sizes) methods.push_back(method_of(kept, m));
  return methods;
}

std::size_t place_of(Kept kept, std::size_t k, const BallsOptions& o) {
  return 1 + static_cast<std::size_t>(kept) * o.sizes.size() + k;
}

std::vector<WorstCaseTrace> worst_case_traces(const BallsOptions& o, const WorstCaseWatch& watch) {
  const WorstCaseProblem problem(o.dimension, o.beta);
  const WorstCaseLimits limits{.iterations = o.iterations, .accuracy = o.stop_at, .prove = true};
  std::vector<WorstCaseTrace> traces;
  for (const Contender& choice : parse_methods(methods_of(o)))
    traces.push_back(run_worst_case(problem, choice.method, limits, watch));
  return traces;
}

std::vector<double> ratios_to_one_ball(const Results& results, std::size_t method, std::size_t accuracy,
                                       Measure measure, Goal goal) {
  const std::vector<double> of_method = costs(results, method, accuracy, measure, goal);
  const std::vector<double> of_geod = costs(results, 0, accuracy, measure, goal);
  std::vector<double> ratios;
  for (std::size_t p = 0; p < of_method.size(); ++p) {
    const double ratio = of_method[p] / of_geod[p];
    if (!std::isnan(ratio)) ratios.push_back(ratio);
  }
  return ratios;
}

}  // namespace geodescent::lab
