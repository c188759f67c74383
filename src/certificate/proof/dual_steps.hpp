// Dual values as whole numbers of steps. Internal to the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "certificate/rows/all_rows.hpp"
#include "certificate/rows/row_sums.hpp"

namespace geodescent::proof {

inline constexpr std::int64_t largest_step = std::int64_t{1} << 53;  ///< so that every v is a double, exactly
inline constexpr int least_exponent = -1074;                         ///< of the smallest double
inline constexpr int largest_exponent = 1023;

/// The most steps that fit into so many bytes.
inline std::int64_t largest_step_of(int bytes) {
  return std::min(largest_step, static_cast<std::int64_t>((std::uint64_t{1} << (8 * bytes - 1)) - 1));
}

/// The smallest exponent with which `limit` steps reach every value up to `largest`.
inline int exponent_for(double largest, std::int64_t limit) {
  if (largest == 0) return 0;
  int exponent = std::ilogb(largest) - std::ilogb(static_cast<double>(limit)) - 1;
  while (std::ldexp(largest, -exponent) > static_cast<double>(limit)) ++exponent;
  return std::clamp(exponent, least_exponent, largest_exponent);
}

/// v 2^-exponent, exact where the result is at least 1. In two factors, because one could overflow.
class InSteps {
 public:
  explicit InSteps(int exponent)
      : first_factor_(std::ldexp(1.0, -exponent / 2)), second_factor_(std::ldexp(1.0, -exponent - (-exponent / 2))) {}
  double operator()(double v) const { return v * first_factor_ * second_factor_; }

 private:
  double first_factor_;
  double second_factor_;
};

/// Takes `missing` steps from rows with room: row i has room for slack(i) of them if that is over
/// 0, and move(i, steps) takes some. In each round all rows with room give the same share. Returns
/// false if there is too little room. Rows that several ranks hold move alike on all of them.
template <class Slack, class Move>
bool share_out(const AllRows& rows, Wide missing, const Slack& slack, const Move& move) {
  const parallel::Blocks blocks = light_blocks(rows.here());
  const RowRange share_here = rows.share();
  std::vector<std::uint64_t> before_block(blocks.count + 1);  // rows with room
  const auto with_room = [&](std::size_t begin, std::size_t end) {
    std::uint64_t count = 0;
    for (std::size_t i = begin; i < end; ++i) count += slack(i) > 0 ? 1 : 0;
    return count;
  };
  while (missing > 0) {
    for_each_block(blocks, [&](std::size_t block, std::size_t begin, std::size_t end) {
      before_block[block + 1] = with_room(begin, end);
    });
    before_block[0] = 0;
    std::partial_sum(before_block.begin(), before_block.end(), before_block.begin());
    const AllRows::Items with = rows.items([&](std::size_t begin, std::size_t end) {
      if (begin == 0 && end == rows.here()) return before_block.back();
      return with_room(begin, end);
    });
    const std::uint64_t items = with.all;
    if (items == 0) return false;
    // No item moves by more than it has room, which is far less than 2^62.
    const auto share = static_cast<std::int64_t>(std::min<Wide>(missing / items, Wide{1} << 62));
    const auto rest = static_cast<std::uint64_t>(missing % items);
    missing -= rows.total(sum_of_blocks(blocks, [&](std::size_t block, std::size_t begin, std::size_t end) {
      // Of the rest, which is spread evenly over the items.
      auto due = static_cast<std::uint64_t>((Wide{with.before} + before_block[block]) * rest % items);
      Wide moved = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const std::int64_t room = slack(i);
        if (room <= 0) continue;
        due += rest;
        const bool one_more = due >= items;
        due -= one_more ? items : 0;
        if (share == 0 && !one_more) continue;  // true for most items
        const std::int64_t steps = std::min(room, share + (one_more ? 1 : 0));
        move(i, steps);
        if (i >= share_here.begin && i < share_here.end) moved += steps;
      }
      return moved;
    }));
  }
  return true;
}

}  // namespace geodescent::proof
