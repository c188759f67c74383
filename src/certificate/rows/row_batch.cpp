#include "certificate/rows/row_batch.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <type_traits>

namespace geodescent::proof {
namespace {

constexpr std::size_t most_rows = 256;
constexpr std::size_t most_entries = 2048;  ///< 24 kB; a longer row forms a batch of its own

/// Equivalent to value == 0, but compares bits: faster, because NaN needs no special case.
bool is_zero(double value) { return std::bit_cast<std::uint64_t>(value) << 1 == 0; }

/// The destination of entries that may be zero. Each is written, and a zero is overwritten by the
/// next entry. This is faster than a test.
struct Target {
  std::uint32_t* indices;
  double* values;
  std::size_t size = 0;

  void add(std::size_t index, double value) {
    indices[size] = static_cast<std::uint32_t>(index);
    values[size] = value;
    size += is_zero(value) ? 0 : 1;
  }
};

}  // namespace

void RowBatch::read(std::size_t begin, std::size_t end) {
  assert(begin < end && end <= matrix_.rows());
  begin_ = begin;
  end = std::min(end, begin + most_rows);
  if (const auto* const sparse = dynamic_cast<const SparseRows*>(&matrix_)) return read_sparse(sparse->arrays(), end);
  if (const auto* const dense = dynamic_cast<const DenseRows*>(&matrix_)) return read_dense(dense->arrays(), end);
  make_room(1, 0);
  matrix_.copy_row(begin, indices_, values_);
  first_index_ = indices_.data();
  first_value_ = values_.data();
  starts_[1] = indices_.size();
}

/// The vectors only grow, because resizing would fill them with zeros each time.
void RowBatch::make_room(std::size_t rows, std::size_t entries) {
  size_ = rows;
  if (starts_.size() <= rows) starts_.resize(rows + 1);
  if (indices_.size() < entries) {
    indices_.resize(entries);
    values_.resize(entries);
  }
  first_index_ = indices_.data();
  first_value_ = values_.data();
}

void RowBatch::read_sparse(const SparseArrays& arrays, std::size_t end) {
  const std::uint64_t* const offsets = arrays.offsets.data();
  const std::uint64_t first = offsets[begin_];
  while (end > begin_ + 1 && offsets[end] - first > most_entries) end = begin_ + (end - begin_) / 2;
  const std::size_t rows = end - begin_, entries = offsets[end] - first;
  make_room(rows, entries + (arrays.constant != 0 ? rows : 0));
  const auto read_rows = [&](const auto* indices, const auto& value) {
    Target target{indices_.data(), values_.data()};
    for (std::size_t r = 0, k = 0; r < rows; ++r) {
      for (const std::size_t row_end = offsets[begin_ + r + 1] - first; k < row_end; ++k)
        target.add(indices[k], value(k));
      if (arrays.constant != 0) target.add(arrays.columns, arrays.constant);
      starts_[r + 1] = target.size;
    }
  };
  const auto take_indices = [&](const auto* indices) {
    for (std::size_t r = 0; r < rows; ++r) starts_[r + 1] = offsets[begin_ + r + 1] - first;
    if constexpr (std::is_same_v<decltype(indices), const std::uint32_t*>)
      first_index_ = indices;
    else
      std::transform(indices, indices + entries, indices_.data(),
                     [](auto index) { return static_cast<std::uint32_t>(index); });
  };
  std::visit(
      [&](const auto& all_indices, const auto& all_values) {
        const auto* const indices = all_indices.data() + first;
        using Values = std::decay_t<decltype(all_values)>;
        if constexpr (!std::is_same_v<Values, double>) {
          const auto* const values = all_values.data() + first;
          if (arrays.constant != 0 || !has_no_zero(values, entries))
            return read_rows(indices, [&](std::size_t k) -> double { return values[k]; });
          take_indices(indices);
          if constexpr (std::is_same_v<Values, SharedArray<double>>)
            first_value_ = values;
          else
            std::copy_n(values, entries, values_.data());
        } else {
          if (arrays.constant != 0 || all_values == 0)
            return read_rows(indices, [&](std::size_t) { return all_values; });
          take_indices(indices);
          std::fill_n(values_.data(), entries, all_values);
        }
      },
      arrays.indices, arrays.values);
}

void RowBatch::read_dense(const DenseArrays& arrays, std::size_t end) {
  const std::size_t columns = arrays.columns + (arrays.constant != 0);
  const std::size_t rows = std::clamp<std::size_t>(most_entries / std::max<std::size_t>(columns, 1), 1, end - begin_);
  make_room(rows, rows * columns);
  std::visit([&](const auto& all) { read_dense(arrays, all.data() + begin_ * arrays.row_stride, rows); },
             arrays.entries);
}

template <class Number>
void RowBatch::read_dense(const DenseArrays& arrays, const Number* row, std::size_t rows) {
  const std::size_t columns = arrays.columns, entries = rows * columns;
  const bool packed = arrays.column_stride == 1 && arrays.row_stride == columns && arrays.constant == 0;
  const bool full = packed && has_no_zero(row, entries);
  if (full && full_rows_ >= rows) {
    std::copy_n(row, entries, values_.data());
    return;
  }
  Target target{indices_.data(), values_.data()};
  for (std::size_t r = 0; r < rows; ++r, row += arrays.row_stride) {
    for (std::size_t j = 0; j < columns; ++j) target.add(j, row[j * arrays.column_stride]);
    if (arrays.constant != 0) target.add(columns, arrays.constant);
    starts_[r + 1] = target.size;
  }
  full_rows_ = full ? rows : 0;
}

}  // namespace geodescent::proof
