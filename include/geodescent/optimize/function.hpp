// A user's function as callables.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "geodescent/optimize/objective.hpp"

namespace geodescent {

/// Known properties of a function.
struct FunctionProperties {
  std::size_t dimension = 0;  ///< number of variables
  /// alpha: f(x) - alpha/2 |x|^2 is convex. A false value makes false bounds. 0: unknown. Then
  /// geod-memory estimates it and its gap is an estimate; lbfgs, sd, afg and afgwr run without a
  /// bound, and all other methods throw.
  double strong_convexity = 0;
  std::optional<double> smoothness = {};  ///< beta, if known
  double relative_precision = 1e-15;      ///< the relative error of value and gradient
};

/// An objective made of callables.
class FunctionObjective final : public Objective {
 public:
  /// Returns f(x) and writes the gradient into g. Thread-safe if several threads minimise it at
  /// once.
  using ValueAndGradient = std::function<double(std::span<const double> x, std::span<double> g)>;
  /// Returns f(x).
  using Value = std::function<double(std::span<const double> x)>;
  /// Writes the gradient at x into g.
  using Gradient = std::function<void(std::span<const double> x, std::span<double> g)>;

  /// From one callable for both.
  FunctionObjective(FunctionProperties properties, ValueAndGradient f);
  /// From one callable for each.
  FunctionObjective(FunctionProperties properties, Value value, Gradient gradient);

  std::size_t dimension() const override { return properties_.dimension; }
  double strong_convexity() const override { return properties_.strong_convexity; }
  std::optional<double> smoothness() const override { return properties_.smoothness; }
  double relative_precision() const override { return properties_.relative_precision; }
  double evaluate(std::span<const double> x, std::span<double> gradient) const override { return f_(x, gradient); }

 private:
  FunctionProperties properties_;
  ValueAndGradient f_;
};

}  // namespace geodescent
