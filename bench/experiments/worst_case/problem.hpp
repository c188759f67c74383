// The worst-case function of section 4.2, with the quantities that can be computed exactly: its
// minimiser, the accuracy of a point, and the best accuracy of any gradient method.
#pragma once

#include <geodescent/optimize/quadratic.hpp>
#include <vector>

namespace geodescent::lab {

class WorstCaseProblem {
 public:
  WorstCaseProblem(std::size_t n, double beta);

  const Quadratic& function() const { return function_; }
  std::size_t dimension() const { return solution_.size(); }
  double largest_eigenvalue() const { return *function_.smoothness(); }
  double smallest_eigenvalue() const;
  /// beta/alpha of the theory: the largest eigenvalue over the strong convexity 1.
  double condition() const { return largest_eigenvalue(); }

  double at_zero() const { return beta_ / 2; }
  double minimum() const { return static_cast<double>(minimum_); }
  /// An upper bound on the error of the minimum. The tridiagonal system is solved directly, in long
  /// double. With alpha = 1 no value is below f - |g|^2/2; the bound is |g|^2/2 at the computed
  /// solution.
  double proven_error() const { return static_cast<double>(proven_error_); }

  /// (f(x) - f*) / (f(0) - f*), computed as 1/2 e'Qe with the error e = x - x*, without
  /// cancellation.
  double accuracy(const Vector& x) const;

  /// The best accuracy in the span of the first k gradients. With start 0 that span is the first k
  /// coordinates, where f is the worst-case function of dimension k.
  double best_possible(std::size_t k) const { return k < best_.size() ? best_[k] : 0; }

 private:
  void solve();
  void certify();
  void find_best_possible();
  /// 1/2 e'Qe.
  template <class Error>
  long double energy(const Error& e) const;

  double beta_;
  Quadratic function_;
  std::vector<long double> solution_;
  long double minimum_ = 0, proven_error_ = 0, start_ = 0;
  std::vector<double> best_;
};

}  // namespace geodescent::lab
