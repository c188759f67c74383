// The constant of the accelerated methods, tuned for each data set as in the paper: the best power
// of two.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "comparison/cell.hpp"
#include "geodescent/data/dataset.hpp"

namespace geodescent::lab {

/// One regularisation of the tuned data set.
struct TuningProblem {
  const Objective& f;
  const ReferenceMinimum& reference;
};

struct Tuning {
  int exponent = 0;  ///< smoothness = 2^exponent
  struct Candidate {
    int exponent;
    double score;  ///< infinite: abandoned, because it could not become the best
  };
  std::vector<Candidate> candidates;  ///< in the order of the trials
};

/// The power of two with the smallest total, over the problems, of iterations to `accuracy`. An
/// unreached accuracy counts as the limit, plus the limit for every missing decade. Starts at
/// `guess`, an estimate of the smoothness. Goes down, and up if that was too small, until four
/// powers in a row are worse. A power that needs more than twice the iterations of the best so far
/// on one problem is abandoned. Empty if cancelled.
std::optional<Tuning> best_smoothness(const std::vector<TuningProblem>& problems, const Contender& method, double guess,
                                      double accuracy, const Limits& limits, const Cancelled& cancelled);

/// The largest eigenvalue of A'A/n by power iteration, which approaches it from below.
double largest_eigenvalue(const Dataset& data);

nlohmann::ordered_json to_json(const Tuning& tuning);
Tuning tuning_from_json(const nlohmann::ordered_json& json);

}  // namespace geodescent::lab
