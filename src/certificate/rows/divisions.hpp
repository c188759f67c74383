// How the sums of proofs divide rows and columns into blocks. Blocks depend on the data alone.
// Internal to the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/parallel.hpp"

namespace geodescent::proof {

/// Of sums over rows or columns.
inline parallel::Blocks sum_blocks(std::size_t size) { return parallel::cut(size, 1024, 64); }

/// Of the derivative in an intercept.
inline parallel::Blocks slope_blocks(std::size_t rows) { return parallel::cut(rows, 4096); }
/// The same for the intercepts of several classes, each of whose sums is a matrix.
inline parallel::Blocks class_slope_blocks(std::size_t rows) { return parallel::cut(rows, 4096, 8); }

/// Of the fingerprint: rows with a hash of their own.
inline constexpr std::size_t hashed_rows = 256;
inline parallel::Blocks hashed_blocks(std::size_t rows) {
  return {rows, hashed_rows, (rows + hashed_rows - 1) / hashed_rows};
}

inline constexpr std::size_t most_column_sums = 8;  ///< blocks of rows with a sum for each column
inline constexpr std::size_t entries_per_sum = 8;   ///< to read per sum that make this cheap

/// Whether sums of all columns for each block of sparse rows would cost more than the entries.
inline bool is_wide(std::size_t nonzeros, std::size_t columns) {
  return nonzeros / (most_column_sums * entries_per_sum) < columns;
}

/// Blocks of rows with a sum for each column.
inline parallel::Blocks column_sum_blocks(std::size_t rows, std::size_t nonzeros, std::size_t columns) {
  const std::size_t affordable = nonzeros / (entries_per_sum * columns + 1);
  return parallel::cut(rows, 256, std::clamp<std::size_t>(affordable, 1, most_column_sums));
}

/// The divisions of rows whose blocks a rank sums as a whole. Sums of columns go on from rank to
/// rank within a block, and so do those of classes where a rank would hold the rows of many others
/// for one of the few blocks.
inline std::vector<parallel::Blocks> divisions_of_proofs(std::size_t rows, std::size_t ranks) {
  constexpr std::size_t few_rows = 8192;
  std::vector<parallel::Blocks> divisions{sum_blocks(rows), slope_blocks(rows), hashed_blocks(rows)};
  const parallel::Blocks of_classes = class_slope_blocks(rows);
  if (ranks <= 2 * of_classes.count || rows <= few_rows) divisions.push_back(of_classes);
  return divisions;
}

}  // namespace geodescent::proof
