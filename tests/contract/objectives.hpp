// The objectives on which every method is tested, and with which the contract of Objective is checked.
#pragma once

#include <vector>

#include "support/problems.hpp"

namespace geodescent::testing {

/// Dense and sparse quadratics, the worst case, every loss on dense and on sparse rows, losses of a user, and functions
/// of a user as one and as two callables.
std::vector<Problem> objectives();

/// A risk with the log-cosh loss of user_losses.hpp, which the library does not know.
Problem log_cosh_problem(Random& random, double lambda, const DataShape& shape);
/// The same with the soft hinge, of a width that is not its default.
Problem soft_hinge_problem(Random& random, double lambda, const DataShape& shape);

/// The paper's formula, section 4.2.
SmoothFunction worst_case_formula(std::size_t n, double beta);

inline bool has_image(const Problem& p) { return p.objective->oracle()->image_size() > 0; }

}  // namespace geodescent::testing
