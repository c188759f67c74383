// Sums over rows on several threads. Blocks depend on the data alone and are added in order, so a
// proof has the same bits for every number of threads. Internal to the library.
#pragma once

#include <cstddef>
#include <exception>
#include <numeric>
#include <vector>

#include "base/parallel.hpp"
#include "certificate/numbers/bounded.hpp"
#include "certificate/rows/divisions.hpp"

namespace geodescent::proof {

/// Blocks for a few instructions per row. Work that takes less time than waking a thread is one
/// block.
inline constexpr std::size_t light_grain = std::size_t{1} << 14;
inline parallel::Blocks light_blocks(std::size_t size) { return parallel::cut(size, light_grain); }

/// body(block, begin, end) for every block. Rethrows the exception of the first block that failed.
template <class Body>
void for_each_block(const parallel::Blocks& blocks, const Body& body) {
  std::vector<std::exception_ptr> errors(blocks.count);
  parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
    const std::size_t block = blocks.index(begin);
    try {
      body(block, begin, end);
    } catch (...) {
      errors[block] = std::current_exception();
    }
  });
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

/// The sum of the whole numbers sum(block, begin, end) of all blocks.
template <class Sum>
auto sum_of_blocks(const parallel::Blocks& blocks, const Sum& sum) {
  using Whole = decltype(sum(std::size_t{}, std::size_t{}, std::size_t{}));
  std::vector<Whole> sums(blocks.count);
  for_each_block(blocks,
                 [&](std::size_t block, std::size_t begin, std::size_t end) { sums[block] = sum(block, begin, end); });
  return std::accumulate(sums.begin(), sums.end(), Whole{0});
}

/// The sum over 0 <= i < size. add(begin, end, sum) adds the terms of a range to a local BoundedSum
/// or RowSum.
template <class Sum, class Add>
Bounded sum_over(std::size_t size, const Add& add) {
  const parallel::Blocks blocks = sum_blocks(size);
  std::vector<Sum> sums(blocks.count);
  for_each_block(blocks, [&](std::size_t block, std::size_t begin, std::size_t end) {
    Sum sum;  // a local variable, because threads that write to adjacent memory slow each other down
    add(begin, end, sum);
    sums[block] = sum;
  });
  BoundedSum total;
  for (const Sum& sum : sums) total.add(sum.result());
  return total.result();
}

}  // namespace geodescent::proof
