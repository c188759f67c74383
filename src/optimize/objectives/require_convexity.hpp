// Checks of the stated curvature of a function. Internal to the library.
#pragma once

#include <optional>

namespace geodescent {

/// Throws std::invalid_argument for numbers that no function has.
void require_convexity(double strong_convexity, std::optional<double> smoothness);

}  // namespace geodescent
