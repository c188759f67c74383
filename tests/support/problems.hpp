// Random problems, each in two forms: an objective of the library, and the same function for the
// reference (newton.hpp).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "geodescent/data/dataset.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/method.hpp"
#include "geodescent/optimize/objective.hpp"
#include "support/random.hpp"
#include "support/reference/newton.hpp"

namespace geodescent::testing {

/// An objective of the library, and its exact function.
struct Problem {
  std::string name;
  std::shared_ptr<const Objective> objective;
  SmoothFunction truth;
};

/// Entries, row by row, as a dense or sparse matrix.
std::shared_ptr<const RowMatrix> rows_of(const Vector& entries, std::size_t columns, bool sparse);

// Quadratics -------------------------------------------------------------------------------------

/// 1/2 x'Qx - b.x + offset for a symmetric Q, given row by row, whose eigenvalues lie in [alpha,
/// beta].
Problem quadratic_problem(std::string name, const Vector& q, const Vector& b, double offset, double alpha, double beta,
                          bool sparse);

/// A dense quadratic with these eigenvalues in random directions. Its alpha and beta are widened a
/// little, so that they hold for the rounded entries.
Problem random_quadratic(Random& random, const Vector& spectrum);

/// A sparse quadratic: tridiagonal with random entries, diagonally dominant, with eigenvalues above
/// 1.
Problem sparse_quadratic(Random& random, std::size_t d);

/// d numbers from alpha to beta, evenly spaced in the logarithm.
Vector spectrum(std::size_t d, double alpha, double beta);

// Regularised risks ------------------------------------------------------------------------------

struct LossTerms {
  Real value, slope, curvature;
};

/// The losses, written from their piecewise definitions.
LossTerms loss_terms(std::string_view loss, Real z, Real y);
Real curvature_bound_of(std::string_view loss);
Task task_of(std::string_view loss);

struct DataShape {
  std::size_t rows = 40;
  std::size_t columns = 10;
  double density = 1;  ///< share of nonzero entries; sparse rows if below 1
  double scale = 1;    ///< of the entries
  double noise = 0.5;  ///< in the targets, relative to the signal; makes classes inseparable and residuals nonzero
  bool weighted = false;
  double shift = 0;  ///< added to the targets before they become classes, so that the optimal intercept is not 0
};

/// Rows and targets in both forms. For classification the rows of the reference are multiplied by
/// their labels.
struct RandomData {
  Dataset data;
  RealMatrix rows;
  RealVector targets;
};

RandomData random_data(Random& random, Task task, const DataShape& shape);
SmoothFunction true_risk(std::string_view loss, const RandomData& data, double lambda, Bias bias = Bias::none);
Problem risk_problem(Random& random, std::string_view loss, double lambda, const DataShape& shape = {},
                     Bias bias = Bias::none);

// Functions of a user ----------------------------------------------------------------------------

/// The function computed in long double and rounded once, the best precision of a user's function.
Problem user_problem(std::string name, const SmoothFunction& truth, bool tell_beta = true);

/// log sum exp(a_i.x + b_i) + alpha/2 |x|^2.
SmoothFunction log_sum_exp(Random& random, std::size_t terms, std::size_t d, double alpha);

/// sum of sqrt(1 + (a_i.x - b_i)^2) - 1 (pseudo-Huber loss) + alpha/2 |x|^2.
SmoothFunction pseudo_huber(Random& random, std::size_t terms, std::size_t d, double alpha);

/// factor f(M'(x - shift)) for an orthogonal M: the same function in other coordinates.
SmoothFunction transformed(const SmoothFunction& f, const RealMatrix& m, const RealVector& shift, Real factor);

// ------------------------------------------------------------------------------------------------

/// Text that is valid as the name of a test.
std::string test_name(std::string_view text);
/// The names of all losses of the table.
std::vector<std::string> loss_names();

}  // namespace geodescent::testing
