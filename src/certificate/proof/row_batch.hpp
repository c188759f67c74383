// Rows as proofs read them: some at a time, whatever the form they are stored in. Internal to the library.
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
  constexpr std::size_t lanes = 8;  // looks at some at a time, in vector instructions, and stops at the first zero
  std::size_t k = 0;
  for (; k + lanes <= size; k += lanes) {
    bool zero = false;
    for (std::size_t l = 0; l < lanes; ++l) zero |= numbers[k + l] == 0;
    if (zero) return false;
  }
  return std::find(numbers + k, numbers + size, Number{0}) == numbers + size;
}

/// Copies of consecutive rows, without zeros. As many at a time as stay in the first cache, so that the form is looked
/// up once for all of them and the work on their entries finds them there.
class RowBatch {
 public:
  explicit RowBatch(const RowMatrix& matrix) : matrix_(matrix) {}

  /// Rows from `begin` on, as many before `end` as fit, and at least one; replaces what it held.
  void read(std::size_t begin, std::size_t end);

  std::size_t begin() const { return begin_; }
  std::size_t end() const { return begin_ + size(); }
  std::size_t size() const { return size_; }
  std::size_t entries() const { return starts_[size_]; }
  /// Of row i, begin() <= i < end().
  std::span<const std::uint32_t> indices(std::size_t i) const { return {indices_.data() + start(i), length(i)}; }
  std::span<const double> values(std::size_t i) const { return {values_.data() + start(i), length(i)}; }

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
  std::size_t full_rows_ = 0;           ///< so many of `starts_` and their indices are those of rows without zeros
  std::vector<std::size_t> starts_{0};  ///< of the rows among the entries, and the end of the last
  std::vector<std::uint32_t> indices_;
  std::vector<double> values_;
};

}  // namespace geodescent::proof
