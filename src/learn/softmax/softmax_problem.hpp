// What a softmax risk is made of, immutable and shared by all its oracles: multinomial logistic regression,
//     f(V, b) = 1/W sum_i c_i (log sum_k exp(z_ik) - z_iy_i) + lambda/2 |V|^2,   z_i = V'a_i + b,
// with row i of class y_i. Numbers of a column or a row stand together: coefficient (j, k) is number j K + k, and the
// image has z_ik without b at i K + k. With free intercepts the function is F(V) = min_b f(V, b).
#pragma once

#include <cstdint>
#include <vector>

#include "geodescent/learn/regularizer.hpp"
#include "learn/risk/risk_operator.hpp"
#include "matrix/row_space.hpp"

namespace geodescent {

struct SoftmaxProblem {
  static constexpr std::size_t most_classes = RiskOperator::chunk;

  /// The targets are 0, 1, ..., classes - 1. Throws InputError for other targets, and with free intercepts for a class
  /// without rows; std::invalid_argument for fewer than 2 or more than most_classes classes.
  SoftmaxProblem(const Dataset& data, L2 regularizer, std::size_t classes, Bias bias);

  double weight(std::size_t i) const { return weights.empty() ? 1 : weights[i]; }
  double smoothness_bound() const;

  std::size_t classes;
  L2 regularizer;
  RiskOperator data;
  RowSpace rows;
  std::vector<std::uint32_t> class_of;
  Vector weights;  // empty: all 1
  bool free_intercepts;
  Vector intercepts_at_zero;   // the optimal b of a model without features; their sum is 0
  double intercept_range = 0;  // a bound on the difference of two optimal intercepts
};

}  // namespace geodescent
