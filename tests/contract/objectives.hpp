// The objectives of the tests of methods and of the contract of Objective.
#pragma once

#include <vector>

#include "support/problems.hpp"

namespace geodescent::testing {

/// Dense and sparse quadratics, the worst-case function, every loss on dense and on sparse rows,
/// several classes, losses of a user, and functions of a user as one and as two callables.
std::vector<Problem> objectives();

/// A risk with the log-cosh loss of user_losses.hpp, which is not in the library.
Problem log_cosh_problem(Random& random, double lambda, const DataShape& shape);
/// A risk with the soft hinge, with a width that is not the default.
Problem soft_hinge_problem(Random& random, double lambda, const DataShape& shape);

/// Multinomial logistic regression with the classes 0 to classes - 1, all of which occur.
Problem softmax_problem(Random& random, std::size_t classes, double lambda, const DataShape& shape, Bias bias);

/// The formula of section 4.2 of the paper.
SmoothFunction worst_case_formula(std::size_t n, double beta);

inline bool has_image(const Problem& p) { return p.objective->oracle()->image_size() > 0; }

}  // namespace geodescent::testing
