// The Hessian of a softmax risk in all its coefficients.
#pragma once

#include "learn/softmax/softmax_chunk.hpp"
#include "optimize/search/hessian.hpp"

namespace geodescent {

/// Sets the members of the facts that describe the Hessian.
void add_hessian_facts(const RiskOperator& data, Facts& facts);

Hessian softmax_hessian_memory(const SoftmaxProblem& risk);

/// The Hessian of F at these images; with free intercepts at.b are the optimal ones.
void softmax_hessian(const SoftmaxProblem& risk, const SoftmaxImages& at, Hessian& h);

}  // namespace geodescent
