// Newton's direction in the whole space, made for losses with kinks in their slope.
//
// Where a row's margin is about to cross a kink, the curvature at the point says nothing about the way ahead. So
// curvatures are averaged over the width of the last step, which vanishes as the run converges; and when only a small
// part of a step could be taken, the next Hessian is damped (Levenberg, 1944; Marquardt, 1963).
#pragma once

#include "optimize/search/cholesky.hpp"
#include "optimize/search/hessian_model.hpp"

namespace geodescent {

class NewtonDirection {
 public:
  NewtonDirection() = default;
  /// All memory is allocated here.
  NewtonDirection(HessianModel& f, std::size_t dimension)
      : f_(&f), hessian_(f.hessian_memory()), factorization_(dimension) {}

  /// d = -H^-1 g at the lifted point x: one pass. False, and d undefined, when rounding has made the Hessian useless.
  bool at(const Point& x, std::span<const double> g, std::span<double> d);
  /// `line` goes along d, the last direction.
  void follow(const Line& line, std::span<const double> d) { f_->follow(line, hessian_, d); }
  /// Tells the part of d that was taken, and a line that leads to the new point at step t.
  void learn(double part, const Line& line, double t);

 private:
  HessianModel* f_ = nullptr;
  Hessian hessian_;
  Cholesky factorization_;
  double width_ = 0;
  double damping_ = 0;  // as a part of the mean of the diagonal
};

}  // namespace geodescent
