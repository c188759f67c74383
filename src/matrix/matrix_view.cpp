#include "geodescent/data/matrix_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "matrix/require.hpp"

namespace geodescent {
namespace {

using Owner = std::shared_ptr<const void>;

template <class T>
SharedArray<T> shared(const T* numbers, std::size_t count, const Owner& owner) {
  return {std::span(numbers, count), owner};
}

/// 32-bit offsets are copied to 64 bits. 64-bit offsets are not copied.
template <class Integer>
SharedArray<std::uint64_t> offsets_of(const Integer* offsets, std::size_t rows, const Owner& owner) {
  matrix::require(offsets != nullptr, "the pointer to the offsets is null");
  matrix::require(rows < std::numeric_limits<std::ptrdiff_t>::max() / sizeof(Integer), "there are too many rows");
  // Checked before the offsets are used: a negative offset has the bits of a large one.
  for (std::size_t i = 0; i <= rows; ++i)
    if (i == 0 ? offsets[0] != 0 : offsets[i] < offsets[i - 1])
      throw std::invalid_argument(
          fmt::format("offset {} is {}; offsets must begin at 0 and must not decrease", i, offsets[i]));
  if constexpr (sizeof(Integer) == sizeof(std::uint64_t))
    return shared(reinterpret_cast<const std::uint64_t*>(offsets), rows + 1, owner);
  else
    return SharedArray(std::vector<std::uint64_t>(offsets, offsets + rows + 1));
}

/// A negative index has the bits of an index beyond every column, if the number of columns leaves
/// room for it.
template <class Integer>
decltype(SparseArrays::indices) indices_of(const Integer* indices, std::size_t entries, std::size_t columns,
                                           const Owner& owner) {
  matrix::require(indices != nullptr || entries == 0, "the pointer to the indices is null");
  using Unsigned = std::make_unsigned_t<Integer>;
  if (std::is_signed_v<Integer> && columns > std::uint64_t{std::numeric_limits<Integer>::max()} + 1)
    throw std::invalid_argument(
        fmt::format("{} columns are too many for signed indices of {} bits", columns, 8 * sizeof(Integer)));
  return shared(reinterpret_cast<const Unsigned*>(indices), entries, owner);
}

/// Throws for the first negative index. The matrix refuses it as a large number, which the caller
/// has not written.
template <class Integer>
void refuse_negative(const Integer* indices, std::span<const std::uint64_t> offsets) {
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    for (std::uint64_t k = offsets[i]; k < offsets[i + 1]; ++k)
      if (std::is_signed_v<Integer> && indices[k] < 0)
        throw std::invalid_argument(fmt::format("row {}, column {}: the index is negative", i, indices[k]));
}

template <class Number>
decltype(SparseArrays::values) values_of(const Number* values, std::size_t entries, const Owner& owner) {
  matrix::require(values != nullptr || entries == 0, "the pointer to the values is null");
  if (entries > 0 && std::isfinite(values[0]) &&
      std::all_of(values, values + entries, [&](Number v) { return v == values[0]; }))
    return double{values[0]};
  return shared(values, entries, owner);
}

/// The number of entries from the first to the last one. Throws if that exceeds the largest
/// difference of pointers; this includes negative strides, which are large as unsigned numbers.
std::size_t dense_extent(std::size_t rows, std::size_t columns, std::size_t row_stride, std::size_t column_stride) {
  constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
  const bool fits = rows <= most && columns <= most && (rows - 1) <= most / row_stride &&
                    (columns - 1) <= most / column_stride &&
                    (rows - 1) * row_stride + (columns - 1) * column_stride < most;
  matrix::require(fits, "the rows, columns and strides of a dense matrix exceed the address space");
  return (rows - 1) * row_stride + (columns - 1) * column_stride + 1;
}

}  // namespace

std::shared_ptr<const RowMatrix> csr_view(std::size_t rows, std::size_t columns, IntegerPointer offsets,
                                          IntegerPointer indices, NumberPointer values, Owner owner) {
  SparseArrays arrays;
  arrays.columns = columns;
  arrays.offsets = std::visit([&](const auto* of) { return offsets_of(of, rows, owner); }, offsets);
  const std::size_t entries = arrays.offsets[rows];
  arrays.indices = std::visit([&](const auto* of) { return indices_of(of, entries, columns, owner); }, indices);
  arrays.values = std::visit([&](const auto* of) { return values_of(of, entries, owner); }, values);
  const SharedArray<std::uint64_t> known_offsets = arrays.offsets;
  try {
    return std::make_shared<const SparseRows>(std::move(arrays));
  } catch (const std::invalid_argument&) {
    std::visit([&](const auto* of) { refuse_negative(of, known_offsets.span()); }, indices);
    throw;
  }
}

std::shared_ptr<const RowMatrix> dense_view(NumberPointer data, std::size_t rows, std::size_t columns,
                                            std::size_t row_stride, std::size_t column_stride, Owner owner) {
  const bool empty = rows == 0 || columns == 0;
  matrix::require(row_stride > 0 && column_stride > 0, "the strides of a dense matrix must be positive");
  const std::size_t size = empty ? 0 : dense_extent(rows, columns, row_stride, column_stride);
  DenseArrays arrays{{}, rows, columns, row_stride, column_stride};
  std::visit(
      [&](const auto* numbers) {
        matrix::require(empty || numbers != nullptr, "the pointer to the entries is null");
        arrays.entries = shared(numbers, size, owner);
      },
      data);
  return std::make_shared<const DenseRows>(std::move(arrays));
}

std::shared_ptr<const RowMatrix> dense_view(NumberPointer data, std::size_t rows, std::size_t columns, Owner owner) {
  return dense_view(data, rows, columns, std::max<std::size_t>(columns, 1), 1, std::move(owner));
}

}  // namespace geodescent
