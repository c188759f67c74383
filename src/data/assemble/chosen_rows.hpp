// Rows of a data set left out, columns taken out of it or added to it. Internal to the library.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/assemble/chunk_matrix.hpp"
#include "geodescent/data/dataset.hpp"

namespace geodescent {

struct RowChoice {
  std::optional<std::uint32_t> weight_column = {};  ///< its entries multiply the weights and are left out
  double constant = 0;                              ///< not 0: the entry of a new last column in every row
};

/// The rows of `rows` whose weight is not 0, with their weights left in `weights`, which has one for every row. Chunk
/// by chunk, each freed when it is done: the matrix is never there twice. Entries that are 0 are left out, since of a
/// dense matrix nobody knows which of them the file had: so text and what was converted become the same. `name` stands
/// for the file in errors.
ChunkedRows chosen_rows(ChunkedRows rows, const RowChoice& choice, const std::string& name, Vector& weights);

/// The rows of a data set whose matrix is made already.
ChunkedRows chunks_of(const Dataset& data);

/// Whether a row can have it.
bool is_weight(double weight);
[[noreturn]] void refuse_weight(double weight, const std::string& place);

}  // namespace geodescent
