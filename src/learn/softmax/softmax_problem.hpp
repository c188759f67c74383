// The parts of a softmax risk, immutable and shared by its oracles: multinomial logistic
// regression,
//     f(V, b) = 1/W sum_i c_i (log sum_k exp(z_ik) - z_iy_i) + lambda/2 |V|^2,  z_i = V'a_i + b,
// for row i of class y_i. The numbers of a column or a row are adjacent: coefficient (j, k) has the
// index j K + k, and z_ik without b the index i K + k of the image. With free intercepts the
// function is F(V) = min_b f(V, b).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "learn/linear/linear_problem.hpp"

namespace geodescent {

struct SoftmaxProblem : LinearProblem {
  static constexpr std::size_t most_classes = RiskOperator::chunk;

  /// The targets are 0, 1, ..., classes - 1. Throws InputError for other targets, and with free
  /// intercepts for a class without rows; std::invalid_argument for fewer than 2 or more than
  /// most_classes classes.
  SoftmaxProblem(const Dataset& data, L2 regularizer, std::size_t classes, Bias bias);

  std::size_t classes;
  std::vector<std::uint32_t> class_of;
  bool free_intercepts;
  Vector intercepts_at_zero;   // the optimal b of a model without features; their sum is 0
  double intercept_range = 0;  // a bound on the difference of two optimal intercepts
  /// As RiskProblem::by_rows.
  std::shared_ptr<const SoftmaxProblem> by_rows;

 private:
  void bound_intercepts(const Dataset& data);
};

}  // namespace geodescent
