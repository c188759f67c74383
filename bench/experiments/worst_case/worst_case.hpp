// The worst-case experiment, section 4.2 of the paper.
#pragma once

#include "experiments/worst_case/run.hpp"
#include "report/report.hpp"

namespace geodescent::lab {

struct WorstCaseOptions {
  double beta = 1e4;
  std::vector<std::string> methods = {"sd", "afg", "afgwr", "lbfgs", "geod"};
  std::size_t large = 10'000;  ///< a dimension of which only the first `large_iterations` iterations are run
  std::uint64_t large_iterations = 1000;
  std::size_t medium = 200;
  std::size_t small = 100;
  std::uint64_t max_iterations = 200'000;  ///< on the small dimensions
  /// The accuracy at which runs on the small dimensions stop. Sums of n squares of size beta have
  /// rounding of about 1e-13 relative to f(0), which would determine further iterations.
  double stop_at = 1e-12;
};

Report worst_case_report(const WorstCaseOptions& options, const WorstCaseWatch& watch = {});

/// One dimension with its runs.
struct WorstCaseSize {
  WorstCaseProblem problem;
  std::vector<WorstCaseTrace> traces = {};

  /// nullptr if the method was not run.
  const WorstCaseTrace* of(std::string_view method) const;
};

struct WorstCaseSizes {
  const WorstCaseSize &large, &medium, &small;
};

/// The paper's statements about the experiment, judged by the runs.
std::vector<Claim> worst_case_claims(const WorstCaseSizes& sizes);

}  // namespace geodescent::lab
