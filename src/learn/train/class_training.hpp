// One class against the rest: a training for each class. Internal to the library.
#pragma once

#include "geodescent/learn/train.hpp"
#include "learn/train/used_data.hpp"

namespace geodescent {

/// `train` for more than two classes and a loss of one prediction. The problems share the matrix,
/// so each class gets the bits of a training of its own. Several classes are trained at once, each
/// by one thread, as far as there are classes for half of the threads and the memory limit of the
/// method allows it.
TrainResult train_classes(const UsedData& data, const Risk& risk, const TrainOptions& options,
                          const Observer& observer);

}  // namespace geodescent
