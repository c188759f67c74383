// Chooses the storage form of a matrix from its values.
#include <algorithm>
#include <atomic>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/parallel.hpp"
#include "geodescent/data/row_matrix.hpp"

namespace geodescent {
namespace {

constexpr std::size_t columns_of_16_bits = std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1;

bool fits_float(double value) { return static_cast<double>(static_cast<float>(value)) == value; }

constexpr std::size_t grain = 1 << 16;

template <class To, class From>
SharedArray<To> converted(const SharedArray<From>& numbers) {
  std::vector<To> result(numbers.size());
  parallel::for_each(parallel::cut(numbers.size(), grain), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) result[k] = static_cast<To>(numbers[k]);
  });
  return SharedArray<To>(std::move(result));
}

/// Whether holds(v) is true for all numbers. Stops early after the first counterexample.
template <class Holds>
bool all_of(std::span<const double> numbers, const Holds& holds) {
  std::atomic<bool> all = true;
  parallel::for_each(parallel::cut(numbers.size(), grain), [&](std::size_t begin, std::size_t end) {
    constexpr std::size_t piece = 1024;  // the inner loop has no branches
    for (std::size_t k = begin; k < end && all.load(std::memory_order_relaxed); k += piece) {
      bool here = true;
      for (std::size_t i = k; i < std::min(end, k + piece); ++i) here &= holds(numbers[i]);
      if (!here) all.store(false, std::memory_order_relaxed);
    }
  });
  return all;
}

/// The indices in the narrowest type that can hold every column.
template <class Index>
decltype(SparseArrays::indices) narrowed(const SharedArray<Index>& indices, std::size_t columns) {
  if (sizeof(Index) > 2 && columns <= columns_of_16_bits) return converted<std::uint16_t>(indices);
  if (sizeof(Index) > 4) return converted<std::uint32_t>(indices);
  return indices;
}

SparseArrays compact(SparseArrays arrays) {
  arrays.indices = std::visit([&](const auto& of) { return narrowed(of, arrays.columns); }, arrays.indices);
  if (const auto* doubles = std::get_if<SharedArray<double>>(&arrays.values)) {
    const auto values = doubles->span();
    if (!values.empty() && all_of(values, [first = values[0]](double v) { return v == first; }))
      arrays.values = double{values[0]};
    else if (all_of(values, fits_float))
      arrays.values = converted<float>(*doubles);
  }
  return arrays;
}

template <class To>
SharedArray<To> filled(const SparseRows& rows) {
  const SparseArrays& from = rows.arrays();
  const std::size_t columns = from.columns;
  std::vector<To> entries(rows.rows() * columns);
  const auto fill = [&](const auto& indices, const auto& value) {
    parallel::for_each(parallel::cut(rows.rows(), grain / (columns + 1) + 1), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        for (std::uint64_t k = from.offsets[i]; k < from.offsets[i + 1]; ++k)
          entries[i * columns + indices[k]] = static_cast<To>(value(k));
    });
  };
  std::visit(
      [&](const auto& indices, const auto& values) {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, double>)
          fill(indices, [&](std::uint64_t) { return values; });
        else
          fill(indices, [&](std::uint64_t k) { return values[k]; });
      },
      from.indices, from.values);
  return SharedArray<To>(std::move(entries));
}

DenseArray dense(const SparseRows& rows) {
  const SparseArrays& from = rows.arrays();
  const auto* const doubles = std::get_if<SharedArray<double>>(&from.values);
  const auto* const repeated = std::get_if<double>(&from.values);
  const bool floats = doubles ? all_of(doubles->span(), fits_float) : !repeated || fits_float(*repeated);
  if (floats) return filled<float>(rows);
  return filled<double>(rows);
}

}  // namespace

std::shared_ptr<const RowMatrix> in_best_form(const SparseRows& rows) {
  // A quotient, because rows * columns may overflow 64 bits.
  const bool half_full = rows.columns() > 0 && rows.rows() > 0 && 2 * rows.nonzeros() / rows.rows() >= rows.columns();
  if (half_full) {
    const std::size_t columns = rows.arrays().columns;
    return std::make_shared<const DenseRows>(
        DenseArrays{dense(rows), rows.rows(), columns, columns, 1, rows.arrays().constant});
  }
  return std::make_shared<const SparseRows>(compact(rows.arrays()));
}

}  // namespace geodescent
