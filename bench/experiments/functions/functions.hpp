// The methods on the library's test problems, of which only convexity is known. Effort is measured
// in evaluations.
#pragma once

#include "experiments/functions/run.hpp"
#include "report/report.hpp"

namespace geodescent::lab {

struct FunctionsOptions {
  std::vector<Contender> methods;
  std::vector<std::string> problems;  ///< names of test problems
  std::vector<double> accuracies;     ///< of test problems
  std::uint64_t max_evaluations = 10'000;
  double stop_tolerance = 1e-6;  ///< relative gap by the method's own estimate, for runs that stop by themselves
};

/// One problem with its runs.
struct FunctionRuns {
  FunctionReference reference;
  std::vector<FunctionTrace> traces = {};  ///< one for each method
  std::vector<FunctionStop> stops = {};    ///< of the methods that estimate their gap
};

/// The test problems by default, with the default methods and the accuracies 1e-1 to 1e-10.
FunctionsOptions default_functions_options();

/// Throws std::invalid_argument for a method that needs the strong convexity.
void require_no_strong_convexity(const Contender& method);

Report functions_report(const FunctionsOptions& options, const FunctionsWatch& watch = {});

// The parts of the report.

/// The evaluations of a method on all problems at one accuracy; infinite where it was not reached.
std::vector<double> evaluations_of(const std::vector<FunctionRuns>& runs, std::size_t method, double accuracy);
/// The geometric mean of a[i] / b[i] where both are finite; NaN if there are none.
double geometric_mean_of_ratios(const std::vector<double>& a, const std::vector<double>& b);

/// The accuracies 1e-4, 1e-6 and 1e-8, as far as they were requested.
std::vector<double> shown_accuracies(const FunctionsOptions& options);

std::vector<Figure> functions_figures(const FunctionsOptions& options, const std::vector<FunctionRuns>& runs);
std::vector<Table> functions_tables(const FunctionsOptions& options, const std::vector<FunctionRuns>& runs);
std::vector<Claim> functions_claims(const FunctionsOptions& options, const std::vector<FunctionRuns>& runs);

}  // namespace geodescent::lab
