// Runs of the methods on the worst-case function, and their rates.
#pragma once

#include <cstdint>
#include <functional>
#include <geodescent/optimize/method_choice.hpp>
#include <string>
#include <vector>

#include "experiments/worst_case/problem.hpp"

namespace geodescent::lab {

/// The progress of the experiment.
struct WorstCaseState {
  std::size_t n = 0;
  std::string method;
  std::uint64_t iteration = 0;
  double accuracy = 1;
};
/// Called after every iteration. Throwing ends the experiment.
using WorstCaseWatch = std::function<void(const WorstCaseState&)>;

struct WorstCaseTrace {
  std::size_t n = 0;
  std::string method;
  std::vector<double> accuracy;  ///< of the best point after iteration 0, 1, 2, ...
  std::vector<double> gap = {};  ///< relative gap proven by the method after the same iterations

  std::size_t last() const { return accuracy.size() - 1; }
  /// The first iteration with this accuracy; infinite if there is none.
  double iterations_to(double wanted) const;
  /// The same for the proven gap.
  double iterations_to_proof(double wanted) const;
  /// The least-squares slope of -log(accuracy) over the iterations from `first` to `last`.
  double rate(std::size_t first, std::size_t last) const;
  /// The mean slope between two accuracies; 0 if the second is not reached.
  double rate_between(double start, double end) const;
};

struct WorstCaseLimits {
  std::uint64_t iterations = 0;
  double accuracy = 0;  ///< the run stops when it is reached
  bool prove = false;   ///< and, with `prove`, proven by the method
};

WorstCaseTrace run_worst_case(const WorstCaseProblem& problem, const MethodChoice& method,
                              const WorstCaseLimits& limits, const WorstCaseWatch& watch);

}  // namespace geodescent::lab
