// The minimum of a test problem, more precise than the results of the judged methods.
#pragma once

#include <cstdint>
#include <functional>
#include <geodescent/optimize/test_problems.hpp>
#include <span>

namespace geodescent::lab {

class FunctionReference {
 public:
  /// Newton's method in long double, with the Hessian by differences of gradients. It shares no
  /// code with the methods. Stops early if `cancelled` returns true.
  explicit FunctionReference(const TestProblem& problem, const std::function<bool()>& cancelled = {});

  const TestProblem& problem() const { return *problem_; }
  long double start_value() const { return start_value_; }
  long double minimum() const { return minimum_; }
  /// An estimate of the error of the minimum: the decrease that the quadratic model predicts for
  /// one more step (half the squared Newton decrement), plus the rounding of the value. Checked
  /// where a formula gives the minimum.
  long double error() const { return error_; }
  /// error() relative to f(x0) - f*.
  double relative_error() const { return static_cast<double>(error_ / (start_value_ - minimum_)); }
  long double gradient_norm() const { return gradient_norm_; }
  /// Extreme eigenvalues of the Hessian at the minimiser.
  double least_curvature() const { return least_curvature_; }
  double largest_curvature() const { return largest_curvature_; }
  std::uint64_t iterations() const { return iterations_; }

  /// (f(x) - f*) / (f(x0) - f*), with f(x) in long double, so that the method's own rounding has no
  /// effect.
  double accuracy(std::span<const double> x) const;

 private:
  const TestProblem* problem_;
  long double start_value_ = 0, minimum_ = 0, error_ = 0, gradient_norm_ = 0;
  double least_curvature_ = 0, largest_curvature_ = 0;
  std::uint64_t iterations_ = 0;
};

}  // namespace geodescent::lab
