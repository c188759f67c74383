// Internal to the library.
#pragma once

#include <cstddef>

namespace geodescent {

/// Some consecutive rows.
struct RowRange {
  std::size_t begin = 0, end = 0;

  std::size_t size() const { return end - begin; }
  bool operator==(const RowRange&) const = default;
};

}  // namespace geodescent
