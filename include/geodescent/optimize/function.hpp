// A user's function as callables.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "geodescent/optimize/objective.hpp"

namespace geodescent {

/// What the user knows about the function.
struct FunctionProperties {
  std::size_t dimension = 0;  ///< number of variables
  /// alpha: the certificate is as good as this number. 0: unknown. Then geod-memory estimates it and its gap is an
  /// estimate; lbfgs, sd, afg and afgwr run without any bound, and the methods that need alpha refuse.
  double strong_convexity = 0;
  std::optional<double> smoothness = {};  ///< beta, if known
  double relative_precision = 1e-15;      ///< to which value and gradient are computed, relative to their size
};

/// An objective made of callables.
class FunctionObjective final : public Objective {
 public:
  /// Returns f(x) and writes the gradient into g. Thread-safe if several threads minimise it at once.
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
