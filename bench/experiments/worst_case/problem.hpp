// The worst-case function of section 4.2 with everything about it that can be computed exactly: its minimiser, how far
// a point is from it, and what no method of gradients can beat.
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
  /// beta/alpha as the theory has it: largest eigenvalue over the strong convexity 1.
  double condition() const { return largest_eigenvalue(); }

  double at_zero() const { return beta_ / 2; }
  double minimum() const { return static_cast<double>(minimum_); }
  /// The tridiagonal system is solved directly, in long double. With alpha = 1 no point has a value below f - |g|^2/2:
  /// this is |g|^2/2 at the solution found, by which the minimum may be wrong at most.
  double proven_error() const { return static_cast<double>(proven_error_); }

  /// (f(x) - f*) / (f(0) - f*), as 1/2 e'Qe of the error e = x - x*: there is no difference of large numbers in it.
  double accuracy(const Vector& x) const;

  /// The best accuracy within the span of the first k gradients. From zero that span is the first k coordinates, and on
  /// them f is the worst-case function of dimension k: the best value is its minimum.
  double best_possible(std::size_t k) const { return k < best_.size() ? best_[k] : 0; }

 private:
  void solve();
  void certify();
  void find_best_possible();
  /// 1/2 e'Qe
  template <class Error>
  long double energy(const Error& e) const;

  double beta_;
  Quadratic function_;
  std::vector<long double> solution_;
  long double minimum_ = 0, proven_error_ = 0, start_ = 0;
  std::vector<double> best_;
};

}  // namespace geodescent::lab
