// Checks that the matrix forms share. Internal to the library.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace geodescent::matrix {

/// The number of columns that 32-bit indices can address; copied rows have such indices.
inline constexpr std::uint64_t indexed_columns = std::uint64_t{1} << 32;

inline void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

inline void require_new_constant(double present, std::size_t columns, double added) {
  require(present == 0, "the matrix has a constant column already");
  require(columns < indexed_columns, "a matrix with 2^32 columns cannot get a constant column");
  require(std::isfinite(added) && added != 0, "a constant column must be finite and not 0");
}

}  // namespace geodescent::matrix
