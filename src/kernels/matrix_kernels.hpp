// Products with the rows of dense and compressed matrices. A sum has the same bits in every storage
// form.
#pragma once

#include <cstdint>

#include "kernels/kernels.hpp"
#include "kernels/lanes.hpp"

namespace geodescent {
namespace {

// Dense rows.

/// A constant that is not 0 is one more entry at the end of the row.
template <class T>
GEODESCENT_ALWAYS_INLINE double dense_dot(const T* a, double constant, const double* x, std::size_t d) {
  Lanes sum = zeros();
  std::size_t j = 0;
  for (; j + lanes <= d; j += lanes) sum = sum + load(a + j) * load(x + j);
  double rest = 0;
  if (constant != 0 && d - j == lanes - 1) {  // it fills the last lane
    double last[lanes];
    for (std::size_t l = 0; l + 1 < lanes; ++l) last[l] = static_cast<double>(a[j + l]);
    last[lanes - 1] = constant;
    return total(sum + load(last) * load(x + j), rest);
  }
  for (; j < d; ++j) rest += static_cast<double>(a[j]) * x[j];
  if (constant != 0) rest += constant * x[d];
  return d < lanes ? 0 + rest : total(sum, rest);  // the same bits, without sums of zeros
}

/// K rows at once: the sum is read and written once for them, and adds them in their order.
template <std::size_t K, class T>
GEODESCENT_ALWAYS_INLINE void add_rows(const T* rows, std::size_t stride, std::size_t d, const double* weight,
                                       double* sum) {
  std::size_t j = 0;
  for (; j + lanes <= d; j += lanes) {
    Lanes s = load(sum + j);
    for (std::size_t k = 0; k < K; ++k) s = s + weight[k] * load(rows + k * stride + j);
    store(sum + j, s);
  }
  for (; j < d; ++j)
    for (std::size_t k = 0; k < K; ++k) sum[j] += weight[k] * static_cast<double>(rows[k * stride + j]);
}

/// The same for n rows of D < 8 entries. The sum stays in registers.
template <std::size_t D, class T>
void add_short_rows(const T* rows, std::size_t stride, std::size_t n, const double* weight, double* sum) {
  double s[D];
  for (std::size_t j = 0; j < D; ++j) s[j] = sum[j];
  for (std::size_t i = 0; i < n; ++i, rows += stride)
    for (std::size_t j = 0; j < D; ++j) s[j] += weight[i] * static_cast<double>(rows[j]);
  for (std::size_t j = 0; j < D; ++j) sum[j] = s[j];
}

template <std::size_t D = 1, class T>
void add_short_rows(const T* rows, std::size_t stride, std::size_t n, std::size_t d, const double* weight,
                    double* sum) {
  if constexpr (D < lanes) {
    if (d == D) return add_short_rows<D>(rows, stride, n, weight, sum);
    add_short_rows<D + 1>(rows, stride, n, d, weight, sum);
  }
}

// Dense columns, or rows whose entries are not adjacent. Additions have the same order as for rows:
// entry j is added to lane j % 8 of its row, or to the rest of the row.

// of a column: consecutive cache lines, and their sums fit the first-level cache
constexpr std::size_t rows_together = 64;

/// The stride of a column: the constant 1, or a number. Both convert to std::size_t.
struct One {
  static constexpr bool contiguous = true;
  GEODESCENT_ALWAYS_INLINE operator std::size_t() const { return 1; }  // NOLINT(google-explicit-constructor)
};
struct Any {
  static constexpr bool contiguous = false;
  std::size_t number;
  GEODESCENT_ALWAYS_INLINE operator std::size_t() const { return number; }  // NOLINT(google-explicit-constructor)
};

/// Eight entries of a column, `stride` apart.
template <class T, class Stride>
GEODESCENT_ALWAYS_INLINE Lanes load_column(const T* from, Stride stride) {
  if constexpr (Stride::contiguous) {
    return load(from);
  } else {
    double entries[lanes];
    for (std::size_t l = 0; l < lanes; ++l) entries[l] = static_cast<double>(from[l * stride]);
    return load(entries);
  }
}

/// to += s times a column.
template <class T, class Stride>
GEODESCENT_ALWAYS_INLINE void add_column(double* to, const T* column, Stride stride, std::size_t n, double s) {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) store(to + i, load(to + i) + s * load_column(column + i * stride, stride));
  for (; i < n; ++i) to[i] += s * static_cast<double>(column[i * stride]);
}

template <class T, class Stride>
void columns_forward(const DenseView<T>& a, Stride row_stride, std::size_t n, std::size_t d, const double* x,
                     double* out) {
  const std::size_t in_lanes = (d + (a.constant != 0)) / lanes * lanes;
  for (std::size_t begin = 0; begin < n; begin += rows_together) {
    const std::size_t count = n - begin < rows_together ? n - begin : rows_together;
    double sums[lanes + 1][rows_together] = {};
    const auto sums_of = [&](std::size_t j) { return sums[j < in_lanes ? j % lanes : lanes]; };
    const T* column = a.entries + begin * row_stride;
    for (std::size_t j = 0; j < d; ++j, column += a.column_stride)
      add_column(sums_of(j), column, row_stride, count, x[j]);
    if (a.constant != 0)
      for (std::size_t i = 0; i < count; ++i) sums_of(d)[i] += a.constant * x[d];
    for (std::size_t i = 0; i < rows_together; i += lanes) {  // total() for eight rows
      const auto s = [&](std::size_t l) { return load(sums[l] + i); };
      store(sums[0] + i, (((s(0) + s(lanes)) + s(4)) + (s(1) + s(5))) + ((s(2) + s(6)) + (s(3) + s(7))));
    }
    for (std::size_t i = 0; i < count; ++i) out[begin + i] = sums[0][i];
  }
}

/// The sums of K columns from column j on. Each is a dependent chain of additions; K chains run in
/// parallel.
template <std::size_t K, class T, class Stride>
GEODESCENT_ALWAYS_INLINE void sum_columns(const DenseView<T>& a, Stride row_stride, std::size_t j, std::size_t n,
                                          const double* weight, double* sum) {
  const T* column[K];
  double s[K];
  for (std::size_t k = 0; k < K; ++k) {
    column[k] = a.entries + (j + k) * a.column_stride;
    s[k] = sum[j + k];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < K; ++k) s[k] += weight[i] * static_cast<double>(column[k][i * row_stride]);
  for (std::size_t k = 0; k < K; ++k) sum[j + k] = s[k];
}

template <class T, class Stride>
void columns_backward(const DenseView<T>& a, Stride row_stride, std::size_t n, std::size_t d, const double* weight,
                      double* sum) {
  std::size_t j = 0;
  for (; j + lanes <= d; j += lanes) sum_columns<lanes>(a, row_stride, j, n, weight, sum);
  for (; j < d; ++j) sum_columns<1>(a, row_stride, j, n, weight, sum);
}

// Dense matrices of any strides.

template <class T>
void dense_forward(const DenseView<T>& a, std::size_t n, std::size_t d, const double* x, double* out) {
  if (a.column_stride == 1)
    for (std::size_t i = 0; i < n; ++i) out[i] = dense_dot(a.entries + i * a.row_stride, a.constant, x, d);
  else if (a.row_stride == 1)
    columns_forward(a, One{}, n, d, x, out);
  else
    columns_forward(a, Any{a.row_stride}, n, d, x, out);
}

template <class T>
void dense_backward(const DenseView<T>& a, std::size_t n, std::size_t d, const double* weight, double* sum) {
  if (a.column_stride == 1) {
    const T* const rows = a.entries;
    std::size_t i = 0;
    if (d < lanes) {
      add_short_rows(rows, a.row_stride, n, d, weight, sum);
      i = n;
    }
    for (; i + 4 <= n; i += 4) add_rows<4>(rows + i * a.row_stride, a.row_stride, d, weight + i, sum);
    for (; i < n; ++i) add_rows<1>(rows + i * a.row_stride, a.row_stride, d, weight + i, sum);
  } else if (a.row_stride == 1) {
    columns_backward(a, One{}, n, d, weight, sum);
  } else {
    columns_backward(a, Any{a.row_stride}, n, d, weight, sum);
  }
  if (a.constant != 0)
    for (std::size_t i = 0; i < n; ++i) sum[d] += weight[i] * a.constant;
}

// Compressed rows. These types read their values, and multiply one number or several by them.

struct Ones {
  GEODESCENT_ALWAYS_INLINE Ones at(std::uint64_t) const { return {}; }
  template <class X>
  GEODESCENT_ALWAYS_INLINE X times(X x, std::uint64_t) const {
    return x;  // as a product with 1 is
  }
};
struct Repeated {
  double number;
  GEODESCENT_ALWAYS_INLINE Repeated at(std::uint64_t) const { return *this; }
  template <class X>
  GEODESCENT_ALWAYS_INLINE X times(X x, std::uint64_t) const {
    return x * number;
  }
};
template <class T>
struct Stored {
  const T* numbers;
  GEODESCENT_ALWAYS_INLINE Stored at(std::uint64_t k) const { return {numbers + k}; }
  template <class X>
  GEODESCENT_ALWAYS_INLINE X times(X x, std::uint64_t k) const {
    return x * static_cast<double>(numbers[k]);
  }
};

/// body(values, i) for each row i, in the order of the view. `values` reads the entries.
template <class Values, class Body>
GEODESCENT_ALWAYS_INLINE void in_order(const SparseView& a, std::size_t n, Values values, const Body& body) {
  if (a.order)
    for (std::size_t r = 0; r < n; ++r) body(values, a.order[r]);
  else
    for (std::size_t i = 0; i < n; ++i) body(values, i);
}

/// body(values), where `values` reads the entries.
template <class Body>
GEODESCENT_ALWAYS_INLINE void with_values(const SparseView& a, const Body& body) {
  if (a.floats)
    body(Stored<float>{a.floats});
  else if (a.doubles)
    body(Stored<double>{a.doubles});
  else if (a.repeated == 1)
    body(Ones{});
  else
    body(Repeated{a.repeated});
}

template <class Body>
GEODESCENT_ALWAYS_INLINE void with_values_and_order(const SparseView& a, std::size_t n, const Body& body) {
  with_values(
      a, [&](auto values) __attribute__((always_inline)) { in_order(a, n, values, body); });
}

/// `constant`, if given, is the product with one more entry at the end of the row.
template <class Index, class Values, class... Constant>
GEODESCENT_ALWAYS_INLINE double sparse_dot(const Index* indices, Values values, std::uint64_t count, const double* x,
                                           Constant... constant) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::uint64_t k = 0;
  for (; k + 4 <= count; k += 4) {
    s0 += values.times(x[indices[k]], k);
    s1 += values.times(x[indices[k + 1]], k + 1);
    s2 += values.times(x[indices[k + 2]], k + 2);
    s3 += values.times(x[indices[k + 3]], k + 3);
  }
  double rest = 0;
  if (sizeof...(constant) > 0 && count - k == 3) {  // the constant is the fourth term
    s0 += values.times(x[indices[k]], k);
    s1 += values.times(x[indices[k + 1]], k + 1);
    s2 += values.times(x[indices[k + 2]], k + 2);
    ((s3 += constant), ...);
    return ((s0 + s1) + (s2 + s3)) + rest;
  }
  for (; k < count; ++k) rest += values.times(x[indices[k]], k);
  ((rest += constant), ...);
  return ((s0 + s1) + (s2 + s3)) + rest;
}

template <class Index, class... Constant>
GEODESCENT_ALWAYS_INLINE void sparse_dots(const SparseView& a, std::size_t n, const double* x, double* out,
                                          Constant... constant) {
  const auto* const indices = static_cast<const Index*>(a.indices);
  const std::uint64_t *const offsets = a.offsets, *const ends = a.ends;
  with_values_and_order(
      a, n, [=](auto values, std::size_t i) __attribute__((always_inline)) {
        const std::uint64_t first = offsets[i];
        out[i] = sparse_dot(indices + first, values.at(first), ends[i] - first, x, constant...);
      });
}

template <class Index>
void sparse_forward(const SparseView& a, std::size_t n, const double* x, double* out) {
  if (a.constant == 0)
    sparse_dots<Index>(a, n, x, out);
  else
    sparse_dots<Index>(a, n, x, out, x[a.constant_column] * a.constant);
}

template <class Index>
void sparse_backward(const SparseView& a, std::size_t n, const double* weight, double* sum) {
  const auto* const indices = static_cast<const Index*>(a.indices);
  const std::uint64_t *const offsets = a.offsets, *const ends = a.ends;
  with_values_and_order(
      a, n, [=](auto values, std::size_t i) __attribute__((always_inline)) {
        const double w = weight[i];
        const std::uint64_t last = ends[i];
        for (std::uint64_t k = offsets[i]; k < last; ++k) sum[indices[k]] += values.times(w, k);
      });
  if (a.constant != 0)
    in_order(a, n, a.constant, [&](double value, std::size_t i) { sum[a.constant_column] += weight[i] * value; });
}

/// Products and sums have the bits of sparse_forward and sparse_backward.
template <class Index>
void sparse_sweep(const SparseView& a, std::size_t n, double* x, SweepStep step, void* context) {
  with_values(
      a, [&](auto values) __attribute__((always_inline)) {
        for (std::size_t i = 0; i < n; ++i) {
          const std::uint64_t first = a.offsets[i], count = a.ends[i] - first;
          const Index* const indices = static_cast<const Index*>(a.indices) + first;
          const auto row = values.at(first);
          const double w =
              step(context, i,
                   a.constant == 0 ? sparse_dot(indices, row, count, x)
                                   : sparse_dot(indices, row, count, x, x[a.constant_column] * a.constant));
          if (w == 0) continue;
          for (std::uint64_t k = 0; k < count; ++k) x[indices[k]] += row.times(w, k);
          if (a.constant != 0) x[a.constant_column] += w * a.constant;
        }
      });
}

/// Adds the outer product of a row with itself, K columns at once: each index is read once for
/// them.
template <std::size_t K, class Index, class Values>
GEODESCENT_ALWAYS_INLINE void add_columns(const Index* indices, Values values, std::uint64_t j, std::uint64_t count,
                                          double weight, double* sum, std::size_t d) {
  double w[K];
  double* column[K];
  for (std::size_t c = 0; c < K; ++c) {
    w[c] = values.times(weight, j + c);
    column[c] = sum + indices[j + c] * d;
    for (std::size_t k = 0; k <= c; ++k) column[k][indices[j + c]] += values.times(w[k], j + c);
  }
  for (std::uint64_t k = j + K; k < count; ++k) {
    const std::size_t index = indices[k];
    for (std::size_t c = 0; c < K; ++c) column[c][index] += values.times(w[c], k);
  }
}

/// Rows are processed in their natural order, because the loops are long.
template <class Index>
void sparse_gram(const SparseView& a, std::size_t n, std::size_t d, const double* weight, double* sum) {
  const auto* const indices = static_cast<const Index*>(a.indices);
  with_values(
      a, [&](auto values) __attribute__((always_inline)) {
        for (std::size_t i = 0; i < n; ++i) {
          if (weight[i] == 0) continue;  // most rows, with a hinge loss
          const std::uint64_t first = a.offsets[i], count = a.ends[i] - first;
          std::uint64_t j = 0;
          for (; j + 4 <= count; j += 4) add_columns<4>(indices + first, values.at(first), j, count, weight[i], sum, d);
          for (; j < count; ++j) add_columns<1>(indices + first, values.at(first), j, count, weight[i], sum, d);
          if (a.constant == 0) continue;
          const std::size_t last = a.constant_column;
          for (j = 0; j < count; ++j)
            sum[indices[first + j] * d + last] += values.at(first).times(weight[i], j) * a.constant;
          sum[last * d + last] += weight[i] * a.constant * a.constant;
        }
      });
}

}  // namespace
}  // namespace geodescent
