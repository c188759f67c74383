// The question that section 4.1 of the paper ends with: would GeoD be competitive to L-BFGS, which remembers, if it
// intersected many balls instead of two? Here GeoD with memory is held against L-BFGS with memory 100, in passes. On
// equal terms it has as much memory and sees nothing but gradients; its default, which may use Hessians, stands beside.
#pragma once

#include "comparison/comparison.hpp"

namespace geodescent::lab {

/// GeoD with 100 balls and 100 directions, gradients alone.
inline constexpr const char* equal_terms = "geod-memory:directions=gradients:memory=100:balls=100";

/// The two sides, by their places among the methods of a run.
struct Sides {
  std::size_t memory = 0;          ///< geod-memory: on equal terms if that is part of the run, else the first one
  std::vector<std::size_t> lbfgs;  ///< L-BFGS with memory 100: one for each line search that is part of the run
  std::optional<std::size_t> beside = {};  ///< the default of geod-memory, when it is not the one above
};
/// Nothing when one of the sides is missing.
std::optional<Sides> sides_of(const ExperimentOptions& options);

/// What the better L-BFGS spends, and which one that is. Infinite, with any of them, where none gets there.
struct Least {
  double cost = std::numeric_limits<double>::infinity();
  std::size_t method = 0;
};
/// The better one on this very problem,
Least least_on(const Problem& problem, const Sides& sides, std::size_t accuracy, Measure measure);
/// and the one with the smaller quantile of passes over all problems.
Least least_quantile(const Results& results, const Sides& sides, std::size_t accuracy, double p);

/// a / b, where unsolved is infinite; not a number where there is nothing to compare.
double ratio(double a, double b);

/// The place of an accuracy in the list, if it is there.
std::optional<std::size_t> place_of(double accuracy, const std::vector<double>& accuracies);

/// What GeoD with memory is meant to achieve: a quantile of its passes, at most this many times that of L-BFGS.
struct Aim {
  double quantile;
  double accuracy;
  double most;
};
std::vector<Aim> aims_for(const std::string& loss);

/// More passes than 1.25 times those of L-BFGS plus 3 are one too many, at any accuracy from 1e-2 to 1e-8.
double passes_allowed(double of_lbfgs);
struct Exception {
  const Problem* problem;
  std::size_t accuracy;
  double passes;
  Least lbfgs;
};
std::vector<Exception> exceptions(const ExperimentOptions& options, const Results& results, const Sides& sides);

/// The accuracy of proofs and seconds.
inline constexpr double judged_accuracy = 1e-6;

std::vector<Claim> memory_claims(const ExperimentOptions& options, const Results& results, const Sides& sides);
/// memory-ratios, memory-exceptions, memory-proof (when proofs were asked for), memory-seconds (when timed).
std::vector<Table> memory_tables(const ExperimentOptions& options, const Results& results, const Sides& sides);

/// Puts these claims and tables before all others of a report, when both sides are part of the run.
void add_open_question(Report& report, const ExperimentOptions& options, const Results& results);

}  // namespace geodescent::lab
