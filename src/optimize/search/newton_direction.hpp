// Newton's direction in the whole space, for losses whose slope may have kinks.
//
// Where a margin is about to cross a kink, the curvature at the point does not describe the
// function ahead. Curvatures are therefore averaged over the width of the last step, which vanishes
// as the run converges. If only a small part of a step could be taken, the next Hessian is damped
// (Levenberg, 1944; Marquardt, 1963).
#pragma once

#include "optimize/oracles/hessian_model.hpp"
#include "optimize/search/cholesky.hpp"

namespace geodescent {

class NewtonDirection {
 public:
  NewtonDirection() = default;
  /// All memory is allocated here.
  NewtonDirection(HessianModel& f, std::size_t dimension)
      : f_(&f), hessian_(f.hessian_memory()), factorization_(dimension) {}

  /// d = -H^-1 g at the lifted point x: one pass. Returns false, with d undefined, if H is not
  /// numerically positive definite.
  bool at(const Point& x, std::span<const double> g, std::span<double> d);
  /// d = H^-1 d with the H of the last `at`.
  void solve(std::span<double> d) const;
  /// Announces that `line` goes along d, the last direction.
  void follow(const Line& line, std::span<const double> d) { f_->follow(line, hessian_, d); }
  /// Reports the part of d that was taken, and a line that reaches the new point at step t.
  void learn(double part, const Line& line, double t);

 private:
  HessianModel* f_ = nullptr;
  Hessian hessian_;
  Cholesky factorization_;
  double width_ = 0;
  double damping_ = 0;  // relative to the mean of the diagonal
};

}  // namespace geodescent
