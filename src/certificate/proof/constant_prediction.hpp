// The loss of a regression that predicts the same number for every row. Internal to the library.
#pragma once

#include "certificate/proof/problem.hpp"

namespace geodescent::proof {

/// sum_i c_i phi(b - y_i) at this b.
Bounded loss_of_constant(const Problem& problem, double b);
/// A lower bound that holds for every b, close to the smallest loss.
Bounded loss_of_best_constant(const Problem& problem);

}  // namespace geodescent::proof
