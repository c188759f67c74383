#include "geodescent/optimize/function.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "optimize/objectives/require_convexity.hpp"

namespace geodescent {

void require_convexity(double strong_convexity, std::optional<double> smoothness) {
  if (!(strong_convexity >= 0 && std::isfinite(strong_convexity)))
    throw std::invalid_argument(
        fmt::format("strong_convexity must be finite and positive, or 0 when unknown, not {}", strong_convexity));
  if (!smoothness) return;
  if (!(*smoothness > 0 && std::isfinite(*smoothness)))
    throw std::invalid_argument(fmt::format("smoothness must be positive and finite, but is {}", *smoothness));
  if (*smoothness < strong_convexity)
    throw std::invalid_argument(
        fmt::format("smoothness {} is below strong_convexity {}", *smoothness, strong_convexity));
}

FunctionObjective::FunctionObjective(FunctionProperties properties, ValueAndGradient f)
    : properties_(properties), f_(std::move(f)) {
  if (properties_.dimension == 0)
    throw std::invalid_argument(
        "the function has dimension 0: give an x0 with one entry for each variable, or set "
        "FunctionProperties::dimension");
  require_convexity(properties_.strong_convexity, properties_.smoothness);
  if (!(properties_.relative_precision >= 0 && properties_.relative_precision < 1))
    throw std::invalid_argument(
        fmt::format("relative_precision must be at least 0 and below 1, not {}", properties_.relative_precision));
  if (!f_) throw std::invalid_argument("the function is empty");
}

FunctionObjective::FunctionObjective(FunctionProperties properties, Value value, Gradient gradient)
    : FunctionObjective(
          properties, !value || !gradient ? ValueAndGradient{}
                                          : [value = std::move(value), gradient = std::move(gradient)](
                                                std::span<const double> x, std::span<double> g) {
                                              gradient(x, g);
                                              return value(x);
                                            }) {}

}  // namespace geodescent
