// A few rows, for every storage form of the matrix. Internal to the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geodescent/data/row_matrix.hpp"

namespace geodescent::proof {

template <class Number>
bool has_no_zero(const Number* numbers, std::size_t size) {
  constexpr std::size_t lanes = 8;  // tests this many at a time with vector instructions, and stops at the first zero
  std::size_t k = 0;
  for (; k + lanes <= size; k += lanes) {
    bool zero = false;
    for (std::size_t l = 0; l < lanes; ++l) zero |= numbers[k + l] == 0;
    if (zero) return false;
  }
  return std::find(numbers + k, numbers + size, Number{0}) == numbers + size;
}

/// Consecutive rows without zeros, as 32-bit indices and doubles. A batch fits the first-level
/// cache, so that the storage form is looked up once per batch and later work on the entries reads
/// the cache. Rows that are stored in this form are not copied.
class RowBatch {
 public:
  explicit RowBatch(const RowMatrix& matrix) : matrix_(matrix) {}

  /// Reads rows from `begin` on, at most up to `end`, as many as fit and at least one. Replaces the
  /// old content.
  void read(std::size_t begin, std::size_t end);

  std::size_t begin() const { return begin_; }
  std::size_t end() const { return begin_ + size(); }
  std::size_t size() const { return size_; }
  std::size_t entries() const { return starts_[size_]; }
  /// The entries of row i, begin() <= i < end().
  std::span<const std::uint32_t> indices(std::size_t i) const { return {first_index_ + start(i), length(i)}; }
  std::span<const double> values(std::size_t i) const { return {first_value_ + start(i), length(i)}; }

 private:
  std::size_t start(std::size_t i) const { return starts_[i - begin_]; }
  std::size_t length(std::size_t i) const { return starts_[i - begin_ + 1] - start(i); }
  void make_room(std::size_t rows, std::size_t entries);
  void read_sparse(const SparseArrays& arrays, std::size_t end);
  void read_dense(const DenseArrays& arrays, std::size_t end);
  template <class Number>
  void read_dense(const DenseArrays& arrays, const Number* row, std::size_t rows);

  const RowMatrix& matrix_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
  std::size_t full_rows_ = 0;                   ///< `starts_` and the indices are set for this many rows without zeros
  std::vector<std::size_t> starts_{0};          ///< the first entry of each row, and the end of the last
  const std::uint32_t* first_index_ = nullptr;  ///< of the batch: in indices_ or in the matrix
  const double* first_value_ = nullptr;
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_;
};

}  // namespace geodescent::proof
