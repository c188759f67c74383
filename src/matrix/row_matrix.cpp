// The forms of the data matrix: what is checked and known of each. The products are kernels.
#include "geodescent/data/row_matrix.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "base/parallel.hpp"
#include "kernels/kernels.hpp"

namespace geodescent {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

/// One number for all entries, read like an array.
struct Repeated {
  double number;
  double operator[](std::size_t) const { return number; }
  Repeated operator+(std::size_t) const { return *this; }
};

inline Repeated reader(double number) { return {number}; }
template <class T>
const T* reader(const SharedArray<T>& numbers) {
  return numbers.data();
}

/// body(indices, values) with what reads the two arrays in the form they have.
template <class Body>
void with_form(const SparseArrays& arrays, const Body& body) {
  std::visit([&](const auto& indices, const auto& values) { body(indices.data(), reader(values)); }, arrays.indices,
             arrays.values);
}

// Where most rows differ in length from the one before, the end of each is a surprise for the processor (13 ns a row on
// w8a, 5 when rows of equal length come together). Rows of equal length are taken as they come, and so are those that
// are long on average: an end counts for little there, and memory is better read in order. Where it is memory that is
// read, not a cache, order is worth more than anything: 8 ns a row instead of 22 on 170 000 rows of twelve. The limit
// is in entries and not in bytes, so that a sum does not depend on the form of its numbers.
constexpr std::size_t group = SparseRows::group;
constexpr std::size_t longest_ordered = 32;
constexpr std::uint64_t entries_in_cache = 1 << 20;

/// Counting sort, stable; rows of 255 entries and more count as equal.
void order_by_length(const std::uint64_t* offsets, std::size_t rows, std::uint16_t* order) {
  std::array<std::uint16_t, 257> first{};
  const auto length = [&](std::size_t r) { return std::min<std::uint64_t>(offsets[r + 1] - offsets[r], 255); };
  for (std::size_t r = 0; r < rows; ++r) ++first[length(r) + 1];
  for (std::size_t l = 1; l < first.size(); ++l) first[l] = static_cast<std::uint16_t>(first[l] + first[l - 1]);
  for (std::size_t r = 0; r < rows; ++r) order[first[length(r)]++] = static_cast<std::uint16_t>(r);
}

/// Rows from `row` on, as they come.
SparseView view(const SparseArrays& arrays, std::size_t row) {
  const auto* const floats = std::get_if<SharedArray<float>>(&arrays.values);
  const auto* const doubles = std::get_if<SharedArray<double>>(&arrays.values);
  const auto* const repeated = std::get_if<double>(&arrays.values);
  return {arrays.offsets.data() + row,
          nullptr,
          std::visit([](const auto& of) -> const void* { return of.data(); }, arrays.indices),
          floats ? floats->data() : nullptr,
          doubles ? doubles->data() : nullptr,
          repeated ? *repeated : 0};
}

bool narrow(const SparseArrays& arrays) { return std::holds_alternative<SharedArray<std::uint16_t>>(arrays.indices); }

/// Blocks of whole groups.
parallel::Blocks cut_rows(std::size_t rows, std::size_t entries) {
  const std::size_t per_row = entries / std::max<std::size_t>(rows, 1) + 1;
  parallel::Blocks blocks = parallel::cut(rows, 65536 / per_row + 1);
  blocks.length = (blocks.length + group - 1) / group * group;
  blocks.count = (rows + blocks.length - 1) / blocks.length;
  return blocks;
}

/// What is to be known of some sparse rows.
struct SparseFacts {
  bool sorted_offsets = true, increasing = true, in_range = true;
  std::uint64_t longest = 0;
  std::uint64_t changes_of_length = 0;  // from one row to the next
  double gram_products = 0, largest_row_sum = 0, squares = 0;

  SparseFacts& operator+=(const SparseFacts& other) {
    sorted_offsets = sorted_offsets && other.sorted_offsets;
    increasing = increasing && other.increasing;
    in_range = in_range && other.in_range;
    longest = std::max(longest, other.longest);
    changes_of_length += other.changes_of_length;
    gram_products += other.gram_products;
    largest_row_sum = std::max(largest_row_sum, other.largest_row_sum);
    squares += other.squares;
    return *this;
  }
};

template <class Index, class Values>
SparseFacts facts_of_rows(std::span<const std::uint64_t> offsets, std::size_t begin, std::size_t end,
                          const Index* indices, Values values, std::size_t columns) {
  SparseFacts facts;
  // Nothing is read by offsets that point backwards or beyond the end.
  for (std::size_t i = begin; i < end; ++i)
    facts.sorted_offsets &= offsets[i] <= offsets[i + 1] && offsets[i + 1] <= offsets.back();
  if (!facts.sorted_offsets) return facts;
  // Places where indices do not increase may only be those between two rows. Counting all of them is one plain loop.
  const std::uint64_t first = offsets[begin], last = offsets[end];
  std::uint64_t falls = 0, falls_between_rows = 0;
  for (std::uint64_t k = first + 1; k < last; ++k) falls += indices[k - 1] >= indices[k];
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint64_t from = offsets[i], to = offsets[i + 1], length = to - from;
    facts.changes_of_length += i > begin && length != from - offsets[i - 1];
    if (length == 0) continue;
    falls_between_rows += from > first && indices[from - 1] >= indices[from];
    facts.in_range &= indices[to - 1] < columns;
    double row_sum = 0, squares = 0;
    if constexpr (std::is_same_v<Values, Repeated>) {
      row_sum = static_cast<double>(length) * std::abs(values.number);
      squares = static_cast<double>(length) * (values.number * values.number);
    } else {
      for (std::uint64_t k = from; k < to; ++k) {
        const double value = values[k];
        row_sum += std::abs(value);
        squares += value * value;
      }
    }
    facts.longest = std::max(facts.longest, length);
    facts.gram_products += 0.5 * static_cast<double>(length) * static_cast<double>(length + 1);
    facts.largest_row_sum = std::max(facts.largest_row_sum, row_sum);
    facts.squares += squares;
  }
  facts.increasing = falls == falls_between_rows;
  return facts;
}

}  // namespace

double SparseArrays::bytes() const {
  const double index = std::holds_alternative<SharedArray<std::uint16_t>>(indices) ? 2 : 4;
  const double value = 4 * static_cast<double>(values.index());
  return 8 * static_cast<double>(offsets.size()) +
         (index + value) * static_cast<double>(offsets.size() > 0 ? offsets[offsets.size() - 1] : 0);
}

SparseRows::SparseRows(std::vector<std::uint64_t> offsets, std::vector<std::uint32_t> indices,
                       std::vector<double> values, std::size_t columns)
    : SparseRows(SparseArrays{SharedArray(std::move(offsets)), SharedArray(std::move(indices)),
                              SharedArray(std::move(values)), columns}) {}

// A wrong index would read or write foreign memory in every pass, so it is looked for once, here.
SparseRows::SparseRows(SparseArrays arrays) : arrays_(std::move(arrays)) {
  const auto offsets = arrays_.offsets.span();
  require(!offsets.empty() && offsets.front() == 0, "the offsets of sparse rows must begin at 0");
  const std::size_t entries = offsets.back();
  const bool fits = std::visit([=](const auto& of) { return of.size() == entries; }, arrays_.indices);
  const auto* repeated = std::get_if<double>(&arrays_.values);
  const auto* floats = std::get_if<SharedArray<float>>(&arrays_.values);
  const auto* doubles = std::get_if<SharedArray<double>>(&arrays_.values);
  require(fits && (repeated || (floats && floats->size() == entries) || (doubles && doubles->size() == entries)),
          "the offsets of sparse rows must end at the number of entries");
  const parallel::Blocks blocks = cut_rows(rows(), entries);
  SparseFacts facts;
  with_form(arrays_, [&](const auto* indices, auto values) {
    facts = parallel::sum<SparseFacts>(blocks, [&](std::size_t begin, std::size_t end) {
      return facts_of_rows(offsets, begin, end, indices, values, columns());
    });
  });
  require(facts.sorted_offsets, "the offsets of sparse rows must not decrease");
  require(facts.increasing, "the indices of a sparse row must increase");
  require(facts.in_range, "an index of a sparse row is beyond the number of columns");
  longest_row_ = facts.longest;
  gram_products_ = facts.gram_products;
  largest_row_sum_ = facts.largest_row_sum;
  squared_norm_ = facts.squares;
  if (2 * facts.changes_of_length <= rows() || entries / rows() > longest_ordered || entries > entries_in_cache) return;
  order_.resize(rows());
  parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; i += group)
      order_by_length(offsets.data() + i, std::min(group, end - i), order_.data() + i);
  });
}

/// body(view, from, count) for groups of the rows begin .. end, `from` counted from `begin`. Whole groups, and the last
/// of the matrix, are taken in their order.
template <class Body>
void SparseRows::for_each_group(std::size_t begin, std::size_t end, const Body& body) const {
  SparseView rows = view(arrays_, begin);
  for (std::size_t i = begin; i < end;) {
    const std::size_t stop = std::min(end, (i / group + 1) * group);
    const bool whole = i % group == 0 && (stop - i == group || stop == this->rows());
    rows.offsets = arrays_.offsets.data() + i;
    rows.order = whole && !order_.empty() ? order_.data() + i : nullptr;
    body(rows, i - begin, stop - i);
    i = stop;
  }
}

void SparseRows::forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const {
  assert(begin <= end && end <= rows() && x.size() == columns() && out.size() >= end - begin);
  const auto product = narrow(arrays_) ? kernels().sparse_forward_16 : kernels().sparse_forward_32;
  for_each_group(begin, end, [&](const SparseView& rows, std::size_t from, std::size_t count) {
    product(rows, count, x.data(), out.data() + from);
  });
}

void SparseRows::backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                          std::span<double> sum) const {
  assert(begin <= end && end <= rows() && weight.size() >= end - begin && sum.size() == columns());
  const auto product = narrow(arrays_) ? kernels().sparse_backward_16 : kernels().sparse_backward_32;
  for_each_group(begin, end, [&](const SparseView& rows, std::size_t from, std::size_t count) {
    product(rows, count, weight.data() + from, sum.data());
  });
}

void SparseRows::add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                          std::span<double>) const {
  assert(begin <= end && end <= rows() && weight.size() >= end - begin && sum.size() == columns() * columns());
  const auto product = narrow(arrays_) ? kernels().sparse_gram_16 : kernels().sparse_gram_32;
  // As they come: the loops are long.
  product(view(arrays_, begin), end - begin, columns(), weight.data(), sum.data());
}

std::vector<std::uint32_t> SparseRows::indices(std::size_t row) const {
  assert(row < rows());
  std::vector<std::uint32_t> copy;
  with_form(arrays_, [&](const auto* indices, auto) {
    copy.assign(indices + arrays_.offsets[row], indices + arrays_.offsets[row + 1]);
  });
  return copy;
}

std::vector<double> SparseRows::values(std::size_t row) const {
  assert(row < rows());
  std::vector<double> copy;
  with_form(arrays_, [&](const auto*, auto values) {
    for (std::uint64_t k = arrays_.offsets[row]; k < arrays_.offsets[row + 1]; ++k) copy.push_back(values[k]);
  });
  return copy;
}

void SparseRows::copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const {
  indices.clear();
  values.clear();
  with_form(arrays_, [&](const auto* all_indices, auto all_values) {
    for (std::uint64_t k = arrays_.offsets[i]; k < arrays_.offsets[i + 1]; ++k) {
      if (all_values[k] == 0) continue;
      indices.push_back(all_indices[k]);
      values.push_back(all_values[k]);
    }
  });
}

DenseRows::DenseRows(Vector entries, std::size_t columns)
    : DenseRows(DenseArray(SharedArray(std::move(entries))), columns) {}

DenseRows::DenseRows(DenseArray entries, std::size_t columns) : entries_(std::move(entries)), columns_(columns) {
  const std::size_t size = std::visit([](const auto& of) { return of.size(); }, entries_);
  rows_ = columns == 0 ? 0 : size / columns;
  require(size == rows_ * columns_, "dense rows must all have the same length");
  struct Facts {
    double largest_row_sum = 0, squares = 0;
    Facts& operator+=(const Facts& other) {
      largest_row_sum = std::max(largest_row_sum, other.largest_row_sum);
      squares += other.squares;
      return *this;
    }
  };
  const Facts facts = std::visit(
      [&](const auto& of) {
        return parallel::sum<Facts>(
            parallel::cut(rows_, 65536 / (columns_ + 1) + 1), [&](std::size_t begin, std::size_t end) {
              Facts part;
              for (std::size_t i = begin; i < end; ++i) {
                const auto sums = parallel::sum_in_lanes<2>(i * columns_, (i + 1) * columns_, [&](std::size_t k) {
                  const double a = of[k];
                  return std::array{std::abs(a), a * a};
                });
                part += {sums.of[0], sums.of[1]};
              }
              return part;
            });
      },
      entries_);
  largest_row_sum_ = facts.largest_row_sum;
  squared_norm_ = facts.squares;
}

double DenseRows::bytes() const {
  return static_cast<double>(rows_ * columns_) * (std::holds_alternative<SharedArray<float>>(entries_) ? 4 : 8);
}

void DenseRows::forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const {
  assert(begin <= end && end <= rows_ && x.size() == columns_ && out.size() >= end - begin);
  const Kernels& k = kernels();
  if (const auto* floats = std::get_if<SharedArray<float>>(&entries_))
    k.dense_forward_float(floats->data() + begin * columns_, end - begin, columns_, x.data(), out.data());
  else if (const auto* doubles = std::get_if<SharedArray<double>>(&entries_))
    k.dense_forward_double(doubles->data() + begin * columns_, end - begin, columns_, x.data(), out.data());
}

void DenseRows::backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                         std::span<double> sum) const {
  assert(begin <= end && end <= rows_ && weight.size() >= end - begin && sum.size() == columns_);
  const Kernels& k = kernels();
  if (const auto* floats = std::get_if<SharedArray<float>>(&entries_))
    k.dense_backward_float(floats->data() + begin * columns_, end - begin, columns_, weight.data(), sum.data());
  else if (const auto* doubles = std::get_if<SharedArray<double>>(&entries_))
    k.dense_backward_double(doubles->data() + begin * columns_, end - begin, columns_, weight.data(), sum.data());
}

void DenseRows::add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                         std::span<double> scratch) const {
  assert(begin <= end && end <= rows_ && weight.size() >= end - begin && sum.size() == columns_ * columns_ &&
         scratch.size() >= gram_scratch());
  const Kernels& k = kernels();
  if (const auto* floats = std::get_if<SharedArray<float>>(&entries_))
    k.dense_gram_float(floats->data() + begin * columns_, end - begin, columns_, weight.data(), sum.data(),
                       scratch.data());
  else if (const auto* doubles = std::get_if<SharedArray<double>>(&entries_))
    k.dense_gram_double(doubles->data() + begin * columns_, end - begin, columns_, weight.data(), sum.data(),
                        scratch.data());
}

std::size_t DenseRows::gram_scratch() const { return dense_gram_scratch(columns_); }

double DenseRows::gram_products() const {
  const double d = static_cast<double>(columns_);
  return 0.5 * static_cast<double>(rows_) * d * (d + 1);
}

Vector DenseRows::row(std::size_t i) const {
  assert(i < rows_);
  return std::visit([&](const auto& of) { return Vector(of.data() + i * columns_, of.data() + (i + 1) * columns_); },
                    entries_);
}

void DenseRows::copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const {
  indices.clear();
  values.clear();
  std::visit(
      [&](const auto& of) {
        for (std::size_t j = 0; j < columns_; ++j) {
          const double value = of[i * columns_ + j];
          if (value == 0) continue;
          indices.push_back(static_cast<std::uint32_t>(j));
          values.push_back(value);
        }
      },
      entries_);
}

}  // namespace geodescent
