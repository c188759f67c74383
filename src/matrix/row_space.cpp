#include "matrix/row_space.hpp"

#include <cassert>
#include <stdexcept>
#include <utility>

#include "geodescent/data/row_matrix.hpp"

namespace geodescent {
namespace {

/// The fewest blocks that a large division has. Shares that end where these blocks end need few
/// rows twice.
constexpr std::size_t coarsest = 8;

}  // namespace

std::size_t RowShares::begin(std::size_t rank) const {
  const std::size_t units = rows / together;
  if (ranks > coarsest) return together * (units / ranks * rank + units % ranks * rank / ranks);
  const std::size_t eighth = (units + coarsest - 1) / coarsest;
  return together * std::min(units, (rank * coarsest + ranks / 2) / ranks * eighth);
}

RowRange RowShares::blocks(const parallel::Blocks& of_all, std::size_t rank) const {
  // The first block with its middle at or after this row.
  const auto first_from = [&](std::size_t row) {
    std::size_t low = 0, high = of_all.count;
    while (low < high) {
      const std::size_t b = (low + high) / 2, begin = of_all.begin(b);
      if (begin + (of_all.end(b) - begin) / 2 < row)
        low = b + 1;
      else
        high = b;
    }
    return low;
  };
  return {first_from(begin(rank)), rank + 1 == ranks ? of_all.count : first_from(begin(rank + 1))};
}

std::size_t RowShares::group(bool is_dense) { return is_dense ? 8 : SparseRows::group; }

RowRange RowShares::held(std::span<const parallel::Blocks> divisions, std::size_t rank, std::size_t group) const {
  RowRange held = of(rank);
  for (const parallel::Blocks& of_all : divisions) {
    const RowRange own = blocks(of_all, rank);
    if (own.size() == 0) continue;
    held.begin = std::min(held.begin, of_all.begin(own.begin));
    held.end = std::max(held.end, of_all.end(own.end - 1));
  }
  if (held.size() == 0) held = {0, std::min<std::size_t>(rows, 1)};  // an image has at least one entry
  const std::size_t unit = group * together;
  held.begin = held.begin / unit * unit;
  held.end = std::min(rows, (held.end + unit - 1) / unit * unit);
  return held;
}

RowSpace::RowSpace(std::shared_ptr<Communicator> ranks, std::size_t rows, const RowRange& held)
    : ranks_(std::move(ranks)), local_rows_(held.size()), first_(held.begin), shares_{rows, ranks_->ranks()} {}

RowSpace RowSpace::entries(std::size_t size, std::size_t for_each_row) const {
  if (alone()) return RowSpace(size);
  assert(size == local_rows_ * for_each_row);
  RowSpace of_images = *this;
  of_images.local_rows_ = size;
  of_images.first_ *= for_each_row;
  of_images.shares_ = {rows() * for_each_row, shares_.ranks, for_each_row};
  return of_images;
}

RowRange RowSpace::share() const {
  if (alone()) return {0, local_rows_};
  const RowRange of_all = shares_.of(ranks_->rank());
  if (of_all.size() == 0) return {};
  return {of_all.begin - first_, of_all.end - first_};
}

parallel::Blocks RowSpace::local(const parallel::Blocks& of_all) const {
  const RowRange own = shares_.blocks(of_all, ranks_->rank());
  if (own.size() == 0) return {0, of_all.length, 0};
  const std::size_t first = of_all.begin(own.begin), last = of_all.end(own.end - 1);
  if (first < first_ || last > first_ + local_rows_)
    throw std::logic_error("a rank lacks rows of a block that it sums, which on_ranks should give it");
  return {last - first_, of_all.length, own.size(), first - first_};
}

std::vector<double> RowSpace::gather(const parallel::Blocks& of_all, std::size_t size,
                                     std::span<const double> ours) const {
  std::vector<double> all(of_all.count * size);
  if (all.empty()) return all;
  std::vector<std::size_t> sizes(shares_.ranks);
  for (std::size_t r = 0; r < sizes.size(); ++r) sizes[r] = shares_.blocks(of_all, r).size() * size;
  ranks_->gather(ours, sizes, all);
  return all;
}

Vector RowSpace::of_all_rows(std::span<const double> local, std::size_t for_each_row) const {
  assert(local.size() == local_rows_ * for_each_row);
  if (alone()) return {local.begin(), local.end()};
  std::vector<std::size_t> sizes(shares_.ranks);
  for (std::size_t r = 0; r < sizes.size(); ++r) sizes[r] = shares_.of(r).size() * for_each_row;
  const RowRange ours = share();
  Vector all(rows() * for_each_row);
  ranks_->gather(local.subspan(ours.begin * for_each_row, ours.size() * for_each_row), sizes, all);
  return all;
}

void RowSpace::add_in_order(std::span<double> sums,
                            const std::function<void(std::size_t begin, std::size_t end)>& add) const {
  if (alone()) return add(0, sums.size());
  ranks_->add_in_order(sums, add);
}

void RowSpace::add_in_order(std::span<double> sums, std::span<const std::size_t> parts,
                            const std::function<void(std::size_t begin, std::size_t end)>& add) const {
  ranks_->add_in_order(sums, parts, add);
}

void RowSpace::take_from_first(std::span<double> numbers) const {
  if (alone()) return;
  std::vector<std::size_t> sizes(shares_.ranks);
  sizes[0] = numbers.size();
  const std::vector<double> ours(numbers.begin(), numbers.end());
  ranks_->gather(ranks_->rank() == 0 ? std::span(ours) : std::span<const double>{}, sizes, numbers);
}

unsigned RowSpace::any(unsigned flags) const {
  if (alone()) return flags;
  const double ours = flags;
  std::vector<double> all(shares_.ranks);
  ranks_->gather({&ours, 1}, std::vector<std::size_t>(shares_.ranks, 1), all);
  for (const double other : all) flags |= static_cast<unsigned>(other);
  return flags;
}

}  // namespace geodescent
