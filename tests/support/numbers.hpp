// Constants that many tests compare with.
#pragma once

#include <limits>

namespace geodescent::testing {

inline constexpr double eps = std::numeric_limits<double>::epsilon();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace geodescent::testing
