// Coordinate ascent on the dual of a softmax risk, a row at a time. With u_i = p_i - e_y the dual
// values of row i, p_i in the simplex, c_i the weights and W their sum:
//     D(u) = 1/W sum_i c_i H(p_i) - lambda/2 |V|^2,   V = -1/(lambda W) sum_i c_i a_i u_i'.
// D is maximised over all numbers of one row after the other. The state is an image s with p_i =
// softmax(s_i). As for one prediction a row (DualAscent), free intercepts are penalized by kappa/2
// |b - b0|^2, and b0 moves after some epochs.
#pragma once

#include "learn/epochs/epoch_order.hpp"
#include "learn/softmax/softmax_problem.hpp"

namespace geodescent {

class SoftmaxAscent {
 public:
  /// Starts from the dual values of this image at intercepts b, or from p_i = e_y if it is empty.
  SoftmaxAscent(const SoftmaxProblem& risk, std::span<const double> image, std::span<const double> b);

  /// Every row once.
  void epoch();
  /// P = softmax of it.
  std::span<const double> image() const { return s_; }
  /// Adds b to the images of all rows, which makes the dual values feasible. `linear` is the linear
  /// term of their ball.
  void move(std::span<const double> b, std::span<const double> linear);

 private:
  void ascend(std::size_t i);
  void evaluate(std::size_t i, const double* s);
  /// One Newton step for row i from its trial point; false if the point is accurate enough.
  bool improve(std::size_t i, double q);

  const SoftmaxProblem& risk_;
  std::size_t classes_;
  double lambda_, kappa_;
  Vector s_, u_, v_;  // v_: coefficients
  Vector squared_norms_;
  Vector b_, imbalance_;  // imbalance: sum_i c_i u_i / W; 0 for feasible dual values
  EpochOrder order_;
  // Of the row at hand: t, trial images, their dual values, p, and the step.
  Vector target_, trial_, dual_, p_, step_, differences_;
  double loss_ = 0;
};

}  // namespace geodescent
