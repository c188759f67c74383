#include "matrix/used_columns.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <limits>

#include "base/machine/fresh_array.hpp"
#include "base/parallel.hpp"

namespace geodescent {
namespace {

/// With more entries, products take longer than vectors, and few columns of text are empty.
constexpr std::size_t most_entries_per_column = 4;
/// The largest part of the columns that may be used.
constexpr double most_used = 0.75;
constexpr std::size_t entries_of_block = 1 << 16, bits_of_word = 64;

using Indices = decltype(SparseArrays::indices);

}  // namespace

std::optional<UsedColumns> UsedColumns::of(const RowMatrix& matrix) { return of(matrix, matrix.nonzeros(), nullptr); }

std::optional<UsedColumns> UsedColumns::of(const RowMatrix& rows_here, std::size_t nonzeros, Communicator& ranks) {
  return of(rows_here, nonzeros, &ranks);
}

std::optional<UsedColumns> UsedColumns::of(const RowMatrix& matrix, std::size_t nonzeros, Communicator* ranks) {
  const auto* const sparse = dynamic_cast<const SparseRows*>(&matrix);
  if (!sparse) return std::nullopt;
  const SparseArrays& arrays = sparse->arrays();
  if (nonzeros / most_entries_per_column >= arrays.columns) return std::nullopt;
  UsedColumns columns;
  columns.columns_ = arrays.columns;
  columns.constant_ = arrays.constant != 0;
  std::visit([&](const auto& indices) { columns.mark(indices); }, arrays.indices);
  if (ranks != nullptr) columns.add_those_of(*ranks);
  for (Word& word : columns.words_) {
    word.before = static_cast<std::uint32_t>(columns.used_);
    columns.used_ += static_cast<std::size_t>(std::popcount(word.used));
  }
  if (static_cast<double>(columns.used_) > most_used * static_cast<double>(arrays.columns)) return std::nullopt;
  return columns;
}

template <class Index>
void UsedColumns::mark(const SharedArray<Index>& indices) {
  words_.resize((columns_ + bits_of_word - 1) / bits_of_word);
  parallel::for_each(parallel::cut(indices.size(), entries_of_block), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t column = indices[k];
      const std::uint64_t bit = std::uint64_t{1} << column % bits_of_word;
      const std::atomic_ref<std::uint64_t> word(words_[column / bits_of_word].used);
      if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
    }
  });
}

/// Half a word is a number that a double has exactly.
void UsedColumns::add_those_of(Communicator& ranks) {
  constexpr int half = 32;
  std::vector<double> halves(2 * words_.size());
  ranks.add_in_order(halves, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      const auto ours = static_cast<std::uint32_t>(words_[k / 2].used >> (k % 2 == 0 ? 0 : half));
      halves[k] = static_cast<double>(static_cast<std::uint32_t>(halves[k]) | ours);
    }
  });
  for (std::size_t w = 0; w < words_.size(); ++w)
    words_[w].used = static_cast<std::uint64_t>(halves[2 * w]) | static_cast<std::uint64_t>(halves[2 * w + 1]) << half;
}

std::uint32_t UsedColumns::place(std::size_t column) const {
  const Word& word = words_[column / bits_of_word];
  const std::uint64_t lower = (std::uint64_t{1} << column % bits_of_word) - 1;
  return word.before + static_cast<std::uint32_t>(std::popcount(word.used & lower));
}

template <class To, class Index>
SharedArray<To> UsedColumns::places(const SharedArray<Index>& indices) const {
  const FreshArray<To> result(indices.size());
  parallel::for_each(parallel::cut(indices.size(), entries_of_block), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) result.data()[k] = static_cast<To>(place(indices[k]));
  });
  return result.shared();
}

std::shared_ptr<const RowMatrix> UsedColumns::reduced(const RowMatrix& matrix) const {
  SparseArrays arrays = dynamic_cast<const SparseRows&>(matrix).arrays();
  assert(arrays.columns == columns_);
  arrays.columns = used_;
  arrays.indices = std::visit(
      [&](const auto& indices) -> Indices {
        if (used_ <= std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1) return places<std::uint16_t>(indices);
        return places<std::uint32_t>(indices);
      },
      arrays.indices);
  return std::make_shared<const SparseRows>(std::move(arrays));
}

/// visit(place, column) in increasing order.
template <class Visit>
void UsedColumns::for_each_used(const Visit& visit) const {
  std::size_t place = 0;
  for (std::size_t w = 0; w < words_.size(); ++w)
    for (std::uint64_t left = words_[w].used; left != 0; left &= left - 1)
      visit(place++, w * bits_of_word + static_cast<std::size_t>(std::countr_zero(left)));
}

Vector UsedColumns::reduced(std::span<const double> x, std::size_t outputs) const {
  assert(x.size() == (columns_ + (constant_ ? 1 : 0)) * outputs);
  Vector result(count() * outputs);
  const auto copy = [&](std::size_t place, std::size_t column) {
    std::copy_n(x.data() + column * outputs, outputs, result.data() + place * outputs);
  };
  for_each_used(copy);
  if (constant_) copy(used_, columns_);
  return result;
}

Vector UsedColumns::expanded(std::span<const double> x, std::size_t outputs) const {
  assert(x.size() == count() * outputs);
  Vector result((columns_ + (constant_ ? 1 : 0)) * outputs);
  const auto copy = [&](std::size_t place, std::size_t column) {
    std::copy_n(x.data() + place * outputs, outputs, result.data() + column * outputs);
  };
  for_each_used(copy);
  if (constant_) copy(used_, columns_);
  return result;
}

}  // namespace geodescent
