// The constant of the accelerated methods, chosen for each data set as in the paper: the best power of two.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "comparison/cell.hpp"
#include "geodescent/data/dataset.hpp"

namespace geodescent::lab {

/// One regularisation of the data set that is tuned for.
struct TuningProblem {
  const Objective& f;
  const ReferenceMinimum& reference;
};

struct Tuning {
  int exponent = 0;  ///< smoothness = 2^exponent
  struct Candidate {
    int exponent;
    double score;  ///< infinite: given up, since it could no longer be the best
  };
  std::vector<Candidate> candidates;  ///< in the order in which they were tried
};

/// The power of two with the smallest sum, over the problems, of iterations to `accuracy`; one that is not reached
/// within the limit counts as the limit, and once more for every decade that is missing. Starts at `guess`, an estimate
/// of the smoothness, and goes down, and up if that was too small, until four powers in a row are worse; a power that
/// needs more than twice the iterations of the best so far on one problem is given up. No value when it was cancelled.
std::optional<Tuning> best_smoothness(const std::vector<TuningProblem>& problems, const Contender& method, double guess,
                                      double accuracy, const Limits& limits, const Cancelled& cancelled);

/// The largest eigenvalue of A'A/n, by power iteration, from below.
double largest_eigenvalue(const Dataset& data);

nlohmann::ordered_json to_json(const Tuning& tuning);
Tuning tuning_from_json(const nlohmann::ordered_json& json);

}  // namespace geodescent::lab
