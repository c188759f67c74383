// The question at the end of section 4.1 of the paper: can GeoD compete with L-BFGS if it
// intersects many balls? An ablation with m balls, m directions, both, and the m pairs of L-BFGS,
// each compared with GeoD with one ball.
#pragma once

#include <array>

#include "comparison/comparison.hpp"
#include "experiments/worst_case/run.hpp"

namespace geodescent::lab {

/// The parts of the last m points that a variant keeps.
enum class Kept { balls, directions, both, pairs };
inline constexpr std::array all_kept{Kept::balls, Kept::directions, Kept::both, Kept::pairs};

/// "balls alone", "directions alone", "balls and directions", "L-BFGS"
std::string name_of(Kept kept);
/// The variant as text for parse_method.
std::string method_of(Kept kept, std::size_t m);

struct BallsOptions {
  std::vector<std::size_t> sizes = {2, 5, 10, 30, 100};  ///< m, increasing
  double beta = 1e4;                                     ///< of the worst-case function,
  std::size_t dimension = 200;                           ///< and its dimension
  std::uint64_t iterations = 5000;                       ///< limit of a run on it
  double stop_at = 1e-8;                                 ///< proven gap that stops a run on it
};

/// GeoD with one ball, then each kind in each size.
std::vector<std::string> methods_of(const BallsOptions& options);
/// The index of a kind with size number `k` in this list.
std::size_t place_of(Kept kept, std::size_t k, const BallsOptions& options);

/// The runs on the worst-case function, in the order of methods_of.
std::vector<WorstCaseTrace> worst_case_traces(const BallsOptions& options, const WorstCaseWatch& watch = {});

struct BallsResults {
  Results data;
  std::vector<WorstCaseTrace> worst_case;
};

/// The cost of a method relative to GeoD with one ball, for each problem. Zero if only GeoD fails,
/// infinite if only the method fails, omitted if both fail.
std::vector<double> ratios_to_one_ball(const Results& results, std::size_t method, std::size_t accuracy,
                                       Measure measure, Goal goal);

std::vector<Claim> balls_claims(const BallsOptions& options, const ExperimentOptions& experiment,
                                const Results& results);
/// balls-ratios (against m), balls-proof and balls-worst-case (proven gap against iterations).
std::vector<Figure> balls_figures(const BallsOptions& options, const ExperimentOptions& experiment,
                                  const BallsResults& results);
/// balls-iterations, balls-passes and balls-worst-case.
std::vector<Table> balls_tables(const BallsOptions& options, const ExperimentOptions& experiment,
                                const BallsResults& results);

}  // namespace geodescent::lab
