// The question that section 4.1 of the paper ends with, taken literally: does GeoD compete with L-BFGS if it intersects
// many balls instead of two? An ablation: m balls alone, m directions alone, both, and the m pairs of L-BFGS, each
// against GeoD with one ball.
#pragma once

#include <array>

#include "comparison/comparison.hpp"
#include "experiments/worst_case/run.hpp"

namespace geodescent::lab {

/// What a variant keeps of m earlier points.
enum class Kept { balls, directions, both, pairs };
inline constexpr std::array all_kept{Kept::balls, Kept::directions, Kept::both, Kept::pairs};

/// "balls alone", "directions alone", "balls and directions", "L-BFGS"
std::string name_of(Kept kept);
/// The variant as parse_method reads it.
std::string method_of(Kept kept, std::size_t m);

struct BallsOptions {
  std::vector<std::size_t> sizes = {2, 5, 10, 30, 100};  ///< m, increasing
  double beta = 1e4;                                     ///< of the worst-case function,
  std::size_t dimension = 200;                           ///< and its dimension
  std::uint64_t iterations = 5000;                       ///< limit of a run on it
  double stop_at = 1e-8;                                 ///< proven gap that ends a run on it
};

/// GeoD with one ball, then each kind with each size.
std::vector<std::string> methods_of(const BallsOptions& options);
/// The place among these of a kind with the size number `k`.
std::size_t place_of(Kept kept, std::size_t k, const BallsOptions& options);

/// The runs on the worst-case function, in the order of methods_of.
std::vector<WorstCaseTrace> worst_case_traces(const BallsOptions& options, const WorstCaseWatch& watch = {});

struct BallsResults {
  Results data;
  std::vector<WorstCaseTrace> worst_case;
};

/// Costs of a method over those of GeoD with one ball, problem by problem. Zero where only GeoD fails, infinite where
/// only the method fails, left out where both fail.
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
