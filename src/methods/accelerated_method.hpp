// The shared part of the two accelerated gradient methods: Nesterov's momentum and its points.
//
//   x_{k+1} = y_k - t grad f(y_k),    y_{k+1} = x_{k+1} + beta_k (x_{k+1} - x_k)
//
// beta_k is the momentum of constant step scheme II (Introductory Lectures on Convex Optimization,
// 2004, section 2.2.1).
#pragma once

#include "methods/common.hpp"

namespace geodescent {

/// alpha_{k+1} solves alpha_{k+1}^2 = (1 - alpha_{k+1}) alpha_k^2 + q alpha_{k+1}, and the momentum
/// is beta_k = alpha_k (1 - alpha_k) / (alpha_k^2 + alpha_{k+1}).
class Momentum {
 public:
  /// q = strong convexity / smoothness. It may change if the smoothness is estimated.
  double next(double q) {
    const double a2 = a_ * a_;
    const double half = 0.5 * (q - a2);
    const double a_next = half + std::sqrt(half * half + a2);
    const double beta = a_ * (1 - a_) / (a2 + a_next);
    a_ = a_next;
    return beta;
  }

 private:
  double a_ = 0.5 * (std::sqrt(5.0) - 1);  // Nesterov's choice gamma_0 = L for q = 0
};

class AcceleratedMethod : public Method {
 public:
  Iterate iterate() const final { return {&x.x, f_x, norm(g.x), bounds.value(), bounds.rounding(), 0, bounds.dual()}; }

 protected:
  void begin(Oracle& objective, std::span<const double> x0) {
    f = &objective;
    line = Line(f->dimension());
    momentum = {};
    bounds = {};
    y = lifted(*f, x0);
    x = x_next = y;
    g = point_of(*f);
    evaluate();
    f_x = at_y.value;
  }

  /// x_{k+1} = y_k + t grad f(y_k), with f there `value`; then y_{k+1} with the momentum for L =
  /// smoothness.
  void move(double t, double value, double smoothness) {
    combine(x_next, 1, y, t, g);
    const double beta = momentum.next(f->strong_convexity() / smoothness);
    combine(y, 1 + beta, x_next, -beta, x);
    std::swap(x, x_next);
    f_x = value;
  }

  /// Computes the gradient at y_k. Returns false if f is not finite there.
  bool evaluate() {
    at_y = f->gradient(y, g.x);
    if (!std::isfinite(at_y.value)) return false;
    bounds.add(y, g.x, at_y, f->strong_convexity());
    return true;
  }

  Oracle* f = nullptr;
  Line line;
  Momentum momentum;
  Point x, x_next, y, g;
  Evaluation at_y;
  double f_x = 0;
  BestBound bounds;
};

}  // namespace geodescent
