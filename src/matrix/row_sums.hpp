// Sums over rows that ranks exchange together, in one round.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "matrix/row_space.hpp"

namespace geodescent {

/// Sums are valid after `exchange`; where all rows are here, at once and without an allocation.
class RowSums {
 public:
  explicit RowSums(const RowSpace& rows) : rows_(rows) {}
  RowSums(const RowSums&) = delete;
  RowSums& operator=(const RowSums&) = delete;

  const RowSpace& rows() const { return rows_; }

  /// sums += the numbers of all blocks of these rows or entries, in the order of the blocks. Those
  /// of block b of this process are at ours + b * stride.
  void add(const RowSpace& entries, const parallel::Blocks& of_all, const double* ours, std::size_t stride,
           std::span<double> sums);
  /// The K sums over all rows of body(begin, end), which is called for all local rows.
  template <std::size_t K, class Body>
  void sum(const RowSpace& entries, const parallel::Blocks& of_all, std::array<double, K>& sums, const Body& body) {
    std::array<double, K * parallel::max_blocks> partial;
    const parallel::Blocks blocks = entries.here(of_all);
    parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
      const parallel::Sums<K> of_block = body(begin, end);
      std::copy_n(of_block.of.data(), K, partial.data() + blocks.index(begin) * K);
    });
    entries.for_other_rows(of_all, body);
    sums.fill(0);
    add(entries, of_all, partial.data(), K, sums);
  }
  /// out_j = the product of x and column j, over all entries; columns have the length of x.
  void column_products(const RowSpace& entries, std::span<const double> columns, std::span<const double> x,
                       std::span<double> out);
  /// Completes all sums. One round, where several ranks have rows.
  void exchange();

 private:
  struct Sum {
    RowSpace entries;
    parallel::Blocks of_all;
    std::span<double> sums;
  };

  const RowSpace& rows_;
  std::vector<Sum> waiting_;
  std::vector<double> message_;
};

}  // namespace geodescent
