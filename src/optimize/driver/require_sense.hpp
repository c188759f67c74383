// Checks of the arguments of a run. Internal to the library.
#pragma once

#include <span>

#include "geodescent/optimize/minimize.hpp"

namespace geodescent {

/// Throws std::invalid_argument for a start or options that make no sense.
void require_sense(const Objective& f, std::span<const double> x0, const Options& options);

}  // namespace geodescent
