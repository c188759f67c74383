// Coordinate ascent on the dual of a risk. For dual values u_i of the rows, with weights c_i, signs s_i, W = sum c_i,
//     D(u) = -1/W sum_i c_i phi*(u_i) - lambda/2 |w|^2,   w = -1/(lambda W) sum_i c_i u_i s_i a_i,
// and D is maximised over one u_i after the other. The state is not u but an image z with u_i = phi'(z_i): then the
// conjugate phi* is not needed, since -phi*(u_i) = phi(z_i) - u_i z_i.
//
// A free intercept b asks for sum_i c_i u_i s_i = 0. A proximal term kappa/2 (b - b0)^2 replaces this constraint by one
// more coordinate of w; b0 moves after some epochs (the method of multipliers).
#pragma once

#include <cstdint>
#include <vector>

#include "learn/risk/risk_problem.hpp"

namespace geodescent {

class DualAscent {
 public:
  /// Begins with the dual values phi' of this image at intercept b, or with 0 where it is empty.
  DualAscent(const RiskProblem& risk, std::span<const double> image, double b);

  /// Every row once.
  void epoch();

  /// u_i = phi'(z_i).
  std::span<const double> image() const { return z_; }

  /// The images move by b s_i, which makes the dual values feasible; `linear` is the linear term of their ball.
  void move(double b, std::span<const double> linear);

 private:
  /// From the product of row i with w to its multiple that is added to w.
  double ascend(std::size_t i, double product);

  const RiskProblem& risk_;
  double lambda_, kappa_;
  Vector z_, u_, w_;
  Vector squared_norms_;
  double b_ = 0;
  double imbalance_ = 0;              // sum_i c_i u_i s_i / W, which has to be 0
  std::vector<std::uint32_t> order_;  // of blocks of rows
  std::size_t block_;                 // rows of a block
  std::uint64_t random_ = 0;
};

}  // namespace geodescent
