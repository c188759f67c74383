// The cost of a method that does not reach the goal.
#pragma once

#include <limits>

namespace geodescent::lab {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace geodescent::lab
