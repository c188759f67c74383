// Rows stored in full, with any strides: validation and norms. The products are kernels.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "geodescent/data/row_matrix.hpp"
#include "kernels/kernels.hpp"
#include "matrix/require.hpp"
#include "matrix/row_totals.hpp"

namespace geodescent {
namespace {

using matrix::require;

DenseArrays packed(DenseArray entries, std::size_t columns) {
  const std::size_t size = std::visit([](const auto& of) { return of.size(); }, entries);
  const std::size_t rows = columns == 0 ? 0 : size / columns;
  require(size == rows * columns, "dense rows must all have the same length");
  return {std::move(entries), rows, columns, columns};
}

/// The number of entries from the first to the last one, including gaps.
std::size_t extent(const DenseArrays& a) {
  if (a.rows == 0 || a.columns == 0) return 0;
  return (a.rows - 1) * a.row_stride + (a.columns - 1) * a.column_stride + 1;
}

/// The stride between rows; 0 for a matrix without columns.
std::size_t row_stride(const DenseArrays& a) { return a.columns > 0 ? a.row_stride : 0; }

template <class T>
DenseView<T> view(const DenseArrays& a, const SharedArray<T>& entries, std::size_t row) {
  return {entries.data() + row * row_stride(a), row_stride(a), a.column_stride, a.constant};
}

/// body(view of the rows from `row` on, the kernels of its type).
template <class Body>
void with_view(const DenseArrays& a, std::size_t row, const Body& body) {
  const Kernels& k = kernels();
  if (const auto* floats = std::get_if<SharedArray<float>>(&a.entries))
    body(view(a, *floats, row), k.dense_float);
  else if (const auto* doubles = std::get_if<SharedArray<double>>(&a.entries))
    body(view(a, *doubles, row), k.dense_double);
}

struct DenseFacts {
  double largest_row_sum = 0, squares = 0;

  DenseFacts& operator+=(const DenseFacts& other) {
    largest_row_sum = std::max(largest_row_sum, other.largest_row_sum);
    squares += other.squares;
    return *this;
  }
};

/// `entry(j)` is entry j of a row.
template <class Entry>
DenseFacts facts_of_row(std::size_t columns, const Entry& entry) {
  if (columns < parallel::lanes) {  // the sums of sum_in_lanes, without the call
    DenseFacts facts;
    for (std::size_t j = 0; j < columns; ++j) {
      const double value = entry(j);
      facts.largest_row_sum += std::abs(value);
      facts.squares += value * value;
    }
    return facts;
  }
  const auto sums = parallel::sum_in_lanes<2>(0, columns, [&](std::size_t j) {
    const double value = entry(j);
    return std::array{std::abs(value), value * value};
  });
  return {sums.of[0], sums.of[1]};
}

template <class T>
DenseFacts facts_of_rows(const DenseArrays& a, const SharedArray<T>& entries, std::size_t begin, std::size_t end) {
  DenseFacts facts;
  for (std::size_t i = begin; i < end; ++i) {
    const T* const row = entries.data() + i * row_stride(a);
    if (a.column_stride == 1 && a.constant == 0)
      facts += facts_of_row(a.columns, [=](std::size_t j) { return row[j]; });
    else
      facts += facts_of_row(a.columns + (a.constant != 0), [&, row](std::size_t j) {
        return j < a.columns ? static_cast<double>(row[j * a.column_stride]) : a.constant;
      });
  }
  return facts;
}

/// Throws std::invalid_argument for the first value that is not finite. Returns if there is none.
void look_for_fault(const DenseRows& matrix) {
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    const Vector row = matrix.row(i);
    for (std::size_t j = 0; j < row.size(); ++j)
      if (!std::isfinite(row[j]))
        throw std::invalid_argument(fmt::format("row {}, column {}: the value {} is not finite", i, j, row[j]));
  }
}

}  // namespace

parallel::Blocks dense_total_blocks(std::size_t rows, std::size_t columns) {
  return parallel::cut(rows, 65536 / (columns + 1) + 1);
}

RowTotals totals_of(const DenseRows& rows, std::size_t begin, std::size_t end) {
  const auto sum = [&](const auto& entries) { return facts_of_rows(rows.arrays(), entries, begin, end).squares; };
  return {std::visit(sum, rows.arrays().entries), 0};
}

DenseRows::DenseRows(Vector entries, std::size_t columns)
    : DenseRows(DenseArray(SharedArray(std::move(entries))), columns) {}

DenseRows::DenseRows(DenseArray entries, std::size_t columns) : DenseRows(packed(std::move(entries), columns)) {}

DenseRows::DenseRows(DenseArrays arrays) : arrays_(std::move(arrays)) {
  const std::size_t size = std::visit([](const auto& of) { return of.size(); }, arrays_.entries);
  require(size >= extent(arrays_), "the entries of dense rows end before their last row");
  const parallel::Blocks blocks = dense_total_blocks(rows(), columns());
  const DenseFacts facts = std::visit(
      [&](const auto& entries) {
        return parallel::sum<DenseFacts>(
            blocks, [&](std::size_t begin, std::size_t end) { return facts_of_rows(arrays_, entries, begin, end); });
      },
      arrays_.entries);
  largest_row_sum_ = facts.largest_row_sum;
  squared_norm_ = facts.squares;
  if (!std::isfinite(squared_norm_)) look_for_fault(*this);  // squares of finite values may overflow, too
}

double DenseRows::bytes() const {
  const double size = std::holds_alternative<SharedArray<float>>(arrays_.entries) ? 4 : 8;
  return static_cast<double>(rows() * arrays_.columns) * size;
}

void DenseRows::forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const {
  assert(begin <= end && end <= rows() && x.size() == columns() && out.size() >= end - begin);
  with_view(arrays_, begin, [&](const auto& rows, const auto& k) {
    k.forward(rows, end - begin, arrays_.columns, x.data(), out.data());
  });
}

void DenseRows::backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                         std::span<double> sum) const {
  assert(begin <= end && end <= rows() && weight.size() >= end - begin && sum.size() == columns());
  with_view(arrays_, begin, [&](const auto& rows, const auto& k) {
    k.backward(rows, end - begin, arrays_.columns, weight.data(), sum.data());
  });
}

void DenseRows::multi_forward(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> x,
                              std::span<double> out) const {
  assert(begin <= end && end <= rows() && x.size() == columns() * outputs && out.size() >= (end - begin) * outputs);
  with_view(arrays_, begin, [&](const auto& rows, const auto& k) {
    k.multi_forward(rows, end - begin, arrays_.columns, outputs, x.data(), out.data());
  });
}

void DenseRows::multi_backward(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> weight,
                               std::span<double> sum) const {
  assert(begin <= end && end <= rows() && weight.size() >= (end - begin) * outputs &&
         sum.size() == columns() * outputs);
  with_view(arrays_, begin, [&](const auto& rows, const auto& k) {
    k.multi_backward(rows, end - begin, arrays_.columns, outputs, weight.data(), sum.data());
  });
}

void DenseRows::add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                         std::span<double> scratch) const {
  assert(begin <= end && end <= rows() && weight.size() >= end - begin && sum.size() == columns() * columns() &&
         scratch.size() >= gram_scratch());
  with_view(arrays_, begin, [&](const auto& rows, const auto& k) {
    k.gram(rows, end - begin, arrays_.columns, weight.data(), sum.data(), scratch.data());
  });
}

void DenseRows::add_multi_gram(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> weight,
                               std::span<double> sum, std::span<double> scratch) const {
  assert(begin <= end && end <= rows() && weight.size() >= (end - begin) * outputs &&
         sum.size() == columns() * (columns() + 1) / 2 * outputs && scratch.size() >= gram_scratch());
  with_view(arrays_, begin, [&](const auto& rows, const auto& k) {
    k.multi_gram(rows, end - begin, arrays_.columns, outputs, weight.data(), sum.data(), scratch.data());
  });
}

std::size_t DenseRows::gram_scratch() const { return dense_gram_scratch(columns()); }

double DenseRows::gram_products() const {
  const double d = static_cast<double>(columns());
  return 0.5 * static_cast<double>(rows()) * d * (d + 1);
}

std::shared_ptr<const RowMatrix> DenseRows::with_constant(double constant) const {
  matrix::require_new_constant(arrays_.constant, arrays_.columns, constant);
  DenseArrays arrays = arrays_;
  arrays.constant = constant;
  return std::make_shared<const DenseRows>(std::move(arrays));
}

Vector DenseRows::row(std::size_t i) const {
  assert(i < rows());
  Vector copy;
  copy.reserve(columns());
  std::visit(
      [&](const auto& entries) {
        for (std::size_t j = 0; j < arrays_.columns; ++j)
          copy.push_back(entries[i * arrays_.row_stride + j * arrays_.column_stride]);
      },
      arrays_.entries);
  if (arrays_.constant != 0) copy.push_back(arrays_.constant);
  return copy;
}

void DenseRows::copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const {
  indices.clear();
  values.clear();
  const auto put = [&](std::size_t j, double value) {
    if (value == 0) return;
    indices.push_back(static_cast<std::uint32_t>(j));
    values.push_back(value);
  };
  std::visit(
      [&](const auto& entries) {
        for (std::size_t j = 0; j < arrays_.columns; ++j)
          put(j, entries[i * arrays_.row_stride + j * arrays_.column_stride]);
      },
      arrays_.entries);
  put(arrays_.columns, arrays_.constant);
}

}  // namespace geodescent
