// A training in segments, each of which begins from the model of the one before. Internal to the
// library.
#pragma once

#include <functional>

#include "geodescent/learn/train.hpp"

namespace geodescent {

/// Throws std::invalid_argument where the options ask for checkpoints.
void require_no_checkpoints(const TrainOptions& options);

/// Runs `segment` again and again, with options.checkpoints.every iterations each, until one of
/// them ends for another reason than this number. The result is that of the last one, with the
/// iterations, passes and seconds of all. Throws std::invalid_argument for a model to continue from
/// that does not belong to the training.
TrainResult train_in_segments(const Risk& risk, const TrainOptions& options, const Observer& observer,
                              const std::function<TrainResult(const TrainOptions&, const Observer&)>& segment);

}  // namespace geodescent
