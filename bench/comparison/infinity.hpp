// What a method costs that does not get there.
#pragma once

#include <limits>

namespace geodescent::lab {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace geodescent::lab
