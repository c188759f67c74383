// A user's own function. It has no image: every step tried by a line search costs an evaluation, and these are counted.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "geodescent/optimize/objective.hpp"

namespace geodescent {

/// What the user knows about the function.
struct FunctionProperties {
  std::size_t dimension = 0;
  /// alpha: the certificate is as good as this number. 0: unknown. Then geod-memory estimates it and its gap is an
  /// estimate; lbfgs, sd, afg and afgwr run without any bound, and the methods that stand on alpha refuse.
  double strong_convexity = 0;
  std::optional<double> smoothness = {};  ///< beta, if known
  double relative_precision = 1e-15;      ///< to which value and gradient are computed, relative to their size
};

class FunctionObjective final : public Objective {
 public:
  /// Returns f(x) and writes the gradient into g.
  using ValueAndGradient = std::function<double(std::span<const double> x, std::span<double> g)>;
  using Value = std::function<double(std::span<const double> x)>;
  using Gradient = std::function<void(std::span<const double> x, std::span<double> g)>;

  FunctionObjective(FunctionProperties properties, ValueAndGradient f);
  FunctionObjective(FunctionProperties properties, Value value, Gradient gradient);

  std::size_t dimension() const override { return properties_.dimension; }
  double strong_convexity() const override { return properties_.strong_convexity; }
  std::optional<double> smoothness() const override { return properties_.smoothness; }
  Cost cost() const override { return {.evaluations_per_call = 1}; }
  void lift(Point&) const override {}
  Evaluation gradient(const Point& p, std::span<double> g) const override { return evaluate(p.x, g); }
  LineValue on(Line& line, double t) const override;

 private:
  Evaluation evaluate(std::span<const double> x, std::span<double> g) const;

  FunctionProperties properties_;
  ValueAndGradient f_;
};

}  // namespace geodescent
