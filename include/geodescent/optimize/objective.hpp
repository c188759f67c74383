// The interface of a function that a user writes. Three members are required.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace geodescent {

class Oracle;

/// A smooth strongly convex function f on R^dimension. `const` means thread-safe: all members may
/// be called by several threads at once.
class Objective {
 public:
  virtual ~Objective() = default;

  /// Number of variables.
  [[nodiscard]] virtual std::size_t dimension() const = 0;
  /// alpha: f(x) - alpha/2 |x|^2 is convex. A false value makes false bounds. 0 means unknown;
  /// bounds are then estimates.
  [[nodiscard]] virtual double strong_convexity() const = 0;
  /// Returns f(x) and writes the gradient at x.
  virtual double evaluate(std::span<const double> x, std::span<double> gradient) const = 0;

  // Optional knowledge.
  /// beta: the gradient is beta-Lipschitz. No bound depends on it.
  [[nodiscard]] virtual std::optional<double> smoothness() const { return std::nullopt; }
  /// The relative error of value and gradient.
  [[nodiscard]] virtual double relative_precision() const { return 1e-15; }

  /// The oracle of one run of a method (oracle.hpp). The default evaluates f as a black box; a
  /// function with structure, such as a risk, returns an oracle that caches images. The function
  /// must outlive its oracles.
  [[nodiscard]] virtual std::unique_ptr<Oracle> oracle() const;
};

}  // namespace geodescent
