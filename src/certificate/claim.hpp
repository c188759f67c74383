// The claim about a model and one problem: three numbers and the dual point that proves them.
// Internal to the library.
#pragma once

#include <optional>
#include <span>

#include "certificate/proof/prove.hpp"
#include "certificate/softmax/softmax.hpp"

namespace geodescent {

/// Takes as few bytes per dual value as keep the gap nearly as small as these slopes allow. Without
/// slopes, those at the model are used. `lower_bound`: Known::lower_bound.
Claim claim_for(const proof::Problem& problem, const LinearModel& model, std::span<const double> slopes,
                std::optional<double> lower_bound);
/// The targets of the problem are the numbers of their classes.
Claim claim_for(const proof::SoftmaxProblem& problem, const LinearModel& model, std::span<const double> slopes,
                std::optional<double> lower_bound);

}  // namespace geodescent
