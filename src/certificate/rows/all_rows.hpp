// The rows of a proof, and every sum over them. They may be on several ranks; a sum then has the
// bits of one process: each rank sums whole blocks, and the sums of blocks are added in order. If a
// rank throws, all of them do.
//
// The solver has sums of its own (RowSpace); which rank sums which block is found here from the
// rows that ranks hold. Internal to the library.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/row_range.hpp"
#include "certificate/rows/divisions.hpp"
#include "certificate/rows/product_sum.hpp"
#include "certificate/rows/row_sums.hpp"
#include "geodescent/data/dataset.hpp"
#include "geodescent/ranks.hpp"

namespace geodescent::proof {

__extension__ using Wide = __int128;

class AllRows {
 public:
  /// Keeps Dataset::ranks.
  explicit AllRows(const Dataset& data);

  bool alone() const { return !shared_; }       ///< whether all rows are here
  std::size_t size() const { return size_; }    ///< of all ranks
  std::size_t here() const { return here_; }    ///< rows of this process
  std::size_t nonzeros() const;                 ///< entries of the matrix of all rows
  RowRange share() const { return share_; }     ///< the rows here that no other rank counts
  std::size_t first() const { return first_; }  ///< of the rows here, among all rows
  /// The number of a row here in messages: from 1, among all rows.
  std::size_t number(std::size_t i) const { return first_ + i + 1; }
  /// The communicator, unless all rows are here.
  Communicator& ranks() const;

  /// Of numbers for all rows, or for those here, `per_row` each: those for the rows here.
  template <class Number>
  std::span<const Number> local(std::span<const Number> numbers, std::size_t per_row = 1) const {
    return numbers.size() == here_ * per_row ? numbers : numbers.subspan(first_ * per_row, here_ * per_row);
  }
  /// Whether there are numbers for all rows, or for those here.
  bool fits(std::size_t numbers, std::size_t per_row = 1) const {
    return numbers == here_ * per_row || numbers == size_ * per_row;
  }

  /// Calls what(), and throws on all ranks if it throws on one.
  void together(const std::function<void()>& what) const;

  /// body(begin, end) for all rows here, in blocks of about `grain` rows.
  template <class Body>
  void for_rows_here(std::size_t grain, const Body& body) const {
    together([&] {
      for_each_block(parallel::cut(here_, grain),
                     [&](std::size_t, std::size_t begin, std::size_t end) { body(begin, end); });
    });
  }

  /// Of blocks of all rows those that this rank sums, as blocks of its rows.
  parallel::Blocks of_rank(const parallel::Blocks& of_all) const;
  /// body(begin, end, numbers) for each block of all rows, each on one rank. Returns the numbers of
  /// all blocks, `size` for each.
  template <class Body>
  std::vector<double> numbers_of_blocks(const parallel::Blocks& of_all, std::size_t size, const Body& body) const {
    const parallel::Blocks blocks = of_rank(of_all);
    std::vector<double> ours(blocks.count * size);
    together([&] {
      for_each_block(blocks, [&](std::size_t block, std::size_t begin, std::size_t end) {
        body(begin, end, std::span(ours).subspan(block * size, size));
      });
    });
    return gathered_blocks(of_all, size, std::move(ours));
  }

  /// The same for numbers that add(begin, end, numbers) adds to, row by row, where no rank may have
  /// all rows of a block: then each rank goes on with the numbers of the rank before it. Terms
  /// added in their order to 0.
  template <class Add>
  std::vector<double> added_to_blocks(const parallel::Blocks& of_all, std::size_t size, const Add& add) const {
    if (alone() || holds(of_all)) return numbers_of_blocks(of_all, size, add);
    std::vector<double> numbers(of_all.count * size);
    pass_on(numbers, [&] {
      for (const Segment& part : segments(of_all))
        add(part.begin, part.end, std::span(numbers).subspan(part.block * size, size));
    });
    return numbers;
  }

  /// The rows here that only this rank counts, cut where blocks of all rows begin.
  struct Segment {
    std::size_t block, begin, end;  ///< of all rows; of the rows here
    bool begins, ends;              ///< whether these are the first, and the last, rows of the block
  };
  std::vector<Segment> segments(const parallel::Blocks& of_all) const;
  /// The ranks that have the rows before and after these. There must be such rows.
  std::size_t rank_before() const;
  std::size_t rank_after() const;

  /// The sum over all rows. add(begin, end, sum) adds the terms of a range to a local BoundedSum or
  /// RowSum.
  template <class Sum, class Add>
  Bounded sum(const Add& add) const {
    if (alone()) return sum_over<Sum>(here_, add);
    const auto all =
        numbers_of_blocks(sum_blocks(size_), 3, [&](std::size_t begin, std::size_t end, std::span<double> numbers) {
          Sum of_block;
          add(begin, end, of_block);
          const Bounded sum = of_block.result();
          numbers[0] = sum.value.high;
          numbers[1] = sum.value.low;
          numbers[2] = sum.error;
        });
    BoundedSum total;
    for (std::size_t k = 0; k < all.size(); k += 3) total.add({{all[k], all[k + 1]}, all[k + 2]});
    return total.result();
  }

  /// add(begin, end) adds rows to the numbers, one rank after the other, in the order of the rows;
  /// all ranks get them. It may not throw.
  void add_in_order(std::span<double> numbers,
                    const std::function<void(std::size_t begin, std::size_t end)>& add) const;
  /// add(begin, end, sums) adds rows to several sums in their order.
  void add_in_order(std::span<RowSum> sums,
                    const std::function<void(std::size_t begin, std::size_t end, std::span<RowSum>)>& add) const;

  /// The sum over ranks, exactly.
  Wide total(Wide ours) const;
  bool is_same(double ours) const;  ///< whether all ranks have this number
  double largest(double ours) const;
  double smallest(double ours) const { return -largest(-ours); }
  /// The numbers of all rows, from those of the rows here.
  std::vector<double> of_all(std::span<const double> here) const;
  /// The number of items among all rows, and among those before the rows here. counts(begin, end):
  /// among some rows here.
  struct Items {
    std::uint64_t before = 0, all = 0;
  };
  Items items(const std::function<std::uint64_t(std::size_t begin, std::size_t end)>& count) const;

 private:
  /// Whether each block has a rank that holds all of its rows.
  bool holds(const parallel::Blocks& of_all) const { return !blocks_of_ranks(of_all).empty(); }
  /// Communicator::pass_on; then all ranks get the result, and throw if one did.
  void pass_on(std::span<double> numbers, const std::function<void()>& change) const;
  /// As many numbers of each rank, one rank after the other.
  std::vector<double> of_ranks(std::span<const double> ours) const;
  std::vector<RowRange> blocks_of_ranks(const parallel::Blocks& of_all) const;
  std::vector<double> gathered_blocks(const parallel::Blocks& of_all, std::size_t size, std::vector<double> ours) const;

  std::shared_ptr<const SharedRows> shared_;
  std::size_t size_, here_, first_ = 0, nonzeros_ = 0;
  RowRange share_;
};

}  // namespace geodescent::proof
