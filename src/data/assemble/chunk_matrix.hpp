// Chunks of rows become one matrix. Internal to the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/assemble/row_chunk.hpp"
#include "geodescent/data/dataset.hpp"
#include "geodescent/data/row_matrix.hpp"

namespace geodescent {

/// What decides about the form of a matrix, added up over its chunks.
class FormOfChunks {
 public:
  void add(const RowChunk& chunk);

  std::size_t rows() const { return rows_; }
  std::size_t entries() const { return entries_; }
  /// The forms of in_best_form().
  bool is_dense(std::size_t columns) const;
  std::uint32_t index_bytes(std::size_t columns) const;
  std::uint32_t value_bytes() const;  ///< 0: all are repeated()
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

  void add(RowChunk chunk) {
    form.add(chunk);
    chunks.push_back(std::move(chunk));
  }
  Vector targets() const;
};

/// Each chunk is freed when it is copied, so both together take little more than one of them.
SparseArrays sparse_arrays(ChunkedRows rows, Vector& targets);
/// In its best form, without a detour.
std::shared_ptr<const RowMatrix> matrix_of(ChunkedRows rows, Vector& targets);
Dataset dataset_of(ChunkedRows rows, const std::string& name);

/// `count` indices and values of a chunk, from `begin` on, in another form; the first index of the file is `base`.
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
/// The row with the `count` entries from `begin` on in full.
template <class Value>
void copy_dense_row(const RowChunk& chunk, std::size_t begin, std::size_t count, std::uint32_t base,
                    std::span<Value> row) {
  chunk.visit([&](const auto* indices, const auto* values) {
    // Zeros are written between the entries and not below them: rows may be short, and most of them entries.
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
