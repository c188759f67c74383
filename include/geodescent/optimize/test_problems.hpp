// Functions to try a method on: smooth, convex, ill-conditioned, none of them quadratic.
// docs/reference/test-problems.md has them all with their formulas.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

#include "geodescent/optimize/function.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

/// A function with its start and what is known about it.
struct TestProblem {
  std::string_view name;     ///< its name
  std::string_view summary;  ///< one line for help texts
  Vector start = {};         ///< f is finite there
  /// The Hessian at the minimiser is singular: no alpha > 0 holds, not even near it.
  bool singular = false;
  /// f*, where a formula gives it.
  std::optional<long double> minimum = {};

  /// The same function in two precisions: the data are doubles in both, so the minimum is the same.
  /// Each returns f(x) and writes the gradient into g; outside of its domain f is infinite and the
  /// gradient not a number.
  FunctionObjective::ValueAndGradient evaluate = {};
  /// `evaluate` in long double.
  std::function<long double(std::span<const long double> x, std::span<long double> g)> evaluate_precisely = {};

  std::size_t dimension() const { return start.size(); }  ///< number of variables
  /// The objective, of which only convexity is known. It may outlive the problem.
  FunctionObjective function() const;
};

/// All of them, from the smallest dimension to the largest. They have the same bits in every run.
std::span<const TestProblem> test_problems();

/// Throws std::invalid_argument for an unknown name.
const TestProblem& test_problem(std::string_view name);

}  // namespace geodescent
