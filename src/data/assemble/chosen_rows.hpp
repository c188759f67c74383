// Rows of a data set left out, and a column taken out of it. Internal to the library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/assemble/chunk_matrix.hpp"
#include "geodescent/data/dataset.hpp"

namespace geodescent {

/// The rows of `rows` whose weight is not 0, with their weights left in `weights`, which has one for every row. The
/// entries of `weight_column` multiply the weights and are left out. Chunk
/// by chunk, each freed when it is done: the matrix is never there twice. Entries that are 0 are left out, since of a
/// dense matrix nobody knows which of them the file had: so text and what was converted become the same. `name` stands
/// for the file in errors.
ChunkedRows chosen_rows(ChunkedRows rows, std::optional<std::uint32_t> weight_column, const std::string& name,
                        Vector& weights);

/// The rows of a data set whose matrix is made already.
ChunkedRows chunks_of(const Dataset& data);

/// Whether a row can have it.
bool is_weight(double weight);
[[noreturn]] void refuse_weight(double weight, const std::string& place);

}  // namespace geodescent
