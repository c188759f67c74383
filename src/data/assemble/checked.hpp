// Data that a caller may have put together by hand. Internal to the library.
#pragma once

#include "geodescent/data/dataset.hpp"

namespace geodescent {

/// The same data. Throws std::invalid_argument, as dataset() does, where the parts do not fit each
/// other. O(rows).
const Dataset& checked(const Dataset& data);

}  // namespace geodescent
