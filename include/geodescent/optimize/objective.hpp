// What a user of the library writes: a function. Three members are needed, nothing else.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace geodescent {

class Oracle;

/// A smooth strongly convex function f on R^dimension. `const` means thread-safe: all members may be called by several
/// threads at once.
class Objective {
 public:
  virtual ~Objective() = default;

  /// Number of variables.
  [[nodiscard]] virtual std::size_t dimension() const = 0;
  /// alpha: f(x) - alpha/2 |x|^2 is convex. Every certificate rests on it. 0 means unknown: it is always true and
  /// proves nothing.
  [[nodiscard]] virtual double strong_convexity() const = 0;
  /// Returns f(x) and writes the gradient at x.
  virtual double evaluate(std::span<const double> x, std::span<double> gradient) const = 0;

  // Optional knowledge.
  /// beta: the gradient is beta-Lipschitz. No certificate needs it.
  [[nodiscard]] virtual std::optional<double> smoothness() const { return std::nullopt; }
  /// To which value and gradient are computed, relative to their size.
  [[nodiscard]] virtual double relative_precision() const { return 1e-15; }

  /// What one run of a method works with (oracle.hpp). The default evaluates f as a black box; a function with
  /// structure, such as a risk, returns an oracle that caches images. The function must outlive its oracles.
  [[nodiscard]] virtual std::unique_ptr<Oracle> oracle() const;
};

}  // namespace geodescent
