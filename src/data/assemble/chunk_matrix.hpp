// Assembles chunks of rows into one matrix. Internal to the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/assemble/row_chunk.hpp"
#include "geodescent/data/dataset.hpp"
#include "geodescent/data/row_matrix.hpp"

namespace geodescent {

/// The properties that decide the form of a matrix, accumulated over its chunks.
class FormOfChunks {
 public:
  void add(const RowChunk& chunk);

  std::size_t rows() const { return rows_; }
  std::size_t entries() const { return entries_; }
  /// The same forms as in_best_form() chooses.
  bool is_dense(std::size_t columns) const { return is_dense(rows_, entries_, columns); }
  static bool is_dense(std::size_t rows, std::size_t entries, std::size_t columns);
  std::uint32_t index_bytes(std::size_t columns) const;
  std::uint32_t value_bytes() const;  ///< 0: all entries equal repeated()
  std::uint32_t dense_value_bytes() const { return doubles_ ? 8 : 4; }
  double repeated() const { return first_; }

 private:
  std::size_t rows_ = 0;
  std::size_t entries_ = 0;
  bool all_equal_ = true;
  bool doubles_ = false;
  double first_ = 0;
};

/// All rows of a text.
struct ChunkedRows {
  std::vector<RowChunk> chunks;
  FormOfChunks form;
  std::size_t columns = 0;
  bool zero_based = false;
  std::optional<bool> dense = {};            ///< the form of the matrix, where more rows than these decide it
  std::optional<std::size_t> nonzeros = {};  ///< entries of the text, where chunks lack zeros

  void add(RowChunk chunk) {
    form.add(chunk);
    chunks.push_back(std::move(chunk));
  }
  Vector targets() const;
};

/// Frees each chunk after it is copied, so chunks and arrays together take little more memory than
/// one of them.
SparseArrays sparse_arrays(ChunkedRows rows, Vector& targets);
/// The matrix in its best form, without an intermediate one.
std::shared_ptr<const RowMatrix> matrix_of(ChunkedRows rows, Vector& targets);
Dataset dataset_of(ChunkedRows rows, const std::string& name);

/// Converts `count` indices and values of a chunk, from `begin` on. `base` is the first index of
/// the file.
template <class Index>
void copy_indices(const RowChunk& chunk, std::size_t begin, std::size_t count, std::uint32_t base, Index* to) {
  chunk.visit([&](const auto* indices, const auto*) {
    for (std::size_t k = 0; k < count; ++k) to[k] = static_cast<Index>(indices[begin + k] - base);
  });
}
template <class Value>
void copy_values(const RowChunk& chunk, std::size_t begin, std::size_t count, Value* to) {
  chunk.visit([&](const auto*, const auto* values) {
    if (values == nullptr)
      for (std::size_t k = 0; k < count; ++k) to[k] = static_cast<Value>(chunk.shape().repeated);
    else
      for (std::size_t k = 0; k < count; ++k) to[k] = static_cast<Value>(values[begin + k]);
  });
}
/// Writes the row with the `count` entries from `begin` on in full.
template <class Value>
void copy_dense_row(const RowChunk& chunk, std::size_t begin, std::size_t count, std::uint32_t base,
                    std::span<Value> row) {
  chunk.visit([&](const auto* indices, const auto* values) {
    // Each number is written once: zeros only between the entries.
    auto to = row.begin();
    for (std::size_t k = begin; k < begin + count; ++k) {
      const double value = values == nullptr ? chunk.shape().repeated : static_cast<double>(values[k]);
      const auto place = row.begin() + static_cast<std::ptrdiff_t>(indices[k] - base);
      while (to != place) *to++ = Value{0};
      *to++ = value == 0 ? Value{0} : static_cast<Value>(value);  // no -0 among the zeros
    }
    while (to != row.end()) *to++ = Value{0};
  });
}

}  // namespace geodescent
