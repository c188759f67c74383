// The rows of a problem, and every sum over them.
//
// Sums are made of blocks of rows, added in the order of the rows. The borders of blocks depend on
// the sizes of the data alone. Where several ranks have the rows, each makes the sums of whole
// blocks, so that no addition changes its place (docs/decisions/library/ranks.md).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "base/row_range.hpp"
#include "geodescent/ranks.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

/// How all rows are divided among ranks.
struct RowShares {
  std::size_t rows = 0, ranks = 1;
  std::size_t together = 1;  ///< no share ends within so many consecutive rows

  /// A rank's share: every row belongs to one rank.
  RowRange of(std::size_t rank) const { return {begin(rank), begin(rank + 1)}; }
  /// The blocks whose sums a rank makes, from .begin to .end: those with their middle in its share.
  RowRange blocks(const parallel::Blocks& of_all, std::size_t rank) const;
  /// The rows that a rank needs for its share and for its blocks of these divisions: whole groups
  /// of this many.
  RowRange held(std::span<const parallel::Blocks> divisions, std::size_t rank, std::size_t group) const;
  /// Sparse rows of a group may be added in another order. Dense rows only begin at a multiple of a
  /// cache line.
  static std::size_t group(bool is_dense);

 private:
  std::size_t begin(std::size_t rank) const;
};

class RowSpace {
 public:
  /// All rows are here.
  explicit RowSpace(std::size_t rows) : local_rows_(rows), shares_{rows, 1} {}
  /// The rows `held` of RowShares are here, of so many.
  RowSpace(std::shared_ptr<Communicator> ranks, std::size_t rows, const RowRange& held);

  bool alone() const { return !ranks_; }                  ///< whether all rows are here
  std::size_t local_rows() const { return local_rows_; }  ///< held by this process; images have this length
  std::size_t rows() const { return shares_.rows; }       ///< total
  std::size_t first() const { return first_; }            ///< of the local rows, among all rows
  /// The rows of this process that no other one counts, among its rows.
  RowRange share() const;
  Communicator* ranks() const { return ranks_.get(); }  ///< null if all rows are here

  /// The entries of images with so many numbers for each row, as rows. Images have `size` of them
  /// in this process; in row form that is one more.
  RowSpace entries(std::size_t size, std::size_t for_each_row) const;

  /// Of blocks of all rows those whose sums this process makes, as blocks of its rows.
  parallel::Blocks here(const parallel::Blocks& of_all) const { return alone() ? of_all : local(of_all); }

  /// The K sums over all rows of body(begin, end), which is called for blocks of local rows.
  template <std::size_t K, class Body>
  std::array<double, K> sum(const Body& body) const {
    return sum<K>(parallel::cut(rows()), body);
  }
  template <std::size_t K, class Body>
  std::array<double, K> sum(const parallel::Blocks& of_all, const Body& body) const {
    return sum<K>(of_all, body, body);
  }
  /// The same; rest(begin, end) is called for the other local rows, whose sums other ranks make.
  template <std::size_t K, class Body, class Rest>
  std::array<double, K> sum(const parallel::Blocks& of_all, const Body& body, const Rest& rest) const {
    if (alone()) return parallel::sum<parallel::Sums<K>>(of_all, body).of;
    const parallel::Blocks blocks = local(of_all);
    std::array<double, K * parallel::max_blocks> partial;
    parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
      const parallel::Sums<K> sum = body(begin, end);
      std::copy_n(sum.of.data(), K, partial.data() + blocks.index(begin) * K);
    });
    for_other_rows(of_all, rest);
    const std::vector<double> all = gather(of_all, K, {partial.data(), K * blocks.count});
    parallel::Sums<K> total{};
    for (std::size_t b = 0; b < of_all.count; ++b)
      for (std::size_t k = 0; k < K; ++k) total.of[k] += all[b * K + k];
    return total.of;
  }

  /// How many of these blocks a rank sums.
  std::size_t blocks_of(const parallel::Blocks& of_all, std::size_t rank) const {
    return alone() ? of_all.count : shares_.blocks(of_all, rank).size();
  }
  /// body(begin, end) for the local rows of blocks that other ranks sum.
  template <class Body>
  void for_other_rows(const parallel::Blocks& of_all, const Body& body) const {
    if (alone()) return;
    const parallel::Blocks blocks = local(of_all);
    const std::size_t first = blocks.count > 0 ? blocks.begin(0) : local_rows_,
                      last = blocks.count > 0 ? blocks.size : local_rows_;
    parallel::for_each(parallel::cut(first), [&](std::size_t begin, std::size_t end) { body(begin, end); });
    parallel::for_each(parallel::cut(local_rows_ - last),
                       [&](std::size_t begin, std::size_t end) { body(last + begin, last + end); });
  }

  /// The numbers of all blocks, `size` for each: `ours` are those of the blocks of this process.
  std::vector<double> gather(const parallel::Blocks& of_all, std::size_t size, std::span<const double> ours) const;
  /// The numbers of all rows, from those of the local rows. One round.
  Vector of_all_rows(std::span<const double> local, std::size_t for_each_row = 1) const;
  /// Communicator::add_in_order, for this process alone, too.
  void add_in_order(std::span<double> sums, const std::function<void(std::size_t begin, std::size_t end)>& add) const;
  void add_in_order(std::span<double> sums, std::span<const std::size_t> parts,
                    const std::function<void(std::size_t begin, std::size_t end)>& add) const;
  /// The numbers of the rank with the first row. One round.
  void take_from_first(std::span<double> numbers) const;
  /// The flags that are set on any rank.
  unsigned any(unsigned flags) const;

 private:
  parallel::Blocks local(const parallel::Blocks& of_all) const;

  std::shared_ptr<Communicator> ranks_;
  std::size_t local_rows_;
  std::size_t first_ = 0;  // of the local rows, among all rows
  RowShares shares_;
};

}  // namespace geodescent
