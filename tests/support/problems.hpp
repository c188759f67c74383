// Random problems, each in two forms: the library's objective, and the same function for the oracle (newton.hpp).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "geodescent/data/dataset.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/method.hpp"
#include "geodescent/optimize/objective.hpp"
#include "support/newton.hpp"
#include "support/random.hpp"

namespace geodescent::testing {

/// An objective of the library and what is true about it.
struct Problem {
  std::string name;
  std::shared_ptr<const Objective> objective;
  SmoothFunction truth;
};

/// Entries, row by row, as a matrix of the library: in full, or with zeros left out.
std::shared_ptr<const RowMatrix> rows_of(const Vector& entries, std::size_t columns, bool sparse);

// Quadratics ---------------------------------------------------------------------------------------------------------

/// 1/2 x'Qx - b.x + offset for a symmetric Q (row by row) whose eigenvalues are known to lie in [alpha, beta].
Problem quadratic_problem(std::string name, const Vector& q, const Vector& b, double offset, double alpha, double beta,
                          bool sparse);

/// A dense quadratic with these eigenvalues in random directions. The alpha and beta it claims are true of the rounded
/// entries: they are moved outwards a little.
Problem random_quadratic(Random& random, const Vector& spectrum);

/// A sparse quadratic: tridiagonal with random entries, diagonally dominant, so that its eigenvalues are above 1.
Problem sparse_quadratic(Random& random, std::size_t d);

/// d numbers from alpha to beta, evenly spaced in logarithm.
Vector spectrum(std::size_t d, double alpha, double beta);

// Regularised risks --------------------------------------------------------------------------------------------------

struct LossTerms {
  Real value, slope, curvature;
};

/// The losses from their definitions, piece by piece.
LossTerms loss_terms(std::string_view loss, Real z, Real y);
Real curvature_bound_of(std::string_view loss);
Task task_of(std::string_view loss);

struct DataShape {
  std::size_t rows = 40;
  std::size_t columns = 10;
  double density = 1;  ///< below 1: sparse rows with this part of the entries
  double scale = 1;    ///< of the entries
  double noise = 0.5;  ///< in the targets, relative to the signal: labels not separable, residuals not zero
  bool weighted = false;
  double shift = 0;  ///< added to the targets before they become classes: something for an intercept to find
};

/// Rows and targets in both forms. For classification the oracle's rows are multiplied by their labels.
struct RandomData {
  Dataset data;
  RealMatrix rows;
  RealVector targets;
};

RandomData random_data(Random& random, Task task, const DataShape& shape);
SmoothFunction true_risk(std::string_view loss, const RandomData& data, double lambda, Bias bias = Bias::none);
Problem risk_problem(Random& random, std::string_view loss, double lambda, const DataShape& shape = {},
                     Bias bias = Bias::none);

// Functions of a user ------------------------------------------------------------------------------------------------

/// The function computed in long double and rounded once: as precise as a user's function can be.
Problem user_problem(std::string name, const SmoothFunction& truth, bool tell_beta = true);

/// log sum exp(a_i.x + b_i) + alpha/2 |x|^2.
SmoothFunction log_sum_exp(Random& random, std::size_t terms, std::size_t d, double alpha);

/// sum of sqrt(1 + (a_i.x - b_i)^2) - 1, the pseudo-Huber loss, + alpha/2 |x|^2.
SmoothFunction pseudo_huber(Random& random, std::size_t terms, std::size_t d, double alpha);

/// factor f(M'(x - shift)) for an orthogonal M: the same function seen from elsewhere.
SmoothFunction transformed(const SmoothFunction& f, const RealMatrix& m, const RealVector& shift, Real factor);

// --------------------------------------------------------------------------------------------------------------------

/// Text that may be the name of a test.
std::string test_name(std::string_view text);
/// Of the losses in the table.
std::vector<std::string> loss_names();

}  // namespace geodescent::testing
