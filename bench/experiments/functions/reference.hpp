// The minimum of a test problem, to more digits than the methods that are judged by it can have.
#pragma once

#include <cstdint>
#include <functional>
#include <geodescent/optimize/test_problems.hpp>
#include <span>

namespace geodescent::lab {

class FunctionReference {
 public:
  /// Newton's method in long double, the Hessian by differences of gradients: it shares no code with the methods. When
  /// `cancelled` says so it returns early.
  explicit FunctionReference(const TestProblem& problem, const std::function<bool()>& cancelled = {});

  const TestProblem& problem() const { return *problem_; }
  long double start_value() const { return start_value_; }
  long double minimum() const { return minimum_; }
  /// By how much the minimum may be too large: what one more step would gain by the quadratic model (half the squared
  /// Newton decrement), and the rounding of its value. An estimate; where a formula gives the minimum it is checked.
  long double error() const { return error_; }
  /// error() as a part of f(x0) - f*.
  double relative_error() const { return static_cast<double>(error_ / (start_value_ - minimum_)); }
  long double gradient_norm() const { return gradient_norm_; }
  /// Of the Hessian at the minimiser: what the methods would like to know.
  double least_curvature() const { return least_curvature_; }
  double largest_curvature() const { return largest_curvature_; }
  std::uint64_t iterations() const { return iterations_; }

  /// (f(x) - f*) / (f(x0) - f*), f(x) computed in long double: the rounding of the method is not in it.
  double accuracy(std::span<const double> x) const;

 private:
  const TestProblem* problem_;
  long double start_value_ = 0, minimum_ = 0, error_ = 0, gradient_norm_ = 0;
  double least_curvature_ = 0, largest_curvature_ = 0;
  std::uint64_t iterations_ = 0;
};

}  // namespace geodescent::lab
