// The question at the end of section 4.1 of the paper: would GeoD be competitive with L-BFGS, which
// has a memory, if it intersected many balls instead of two? This compares passes of GeoD with
// memory and of L-BFGS with memory 100. On equal terms GeoD has as much memory and uses only
// gradients. Its default, which may use Hessians, is shown as well.
#pragma once

#include "comparison/comparison.hpp"

namespace geodescent::lab {

/// GeoD with 100 balls and 100 directions, from gradients alone.
inline constexpr const char* equal_terms = "geod-memory:directions=gradients:memory=100:balls=100";

/// The compared methods, as indices into the methods of a run.
struct Sides {
  std::size_t memory = 0;  ///< geod-memory on equal terms, if that is part of the run, otherwise the first geod-memory
  std::vector<std::size_t> lbfgs;          ///< L-BFGS with memory 100, one entry per line search in the run
  std::optional<std::size_t> beside = {};  ///< the default of geod-memory, if it is not `memory`
};
/// Empty if one of the sides is missing.
std::optional<Sides> sides_of(const ExperimentOptions& options);

/// The cost of the better L-BFGS, and its index. If none reaches the goal the cost is infinite and
/// the index arbitrary.
struct Least {
  double cost = std::numeric_limits<double>::infinity();
  std::size_t method = 0;
};
/// The better L-BFGS on one problem.
Least least_on(const Problem& problem, const Sides& sides, std::size_t accuracy, Measure measure);
/// The L-BFGS with the smaller quantile of passes over all problems.
Least least_quantile(const Results& results, const Sides& sides, std::size_t accuracy, double p);

/// a / b with unsolved as infinite; NaN if the ratio is undefined.
double ratio(double a, double b);

/// The index of an accuracy in the list, if it is there.
std::optional<std::size_t> place_of(double accuracy, const std::vector<double>& accuracies);

/// A target for GeoD with memory: a quantile of its passes, relative to that of L-BFGS.
struct Aim {
  double quantile;
  double accuracy;
  double most;
};
std::vector<Aim> aims_for(const std::string& loss);

/// The allowed passes: 1.25 times those of L-BFGS plus 3. More are an exception, at any accuracy
/// from 1e-2 to 1e-8.
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
/// memory-ratios, memory-exceptions, memory-proof (with --prove), memory-seconds (if timed).
std::vector<Table> memory_tables(const ExperimentOptions& options, const Results& results, const Sides& sides);

/// Inserts these claims and tables at the beginning of a report, if both sides are part of the run.
void add_open_question(Report& report, const ExperimentOptions& options, const Results& results);

}  // namespace geodescent::lab
