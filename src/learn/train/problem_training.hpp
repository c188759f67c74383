// The training of one problem: a risk with one column of coefficients, or softmax with one for each
// class. Internal to the library.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "geodescent/learn/train.hpp"
#include "learn/train/used_data.hpp"

namespace geodescent {

/// `train` for data with a constant column where the risk needs one, and a loss parameter.
/// `classes`: those of softmax; empty for other losses.
TrainResult train_problem(const UsedData& data, const Risk& risk, const std::vector<ClassRows>& classes,
                          const TrainOptions& options, const Observer& observer);

/// The risk as a function of all coefficients. `expected_intercepts`: where the search for free
/// ones starts; empty: at those of a model without features.
std::unique_ptr<Objective> objective_of(const Dataset& data, const Risk& risk, const std::vector<ClassRows>& classes,
                                        std::span<const double> expected_intercepts = {});

/// Sets the claims of the model to those of the certificate.
void state_claims(TrainResult& trained);

}  // namespace geodescent
