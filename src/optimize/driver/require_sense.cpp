#include "optimize/driver/require_sense.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "optimize/objectives/require_convexity.hpp"

namespace geodescent {

void require_sense(const Objective& f, std::span<const double> x0, const Options& o) {
  if (!x0.empty() && x0.size() != f.dimension())
    throw std::invalid_argument(
        fmt::format("x0 has {} entries, but the function has dimension {}", x0.size(), f.dimension()));
  for (std::size_t j = 0; j < x0.size(); ++j)
    if (!std::isfinite(x0[j]))
      throw std::invalid_argument(fmt::format("entry {} of x0 must be finite, but is {}", j, x0[j]));
  require_convexity(f.strong_convexity(), f.smoothness());
  const auto not_negative = [](double v, const char* name) {
    if (!(v >= 0)) throw std::invalid_argument(fmt::format("{} must not be negative, but is {}", name, v));
  };
  if (!(o.gap_tolerance >= 0 && o.gap_tolerance < 1))
    throw std::invalid_argument(
        fmt::format("gap_tolerance must be at least 0 and below 1, but is {}", o.gap_tolerance));
  not_negative(o.absolute_gap_tolerance, "absolute_gap_tolerance");
  not_negative(o.gradient_tolerance, "gradient_tolerance");
  not_negative(o.max_seconds, "max_seconds");
  if (o.reference_value && !std::isfinite(*o.reference_value))
    throw std::invalid_argument(fmt::format("reference_value must be finite, but is {}", *o.reference_value));
}

}  // namespace geodescent
