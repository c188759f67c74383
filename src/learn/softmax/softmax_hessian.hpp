// The Hessian of a softmax risk in all its coefficients.
#pragma once

#include <array>

#include "learn/softmax/softmax_chunk.hpp"
#include "optimize/search/hessian.hpp"

namespace geodescent {

/// The blocks of rows that it is made of; the second are for rows with equal images.
std::array<parallel::Blocks, 2> softmax_hessian_blocks(const WholeMatrix& matrix, std::size_t columns,
                                                       std::size_t classes);
/// Whether so many ranks can make it (RiskOperator::hessian).
bool ranks_have_softmax_hessian(const WholeMatrix& matrix, std::size_t columns, std::size_t classes, std::size_t ranks);

/// Sets the members of the facts that describe the Hessian.
void add_hessian_facts(const RiskOperator& data, Facts& facts);

Hessian softmax_hessian_memory(const SoftmaxProblem& risk);

/// The Hessian of F at these images; with free intercepts at.b are the optimal ones.
void softmax_hessian(const SoftmaxProblem& risk, const SoftmaxImages& at, Hessian& h);

}  // namespace geodescent
