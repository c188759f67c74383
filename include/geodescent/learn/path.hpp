// A regularisation path: the models for several strengths of the regularisation, each started from
// those before it.
#pragma once

#include <functional>
#include <span>

#include "geodescent/learn/train.hpp"

namespace geodescent {

/// `count` numbers from `high` down to `low`, evenly spaced in logarithm. Throws
/// std::invalid_argument unless 0 < low <= high and there is at least one (at least two when low <
/// high).
[[nodiscard]] Vector path_values(double low, double high, std::size_t count);

/// Receives each model of a path; returns false to stop it.
using PathVisitor = std::function<bool(TrainResult&&)>;

/// Trains for each of the values of l2 in their order. They should decrease: then each model is a
/// good start for the next one. `risk.l2` and `options.initial` are ignored.
void train_path(const Dataset& data, const Risk& risk, std::span<const double> l2, const TrainOptions& options,
                const PathVisitor& take, const Observer& observer = {});

}  // namespace geodescent
