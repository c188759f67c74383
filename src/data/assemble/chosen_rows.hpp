// Removes rows and a column from a data set. Internal to the library.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "data/assemble/chunk_matrix.hpp"
#include "geodescent/data/dataset.hpp"

namespace geodescent {

/// The rows of `rows` whose weight is not 0. `weights` has one entry per row before, and one per
/// kept row after the call. The entries of `weight_column` multiply the weights and are removed;
/// `of_classes` multiply them last. Works chunk by chunk and frees each chunk, so the matrix never
/// exists twice. Entries that are 0 are removed, because a dense matrix does not tell which zeros
/// the file had; text and converted files then give the same result. `name` is the name of the file
/// in errors, which number rows from `first_row` on.
ChunkedRows chosen_rows(ChunkedRows rows, std::optional<std::uint32_t> weight_column,
                        std::span<const ClassWeight> of_classes, const std::string& name, Vector& weights,
                        std::size_t first_row = 0);

/// The class weight of a label; 1 for a label without one.
double weight_of_class(double label, std::span<const ClassWeight> of_classes);

/// The rows of an existing data set.
ChunkedRows chunks_of(const Dataset& data);

/// Whether a row can have this weight.
bool is_weight(double weight);
[[noreturn]] void refuse_weight(double weight, const std::string& place);

}  // namespace geodescent
