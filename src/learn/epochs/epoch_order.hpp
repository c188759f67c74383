// The order in which epochs of dual coordinate ascent visit the rows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "geodescent/data/row_matrix.hpp"

namespace geodescent {

/// Blocks of rows are visited in random order; rows within a block in their natural order, so that
/// memory is prefetched. Depends on the number of rows and of epochs alone.
class EpochOrder {
 public:
  explicit EpochOrder(std::size_t rows)
      : rows_(rows),
        length_(std::clamp<std::size_t>(rows / fewest_blocks, 1, most_rows_together)),
        blocks_((rows + length_ - 1) / length_) {
    std::iota(blocks_.begin(), blocks_.end(), 0U);
  }

  /// For the next epoch.
  void shuffle() {
    for (std::size_t k = blocks_.size(); k > 1; --k) std::swap(blocks_[k - 1], blocks_[random_below(k)]);
  }
  std::size_t length() const { return length_; }  ///< rows of a block; the last may have fewer
  // Block k of an epoch has the rows from begin(k) to end(k).
  std::size_t count() const { return blocks_.size(); }
  std::size_t begin(std::size_t k) const { return blocks_[k] * length_; }
  std::size_t end(std::size_t k) const { return std::min(rows_, (blocks_[k] + 1) * length_); }

 private:
  static constexpr std::size_t most_rows_together = 64, fewest_blocks = 256;

  /// A random number below n (Steele, Lea and Flood, "Fast splittable pseudorandom number
  /// generators", 2014).
  std::uint64_t random_below(std::uint64_t n) {
    std::uint64_t x = random_ += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return (x ^ (x >> 31)) % n;
  }

  std::size_t rows_, length_;
  std::vector<std::uint32_t> blocks_;
  std::uint64_t random_ = 0;
};

/// |a_i|^2 of all rows.
inline Vector squared_row_norms(const RowMatrix& matrix) {
  Vector norms(matrix.rows());
  parallel::for_each(parallel::cut(matrix.rows()), [&](std::size_t begin, std::size_t end) {
    matrix.squared_norms(begin, end, std::span(norms).subspan(begin, end - begin));
  });
  return norms;
}

}  // namespace geodescent
