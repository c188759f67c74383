// The losses of rows by their decision values. Internal to the library.
#pragma once

#include "geodescent/learn/losses.hpp"
#include "geodescent/learn/prediction.hpp"

namespace geodescent {

/// The loss of the model; null where it is unknown or does not fit the task.
const LossInfo* info_of_loss(const LinearModel& model);

/// The logarithm of the probability of the target's label, negated. Empty where that is the loss of
/// the model, or there are no probabilities.
LossFunction log_loss_unlike_loss(const LinearModel& model);

}  // namespace geodescent
