// Runs of the methods on the test problems, measured in evaluations of the function.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "comparison/methods.hpp"
#include "experiments/functions/reference.hpp"

namespace geodescent::lab {

/// The progress of the experiment.
struct FunctionsState {
  std::string_view problem;
  std::string_view method;  ///< empty during the computation of the minimum
  std::uint64_t evaluations = 0;
  double accuracy = 1;
};
/// Called after every iteration. Throwing ends the experiment.
using FunctionsWatch = std::function<void(const FunctionsState&)>;

/// The run of a method on a problem. An evaluation computes the value and the gradient.
struct FunctionTrace {
  std::string method;
  std::vector<double> evaluations = {};    ///< total after iteration 0, 1, 2, ...
  std::vector<double> accuracy = {};       ///< (f - f*) / (f(x0) - f*) of the best point so far
  std::vector<double> estimated_gap = {};  ///< the method's own estimate; infinite if it has none
  std::string status = {};                 ///< "accuracy" if the last one was reached, otherwise the status of the run

  /// The evaluations to reach this accuracy; infinite if it was not reached.
  double evaluations_to(double wanted) const;
};

struct FunctionsLimits {
  std::uint64_t evaluations = 10'000;
  double accuracy = 1e-10;  ///< the run stops when this is reached
};

FunctionTrace run_function(const FunctionReference& reference, const Contender& method, const FunctionsLimits& limits,
                           const FunctionsWatch& watch);

/// The result of a run that stops by the method's own estimate of the gap.
struct FunctionStop {
  std::string method;
  std::string status;
  double evaluations = 0;
  double estimated_gap = 0;  ///< relative, at the end
  double accuracy = 0;       ///< the true relative gap
  double estimated_strong_convexity = 0;
};

/// Runs the method until the relative gap that it estimates is at most `tolerance`.
FunctionStop stop_by_estimate(const FunctionReference& reference, const Contender& method, double tolerance,
                              std::uint64_t most_evaluations, const FunctionsWatch& watch);

}  // namespace geodescent::lab
