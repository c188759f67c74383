// A regularisation path: the models for several strengths of the regularisation, each started from those before it.
#pragma once

#include <functional>
#include <span>

#include "geodescent/learn/train.hpp"

namespace geodescent {

/// `count` numbers from `high` down to `low`, evenly spaced in logarithm. Throws std::invalid_argument unless
/// 0 < low <= high and there is at least one (at least two when low < high).
[[nodiscard]] Vector path_values(double low, double high, std::size_t count);

/// What a path hands on; returns false to stop it.
using PathVisitor = std::function<bool(TrainResult&&)>;

/// Trains for each of the values of l2 in their order, which should be from strong to weak: then each start is close to
/// its goal. `risk.l2` and `options.initial` are not heeded.
void train_path(const Dataset& data, const Risk& risk, std::span<const double> l2, const TrainOptions& options,
                const PathVisitor& take, const Observer& observer = {});

}  // namespace geodescent
