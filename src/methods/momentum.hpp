// The sequence of Nesterov's constant step scheme II (Introductory Lectures on Convex Optimization, 2004,
// scheme 2.2.20): alpha_{k+1} solves alpha_{k+1}^2 = (1 - alpha_{k+1}) alpha_k^2 + q alpha_{k+1}, and the momentum is
// beta_k = alpha_k (1 - alpha_k) / (alpha_k^2 + alpha_{k+1}).
#pragma once

#include <cmath>

namespace geodescent {

class Momentum {
 public:
  /// q = strong convexity / smoothness, which may change when the latter is estimated.
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

}  // namespace geodescent
