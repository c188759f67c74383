// Multinomial logistic regression for the oracles: minima in long double (newton.hpp), values and
// bounds in 113 bits. Shares nothing with the library. Numbers of a column or a row stand together,
// as in the library.
#pragma once

#include "geodescent/certificate.hpp"
#include "support/reference/newton.hpp"
#include "support/reference/quad.hpp"

namespace geodescent::testing {

/// Rows in full, classes 0 to K - 1.
struct SoftmaxData {
  Dataset data;
  std::size_t classes = 3;
  Bias bias = Bias::none;  ///< regularized: the data have the constant column
  double l2 = 1;

  std::size_t columns() const { return data.rows->columns(); }
  std::size_t rows() const { return data.targets.size(); }
  std::size_t class_of(std::size_t i) const { return static_cast<std::size_t>(data.targets[i]); }
  double weight(std::size_t i) const { return data.weights.empty() ? 1 : data.weights[i]; }
  double entry(std::size_t i, std::size_t j) const;
  Real total_weight() const;
};

/// f as a function of the coefficients; free intercepts are minimised over.
SmoothFunction true_softmax(const SoftmaxData& data);
/// The free intercepts that minimise f at these coefficients, with sum 0.
RealVector best_intercepts(const SoftmaxData& data, const RealVector& coefficients);

/// f. No intercepts: none.
Quad softmax_value(const SoftmaxData& data, const Vector& coefficients, const Vector& intercepts);
/// What roundings of f are relative to: predictions as large as their terms.
Quad softmax_magnitude(const SoftmaxData& data, const Vector& coefficients, const Vector& intercepts);
/// D(v), without max(., 0), and the size of the terms that it adds up.
struct QuadBound {
  Quad value, magnitude;
};
QuadBound softmax_bound(const SoftmaxData& data, const DualPoint& dual);

}  // namespace geodescent::testing
