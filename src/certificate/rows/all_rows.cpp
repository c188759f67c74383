#include "certificate/rows/all_rows.hpp"

#include <algorithm>
#include <cassert>
#include <exception>
#include <stdexcept>

#include "data/ranks/rank_messages.hpp"
#include "data/ranks/shared_rows.hpp"

namespace geodescent::proof {

AllRows::AllRows(const Dataset& data)
    : shared_(data.ranks), size_(number_of_rows(data)), here_(data.targets.size()), share_{0, here_} {
  if (!shared_) {
    nonzeros_ = data.rows ? data.rows->nonzeros() : 0;
    return;
  }
  nonzeros_ = shared_->nonzeros;
  first_ = shared_->first_row();
  share_ = shared_->share();
}

std::size_t AllRows::nonzeros() const { return nonzeros_; }

Communicator& AllRows::ranks() const {
  assert(!alone());
  return *shared_->ranks;
}

void AllRows::together(const std::function<void()>& what) const {
  if (alone()) return what();
  on_all_ranks(ranks(), what);
}

/// The first rank that holds all rows of a block sums it. Empty if there is none for a block.
std::vector<RowRange> AllRows::blocks_of_ranks(const parallel::Blocks& of_all) const {
  const std::vector<RowRange>& held = shared_->held;
  std::vector<RowRange> blocks(held.size());
  std::size_t rank = 0;
  for (std::size_t b = 0; b < of_all.count; ++b) {
    while (rank < held.size() && (held[rank].begin > of_all.begin(b) || held[rank].end < of_all.end(b))) ++rank;
    if (rank == held.size()) return {};
    if (blocks[rank].size() == 0) blocks[rank].begin = b;
    blocks[rank].end = b + 1;
  }
  return blocks;
}

parallel::Blocks AllRows::of_rank(const parallel::Blocks& of_all) const {
  if (alone()) return of_all;
  const std::vector<RowRange> blocks = blocks_of_ranks(of_all);
  if (blocks.empty()) throw std::logic_error("no rank has all rows of a block, which on_ranks should give it");
  const RowRange own = blocks[ranks().rank()];
  if (own.size() == 0) return {0, of_all.length, 0};
  return {of_all.end(own.end - 1) - first_, of_all.length, own.size(), of_all.begin(own.begin) - first_};
}

std::vector<double> AllRows::gathered_blocks(const parallel::Blocks& of_all, std::size_t size,
                                             std::vector<double> ours) const {
  if (alone()) return ours;
  std::vector<std::size_t> sizes;
  for (const RowRange& of_rank : blocks_of_ranks(of_all)) sizes.push_back(of_rank.size() * size);
  std::vector<double> all(of_all.count * size);
  ranks().gather(ours, sizes, all);
  return all;
}

std::vector<AllRows::Segment> AllRows::segments(const parallel::Blocks& of_all) const {
  std::vector<Segment> parts;
  const std::size_t last = first_ + share_.end;
  for (std::size_t next = first_ + share_.begin; next < last;) {
    const std::size_t block = of_all.index(next), end = std::min(of_all.end(block), last);
    parts.push_back({block, next - first_, end - first_, next == of_all.begin(block), end == of_all.end(block)});
    next = end;
  }
  return parts;
}

std::size_t AllRows::rank_before() const {
  std::size_t rank = ranks().rank() - 1;
  while (shared_->shares[rank].size() == 0) --rank;
  return rank;
}

std::size_t AllRows::rank_after() const {
  std::size_t rank = ranks().rank() + 1;
  while (shared_->shares[rank].size() == 0) ++rank;
  return rank;
}

void AllRows::pass_on(std::span<double> numbers, const std::function<void()>& change) const {
  std::exception_ptr error;
  ranks().pass_on(numbers, [&] {
    try {
      change();
    } catch (...) {  // the other ranks wait for the numbers
      error = std::current_exception();
    }
  });
  throw_on_all(ranks(), error);
  std::vector<std::size_t> sizes(ranks().ranks());
  sizes.back() = numbers.size();
  const bool is_last = ranks().rank() + 1 == sizes.size();
  const std::vector<double> ours(is_last ? numbers.begin() : numbers.end(), numbers.end());
  ranks().gather(ours, sizes, numbers);
}

void AllRows::add_in_order(std::span<double> numbers,
                           const std::function<void(std::size_t begin, std::size_t end)>& add) const {
  if (alone()) return add(0, here_);
  // In one part: each call of `add` takes all rows.
  ranks().add_in_order(numbers, std::span<const std::size_t>{},
                       [&](std::size_t, std::size_t) { add(share_.begin, share_.end); });
}

void AllRows::add_in_order(
    std::span<RowSum> sums,
    const std::function<void(std::size_t begin, std::size_t end, std::span<RowSum>)>& add) const {
  if (alone()) return add(0, here_, sums);
  std::vector<double> numbers(sums.size() * RowSum::numbers);
  const auto of_sum = [&](std::size_t k) {
    return std::span<double, RowSum::numbers>(numbers.data() + k * RowSum::numbers, RowSum::numbers);
  };
  add_in_order(numbers, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k].take(of_sum(k));
    add(begin, end, sums);
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k].put(of_sum(k));
  });
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k].take(of_sum(k));
}

std::vector<double> AllRows::of_ranks(std::span<const double> ours) const {
  std::vector<double> all(ours.size() * ranks().ranks());
  ranks().gather(ours, std::vector<std::size_t>(ranks().ranks(), ours.size()), all);
  return all;
}

Wide AllRows::total(Wide ours) const {
  if (alone()) return ours;
  constexpr int bits = 32;  // of a double, which has more
  std::vector<double> parts;
  for (int k = 0; k < 3; ++k) parts.push_back(static_cast<double>(static_cast<std::uint32_t>(ours >> (bits * k))));
  parts.push_back(static_cast<double>(static_cast<std::int64_t>(ours >> (3 * bits))));
  const std::vector<double> all = of_ranks(parts);
  Wide total = 0;
  for (std::size_t at = 0; at < all.size(); at += parts.size())
    for (std::size_t k = 0; k < parts.size(); ++k)
      total += Wide{static_cast<std::int64_t>(all[at + k])} * (Wide{1} << (bits * k));
  return total;
}

bool AllRows::is_same(double ours) const {
  if (alone()) return true;
  const std::vector<double> all = of_ranks({&ours, 1});
  return std::ranges::all_of(all, [&](double other) { return other == all.front(); });
}

double AllRows::largest(double ours) const { return alone() ? ours : std::ranges::max(of_ranks({&ours, 1})); }

std::vector<double> AllRows::of_all(std::span<const double> here) const {
  if (alone()) return {here.begin(), here.end()};
  return gather_all(ranks(), here.subspan(share_.begin, share_.size()));
}

AllRows::Items AllRows::items(const std::function<std::uint64_t(std::size_t begin, std::size_t end)>& count) const {
  if (alone()) return {0, count(0, here_)};
  const double ours = static_cast<double>(count(share_.begin, share_.end));
  const std::vector<double> counts = of_ranks({&ours, 1});
  Items items;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const auto of_rank = static_cast<std::uint64_t>(counts[r]);
    if (r < ranks().rank()) items.before += of_rank;
    items.all += of_rank;
  }
  items.before -= count(0, share_.begin);
  return items;
}

}  // namespace geodescent::proof
