// Compressed rows: validation, norms and processing order. The products are kernels.
#include "geodescent/data/row_matrix.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "kernels/kernels.hpp"
#include "matrix/require.hpp"
#include "matrix/row_totals.hpp"
#include "matrix/sparse_view.hpp"

namespace geodescent {
namespace {

using matrix::require;
using matrix::require_new_constant;

/// One number for all entries, with the interface of an array.
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

/// body(indices, values), with the types of the stored arrays.
template <class Body>
void with_form(const SparseArrays& arrays, const Body& body) {
  std::visit([&](const auto& indices, const auto& values) { body(indices.data(), reader(values)); }, arrays.indices,
             arrays.values);
}

// Groups of short rows are processed in order of length, because a processor
// mispredicts the end of a row that differs in length from the one before. The
// natural order is kept for rows of equal length, for long rows, where
// mispredictions matter little, and for matrices that exceed a cache, because
// memory is faster when read in order (docs/decisions/library/rows-by-length.md).
// The limit counts entries, not bytes, so that sums do not depend on the storage
// form.
constexpr std::size_t group = SparseRows::group;
constexpr std::size_t longest_ordered = 32;
constexpr std::uint64_t entries_in_cache = 1 << 20;

/// Stable counting sort by length. Rows of 255 and more entries count as equal.
void order_by_length(const std::uint64_t* offsets, std::size_t rows, std::uint16_t* order) {
  std::array<std::uint16_t, 257> first{};
  const auto length = [&](std::size_t r) { return std::min<std::uint64_t>(offsets[r + 1] - offsets[r], 255); };
  for (std::size_t r = 0; r < rows; ++r) ++first[length(r) + 1];
  for (std::size_t l = 1; l < first.size(); ++l) first[l] = static_cast<std::uint16_t>(first[l] + first[l - 1]);
  for (std::size_t r = 0; r < rows; ++r) order[first[length(r)]++] = static_cast<std::uint16_t>(r);
}

/// Validity and statistics of some rows, collected in one pass.
struct SparseFacts {
  bool sorted_offsets = true, increasing = true, in_range = true;
  std::uint64_t longest = 0;
  std::uint64_t changes_of_length = 0;  // between consecutive rows
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
SparseFacts facts_of_rows(const SparseArrays& arrays, std::size_t begin, std::size_t end, const Index* indices,
                          Values values) {
  const auto offsets = arrays.offsets.span();
  const double constant = arrays.constant;
  SparseFacts facts;
  // Offsets are checked before anything is read through them.
  for (std::size_t i = begin; i < end; ++i)
    facts.sorted_offsets &= offsets[i] <= offsets[i + 1] && offsets[i + 1] <= offsets.back();
  if (!facts.sorted_offsets) return facts;
  // Indices may decrease only between two rows. Counting every decrease is one loop without
  // branches.
  const std::uint64_t first = offsets[begin], last = offsets[end];
  std::uint64_t falls = 0, falls_between_rows = 0;
  for (std::uint64_t k = first + 1; k < last; ++k) falls += indices[k - 1] >= indices[k];
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint64_t from = offsets[i], to = offsets[i + 1], length = to - from;
    facts.changes_of_length += i > begin && length != from - offsets[i - 1];
    if (length > 0) {
      falls_between_rows += from > first && indices[from - 1] >= indices[from];
      facts.in_range &= indices[to - 1] < arrays.columns;
    }
    double row_sum = 0, squares = 0;
    if (std::is_same_v<Values, Repeated> && constant == 0) {
      const double number = values[0];
      row_sum = static_cast<double>(length) * std::abs(number);
      squares = static_cast<double>(length) * (number * number);
    } else {
      for (std::uint64_t k = from; k < to; ++k) {
        const double value = values[k];
        row_sum += std::abs(value);
        squares += value * value;
      }
      row_sum += std::abs(constant);
      squares += constant * constant;
    }
    const std::uint64_t entries = length + (constant != 0);
    facts.longest = std::max(facts.longest, entries);
    facts.gram_products += 0.5 * static_cast<double>(entries) * static_cast<double>(entries + 1);
    facts.largest_row_sum = std::max(facts.largest_row_sum, row_sum);
    facts.squares += squares;
  }
  facts.increasing = falls == falls_between_rows;
  return facts;
}

[[noreturn]] void refuse(std::size_t row, std::uint64_t column, const std::string& reason) {
  throw std::invalid_argument(fmt::format("row {}, column {}: {}", row, column, reason));
}

/// Throws for the first invalid entry, if there is one. The offsets are valid.
template <class Index, class Values>
void look_for_fault(const SparseArrays& arrays, const Index* indices, Values values) {
  for (std::size_t i = 0; i + 1 < arrays.offsets.size(); ++i) {
    const std::uint64_t first = arrays.offsets[i], last = arrays.offsets[i + 1];
    for (std::uint64_t k = first + 1; k < last; ++k)
      if (indices[k - 1] >= indices[k]) refuse(i, indices[k], "the indices of a sparse row must increase");
    for (std::uint64_t k = first; k < last; ++k) {
      if (indices[k] >= arrays.columns)
        refuse(i, indices[k], fmt::format("the index is beyond the number of columns, {}", arrays.columns));
      if (!std::isfinite(values[k])) refuse(i, indices[k], fmt::format("the value {} is not finite", values[k]));
    }
  }
}

}  // namespace

// Blocks that consist of whole groups.
parallel::Blocks sparse_total_blocks(std::size_t rows, std::size_t entries) {
  const std::size_t per_row = entries / std::max<std::size_t>(rows, 1) + 1;
  parallel::Blocks blocks = parallel::cut(rows, 65536 / per_row + 1);
  blocks.length = (blocks.length + group - 1) / group * group;
  blocks.count = (rows + blocks.length - 1) / blocks.length;
  return blocks;
}

RowTotals totals_of(const SparseRows& rows, std::size_t begin, std::size_t end) {
  RowTotals totals;
  with_form(rows.arrays(), [&](const auto* indices, auto values) {
    const SparseFacts facts = facts_of_rows(rows.arrays(), begin, end, indices, values);
    totals = {facts.squares, facts.changes_of_length};
  });
  return totals;
}

bool pays_to_order(std::size_t rows, std::size_t entries, std::uint64_t changes_of_length) {
  return 2 * changes_of_length > rows && entries / rows <= longest_ordered && entries <= entries_in_cache;
}

double SparseArrays::bytes() const {
  const double index = 2 << indices.index();
  const double value = 4 * static_cast<double>(values.index());
  return 8 * static_cast<double>(offsets.size()) +
         (index + value) * static_cast<double>(offsets.size() > 0 ? offsets[offsets.size() - 1] : 0);
}

SparseRows::SparseRows(std::vector<std::uint64_t> offsets, std::vector<std::uint32_t> indices,
                       std::vector<double> values, std::size_t columns)
    : SparseRows(SparseArrays{SharedArray(std::move(offsets)), SharedArray(std::move(indices)),
                              SharedArray(std::move(values)), columns}) {}

SparseRows::SparseRows(SparseArrays arrays) : SparseRows(std::move(arrays), nullptr) {}

SparseRows::SparseRows(SparseArrays arrays, bool by_length) : SparseRows(std::move(arrays), &by_length) {}

// An invalid index would access foreign memory in every pass. It is checked once, here.
SparseRows::SparseRows(SparseArrays arrays, const bool* by_length) : arrays_(std::move(arrays)) {
  const auto offsets = arrays_.offsets.span();
  require(!std::holds_alternative<SharedArray<std::uint64_t>>(arrays_.indices) ||
              arrays_.columns <= matrix::indexed_columns,
          "a matrix with indices of 64 bits has at most 2^32 columns");
  require(std::isfinite(arrays_.constant), "the constant column must be finite");
  require(!offsets.empty() && offsets.front() == 0, "the offsets of sparse rows must begin at 0");
  const std::size_t entries = offsets.back();
  const bool fits = std::visit([=](const auto& of) { return of.size() == entries; }, arrays_.indices);
  const auto* repeated = std::get_if<double>(&arrays_.values);
  const auto* floats = std::get_if<SharedArray<float>>(&arrays_.values);
  const auto* doubles = std::get_if<SharedArray<double>>(&arrays_.values);
  require(fits && (repeated || (floats && floats->size() == entries) || (doubles && doubles->size() == entries)),
          "the offsets of sparse rows must end at the number of entries");
  require(!repeated || std::isfinite(*repeated), "the number that all entries repeat is not finite");
  const parallel::Blocks blocks = sparse_total_blocks(rows(), nonzeros());
  SparseFacts facts;
  with_form(arrays_, [&](const auto* indices, auto values) {
    facts = parallel::sum<SparseFacts>(blocks, [&](std::size_t begin, std::size_t end) {
      return facts_of_rows(arrays_, begin, end, indices, values);
    });
  });
  require(facts.sorted_offsets, "the offsets of sparse rows must not decrease");
  // Squares of finite values may overflow; then no fault is found.
  if (!facts.increasing || !facts.in_range || !std::isfinite(facts.squares))
    with_form(arrays_, [&](const auto* indices, auto values) { look_for_fault(arrays_, indices, values); });
  longest_row_ = facts.longest;
  gram_products_ = facts.gram_products;
  largest_row_sum_ = facts.largest_row_sum;
  squared_norm_ = facts.squares;
  if (!(by_length ? *by_length : pays_to_order(rows(), nonzeros(), facts.changes_of_length))) return;
  order_.resize(rows());
  parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; i += group)
      order_by_length(offsets.data() + i, std::min(group, end - i), order_.data() + i);
  });
}

/// body(view, from, count) for groups of the rows begin .. end, with `from` relative to `begin`. A
/// whole group is processed in the order of its row lengths.
template <class Body>
void SparseRows::for_each_group(std::size_t begin, std::size_t end, const Body& body) const {
  SparseView rows = sparse_view(arrays_, begin);
  for (std::size_t i = begin; i < end;) {
    const std::size_t stop = std::min(end, (i / group + 1) * group);
    const bool whole = i % group == 0 && (stop - i == group || stop == this->rows());
    rows.offsets = arrays_.offsets.data() + i;
    rows.ends = rows.offsets + 1;
    rows.order = whole && !order_.empty() ? order_.data() + i : nullptr;
    body(rows, i - begin, stop - i);
    i = stop;
  }
}

void SparseRows::forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const {
  assert(begin <= end && end <= rows() && x.size() == columns() && out.size() >= end - begin);
  const auto product = kernels().sparse_forward[arrays_.indices.index()];
  for_each_group(begin, end, [&](const SparseView& rows, std::size_t from, std::size_t count) {
    product(rows, count, x.data(), out.data() + from);
  });
}

void SparseRows::backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                          std::span<double> sum) const {
  assert(begin <= end && end <= rows() && weight.size() >= end - begin && sum.size() == columns());
  const auto product = kernels().sparse_backward[arrays_.indices.index()];
  for_each_group(begin, end, [&](const SparseView& rows, std::size_t from, std::size_t count) {
    product(rows, count, weight.data() + from, sum.data());
  });
}

void SparseRows::multi_forward(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> x,
                               std::span<double> out) const {
  assert(begin <= end && end <= rows() && x.size() == columns() * outputs && out.size() >= (end - begin) * outputs);
  const auto product = kernels().sparse_multi_forward[arrays_.indices.index()];
  for_each_group(begin, end, [&](const SparseView& rows, std::size_t from, std::size_t count) {
    product(rows, count, outputs, x.data(), out.data() + from * outputs);
  });
}

void SparseRows::multi_backward(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> weight,
                                std::span<double> sum) const {
  assert(begin <= end && end <= rows() && weight.size() >= (end - begin) * outputs &&
         sum.size() == columns() * outputs);
  const auto product = kernels().sparse_multi_backward[arrays_.indices.index()];
  for_each_group(begin, end, [&](const SparseView& rows, std::size_t from, std::size_t count) {
    product(rows, count, outputs, weight.data() + from * outputs, sum.data());
  });
}

void SparseRows::sweep(std::size_t begin, std::size_t end, std::span<double> x, const RowStep& step) const {
  assert(begin <= end && end <= rows() && x.size() == columns());
  struct Context {
    const RowStep& step;
    std::size_t begin;
  } context{step, begin};
  const auto from_begin = [](void* c, std::size_t i, double product) {
    const auto& of = *static_cast<const Context*>(c);
    return of.step(of.begin + i, product);
  };
  kernels().sparse_sweep[arrays_.indices.index()](sparse_view(arrays_, begin), end - begin, x.data(), from_begin,
                                                  &context);
}

void SparseRows::squared_norms(std::size_t begin, std::size_t end, std::span<double> out) const {
  assert(begin <= end && end <= rows() && out.size() >= end - begin);
  with_form(arrays_, [&](const auto*, auto values) {
    for (std::size_t i = begin; i < end; ++i) {
      double squares = 0;
      for (std::uint64_t k = arrays_.offsets[i]; k < arrays_.offsets[i + 1]; ++k) {
        const double value = values[k];
        squares += value * value;
      }
      out[i - begin] = squares + arrays_.constant * arrays_.constant;
    }
  });
}

void SparseRows::add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                          std::span<double>) const {
  assert(begin <= end && end <= rows() && weight.size() >= end - begin && sum.size() == columns() * columns());
  const auto product = kernels().sparse_gram[arrays_.indices.index()];
  product(sparse_view(arrays_, begin), end - begin, columns(), weight.data(), sum.data());
}

void SparseRows::add_multi_gram(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> weight,
                                std::span<double> sum, std::span<double>) const {
  assert(begin <= end && end <= rows() && weight.size() >= (end - begin) * outputs &&
         sum.size() == columns() * (columns() + 1) / 2 * outputs);
  const auto product = kernels().sparse_multi_gram[arrays_.indices.index()];
  product(sparse_view(arrays_, begin), end - begin, columns(), outputs, weight.data(), sum.data());
}

std::vector<std::uint32_t> SparseRows::indices(std::size_t row) const {
  assert(row < rows());
  std::vector<std::uint32_t> copy;
  with_form(arrays_, [&](const auto* indices, auto) {
    for (std::uint64_t k = arrays_.offsets[row]; k < arrays_.offsets[row + 1]; ++k)
      copy.push_back(static_cast<std::uint32_t>(indices[k]));
  });
  if (arrays_.constant != 0) copy.push_back(static_cast<std::uint32_t>(arrays_.columns));
  return copy;
}

std::vector<double> SparseRows::values(std::size_t row) const {
  assert(row < rows());
  std::vector<double> copy;
  with_form(arrays_, [&](const auto*, auto values) {
    for (std::uint64_t k = arrays_.offsets[row]; k < arrays_.offsets[row + 1]; ++k) copy.push_back(values[k]);
  });
  if (arrays_.constant != 0) copy.push_back(arrays_.constant);
  return copy;
}

std::shared_ptr<const RowMatrix> SparseRows::with_constant(double constant) const {
  require_new_constant(arrays_.constant, arrays_.columns, constant);
  SparseArrays arrays = arrays_;
  arrays.constant = constant;
  return std::make_shared<const SparseRows>(std::move(arrays));
}

void SparseRows::copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const {
  indices.clear();
  values.clear();
  with_form(arrays_, [&](const auto* all_indices, auto all_values) {
    for (std::uint64_t k = arrays_.offsets[i]; k < arrays_.offsets[i + 1]; ++k) {
      if (all_values[k] == 0) continue;
      indices.push_back(static_cast<std::uint32_t>(all_indices[k]));
      values.push_back(all_values[k]);
    }
  });
  if (arrays_.constant == 0) return;
  indices.push_back(static_cast<std::uint32_t>(arrays_.columns));
  values.push_back(arrays_.constant);
}

}  // namespace geodescent
