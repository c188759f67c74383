// Matrices in the caller's memory: compressed rows as SciPy and Eigen store them, dense numbers
// with any strides.
//
// No entry is copied. The memory must not change while a view or a model in training uses it, and
// must outlive both; or `owner` keeps it alive. Each view makes one pass over the entries and
// throws std::invalid_argument, with row and column counted from 0, for entries that are wrong.
// Products have the same bits as those of a matrix read from a file in the same form, dense or
// sparse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>

#include "geodescent/data/row_matrix.hpp"

namespace geodescent {

/// Whole numbers of 32 or 64 bits, with or without sign.
using IntegerPointer =
    std::variant<const std::int32_t*, const std::uint32_t*, const std::int64_t*, const std::uint64_t*>;
/// Numbers of 32 or 64 bits.
using NumberPointer = std::variant<const float*, const double*>;

/// Compressed sparse rows: the entries of row i are those from offsets[i] to offsets[i + 1] of
/// `indices` (0-based columns, increasing) and `values`. The first of the rows + 1 offsets is 0.
/// Offsets of 32 bits are copied, rows + 1 numbers. Values that are all equal are read once and not
/// again.
///
///     // Eigen, RowMajor, compressed:
///     csr_view(m.rows(), m.cols(), m.outerIndexPtr(), m.innerIndexPtr(), m.valuePtr())
[[nodiscard]] std::shared_ptr<const RowMatrix> csr_view(std::size_t rows, std::size_t columns, IntegerPointer offsets,
                                                        IntegerPointer indices, NumberPointer values,
                                                        std::shared_ptr<const void> owner = {});

/// Dense numbers: entry j of row i is data[i * row_stride + j * column_stride]. Strides count
/// numbers, not bytes. Fastest with a stride of 1: rows one after the other (column_stride 1) or
/// columns (row_stride 1, Fortran order).
///
///     dense_view(m.data(), m.rows(), m.cols(), m.rowStride(), m.colStride())   // Eigen::Map, any storage order
[[nodiscard]] std::shared_ptr<const RowMatrix> dense_view(NumberPointer data, std::size_t rows, std::size_t columns,
                                                          std::size_t row_stride, std::size_t column_stride,
                                                          std::shared_ptr<const void> owner = {});
/// Rows one after the other.
[[nodiscard]] std::shared_ptr<const RowMatrix> dense_view(NumberPointer data, std::size_t rows, std::size_t columns,
                                                          std::shared_ptr<const void> owner = {});

}  // namespace geodescent
