// Newton's direction in the whole space, made for losses with kinks in their slope.
//
// Where a row's margin is about to cross a kink, the curvature at the point says nothing about the way ahead. So
// curvatures are averaged over the width of the last step, which vanishes as the run converges; and when only a small
// part of a step could be taken, the next Hessian is damped (Levenberg, 1944; Marquardt, 1963).
#pragma once

#include "geodescent/optimize/objective.hpp"

namespace geodescent {

class NewtonDirection {
 public:
  NewtonDirection() = default;
  /// All memory is allocated here.
  explicit NewtonDirection(const Objective& f) : hessian_(f.hessian_memory()) {}

  /// d = -H^-1 g at the lifted point x: one pass. False, and d undefined, when rounding has made the Hessian useless.
  bool at(const Objective& f, const Point& x, std::span<const double> g, std::span<double> d);
  /// How the best intercept changes along d, of a function that has one.
  double shift_along(std::span<const double> d) const { return hessian_.shift_along(d); }
  /// Tells what came of it: the part of d that was taken, and by how much the entries of the image changed (root mean
  /// square).
  void learn(double part, double width);

 private:
  Hessian hessian_;
  double width_ = 0;
  double damping_ = 0;  // as a part of the mean of the diagonal
};

}  // namespace geodescent
