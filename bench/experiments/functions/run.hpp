// Runs of the methods on the test problems, counted in evaluations of the function.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "comparison/methods.hpp"
#include "experiments/functions/reference.hpp"

namespace geodescent::lab {

/// Where the experiment is, for those who wait for it.
struct FunctionsState {
  std::string_view problem;
  std::string_view method;  ///< empty while the minimum is computed
  std::uint64_t evaluations = 0;
  double accuracy = 1;
};
/// Called after every iteration. Throwing ends the experiment.
using FunctionsWatch = std::function<void(const FunctionsState&)>;

/// What one method did on one problem. An evaluation is one of the value and the gradient together.
struct FunctionTrace {
  std::string method;
  std::vector<double> evaluations = {};    ///< spent after iteration 0, 1, 2, ...
  std::vector<double> accuracy = {};       ///< (f - f*) / (f(x0) - f*) of the best point by then
  std::vector<double> estimated_gap = {};  ///< what the method itself believed: infinite where it has no idea
  std::string status = {};                 ///< "accuracy" when the last one was reached, else that of the run

  /// The evaluations after which it had this accuracy; infinite when it never had.
  double evaluations_to(double wanted) const;
};

struct FunctionsLimits {
  std::uint64_t evaluations = 10'000;
  double accuracy = 1e-10;  ///< the run stops when it is reached
};

FunctionTrace run_function(const FunctionReference& reference, const Contender& method, const FunctionsLimits& limits,
                           const FunctionsWatch& watch);

/// Whether a method that is left to itself stops at the right moment.
struct FunctionStop {
  std::string method;
  std::string status;
  double evaluations = 0;
  double estimated_gap = 0;  ///< relative, when it stopped
  double accuracy = 0;       ///< the truth
  double estimated_strong_convexity = 0;
};

/// Runs the method until the relative gap that it estimates is at most `tolerance`.
FunctionStop stop_by_estimate(const FunctionReference& reference, const Contender& method, double tolerance,
                              std::uint64_t most_evaluations, const FunctionsWatch& watch);

}  // namespace geodescent::lab
