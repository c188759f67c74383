// An objective whose oracles are decorated.
#pragma once

#include <functional>
#include <utility>

#include "geodescent/optimize/objective.hpp"
#include "optimize/oracles/oracle_decorator.hpp"

namespace geodescent {

class DecoratedObjective final : public Objective {
 public:
  using Decorate = std::function<std::unique_ptr<Oracle>(std::unique_ptr<Oracle>)>;

  /// `f` must outlive it. Thread-safe if `decorate` is.
  DecoratedObjective(const Objective& f, Decorate decorate) : f_(f), decorate_(std::move(decorate)) {}

  std::size_t dimension() const override { return f_.dimension(); }
  double strong_convexity() const override { return f_.strong_convexity(); }
  std::optional<double> smoothness() const override { return f_.smoothness(); }
  double relative_precision() const override { return f_.relative_precision(); }
  double evaluate(std::span<const double> x, std::span<double> gradient) const override {
    return f_.evaluate(x, gradient);
  }
  std::unique_ptr<Oracle> oracle() const override { return decorate_(f_.oracle()); }

 private:
  const Objective& f_;
  Decorate decorate_;
};

}  // namespace geodescent
