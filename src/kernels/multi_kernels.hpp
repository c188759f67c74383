// Products of a matrix with K vectors at once. Numbers that belong together are neighbours: x has K
// of them for each column, the image K for each row. So an entry of the matrix is read once and
// multiplies K consecutive numbers.
//
// A sum has the same bits for every form of storage of its numbers. Those of `forward` are two
// chains of additions, one over the even and one over the odd entries of a row.
#pragma once

#include <type_traits>

#include "kernels/kernels.hpp"
#include "kernels/matrix_kernels.hpp"

namespace geodescent {
namespace {

/// N neighbours, in registers.
template <std::size_t N>
struct Neighbours {
  static constexpr std::size_t width = N < register_width ? N : register_width;
  typedef double Part __attribute__((vector_size(8 * width)));
  Part part[N / width];
};
template <>
struct Neighbours<1> {
  double part[1];
};

template <std::size_t N>
GEODESCENT_ALWAYS_INLINE Neighbours<N> load_neighbours(const double* from) {
  Neighbours<N> r;
  __builtin_memcpy(&r, from, sizeof r);
  return r;
}

template <std::size_t N>
GEODESCENT_ALWAYS_INLINE void store_neighbours(double* to, const Neighbours<N>& from) {
  __builtin_memcpy(to, &from, sizeof from);
}

/// sum += entry k of a row, times x.
template <std::size_t N, class Values>
GEODESCENT_ALWAYS_INLINE void add_multiple(Neighbours<N>& sum, Values values, std::uint64_t k, const Neighbours<N>& x) {
  for (std::size_t p = 0; p < sizeof sum.part / sizeof sum.part[0]; ++p)
    sum.part[p] = sum.part[p] + values.times(x.part[p], k);
}

template <std::size_t N>
GEODESCENT_ALWAYS_INLINE void add(Neighbours<N>& sum, const Neighbours<N>& x) {
  add_multiple(sum, Ones{}, 0, x);
}

/// body(N, k) for the neighbours k .. k + N of K: as many at a time as registers hold.
template <class Body>
GEODESCENT_ALWAYS_INLINE void for_neighbours(std::size_t count, const Body& body) {
  std::size_t k = 0;
  for (; k + 8 <= count; k += 8) body(std::integral_constant<std::size_t, 8>{}, k);
  if (k + 4 <= count) body(std::integral_constant<std::size_t, 4>{}, k), k += 4;
  if (k + 2 <= count) body(std::integral_constant<std::size_t, 2>{}, k), k += 2;
  if (k + 1 <= count) body(std::integral_constant<std::size_t, 1>{}, k);
}

// Compressed rows.

/// body(values, i) for each row i, with the reader of the values, in the order of the rows. (One
/// loop for both orders: the work on a row is what takes time.)
template <class Body>
GEODESCENT_ALWAYS_INLINE void for_sparse_rows(const SparseView& a, std::size_t n, const Body& body) {
  with_values(
      a, [&](auto values) __attribute__((always_inline)) {
        for (std::size_t r = 0; r < n; ++r) body(values, a.order ? a.order[r] : r);
      });
}

template <std::size_t N, class Index, class Values>
GEODESCENT_ALWAYS_INLINE void sparse_multi_dot(const Index* indices, Values values, std::uint64_t count,
                                               const SparseView& a, std::size_t outputs, const double* x, double* out) {
  Neighbours<N> even{}, odd{};
  std::uint64_t k = 0;
  for (; k + 2 <= count; k += 2) {
    add_multiple(even, values, k, load_neighbours<N>(x + indices[k] * outputs));
    add_multiple(odd, values, k + 1, load_neighbours<N>(x + indices[k + 1] * outputs));
  }
  if (k < count) add_multiple(even, values, k, load_neighbours<N>(x + indices[k] * outputs));
  if (a.constant != 0)
    add_multiple(k < count ? odd : even, Repeated{a.constant}, 0, load_neighbours<N>(x + a.constant_column * outputs));
  add(even, odd);
  store_neighbours(out, even);
}

template <class Index>
void sparse_multi_forward(const SparseView& a, std::size_t n, std::size_t outputs, const double* x, double* out) {
  const auto* const indices = static_cast<const Index*>(a.indices);
  for_sparse_rows(
      a, n, [&](auto values, std::size_t i) __attribute__((always_inline)) {
        const std::uint64_t first = a.offsets[i], count = a.ends[i] - first;
        for_neighbours(
            outputs, [&]<std::size_t N>(std::integral_constant<std::size_t, N>,
                                        std::size_t k) __attribute__((always_inline)) {
              sparse_multi_dot<N>(indices + first, values.at(first), count, a, outputs, x + k, out + i * outputs + k);
            });
      });
}

template <class Index>
void sparse_multi_backward(const SparseView& a, std::size_t n, std::size_t outputs, const double* weight, double* sum) {
  const auto* const indices = static_cast<const Index*>(a.indices);
  for_sparse_rows(
      a, n, [&](auto values, std::size_t i) __attribute__((always_inline)) {
        const std::uint64_t last = a.ends[i];
        for_neighbours(
            outputs, [&]<std::size_t N>(std::integral_constant<std::size_t, N>,
                                        std::size_t k) __attribute__((always_inline)) {
              const Neighbours<N> w = load_neighbours<N>(weight + i * outputs + k);
              const auto add_to = [&](double* to, auto factors, std::uint64_t of) __attribute__((always_inline)) {
                Neighbours<N> s = load_neighbours<N>(to);
                add_multiple(s, factors, of, w);
                store_neighbours(to, s);
              };
              for (std::uint64_t e = a.offsets[i]; e < last; ++e) add_to(sum + indices[e] * outputs + k, values, e);
              if (a.constant != 0) add_to(sum + a.constant_column * outputs + k, Repeated{a.constant}, 0);
            });
      });
}

// Dense rows, R at a time: what is loaded for a column serves all of them.

template <std::size_t R, std::size_t N, class T>
GEODESCENT_ALWAYS_INLINE void dense_multi_dots(const DenseView<T>& a, const T* row, std::size_t d, std::size_t outputs,
                                               const double* x, double* out) {
  Neighbours<N> sum[2][R] = {};
  std::size_t j = 0;
  const auto add_column = [&](Neighbours<N> * to, std::size_t column) __attribute__((always_inline)) {
    const Neighbours<N> at = load_neighbours<N>(x + column * outputs);
    for (std::size_t r = 0; r < R; ++r)
      add_multiple(to[r], Stored<T>{row + r * a.row_stride + column * a.column_stride}, 0, at);
  };
  for (; j + 2 <= d; j += 2) {
    add_column(sum[0], j);
    add_column(sum[1], j + 1);
  }
  if (j < d) add_column(sum[0], j);
  if (a.constant != 0) {
    const Neighbours<N> at = load_neighbours<N>(x + d * outputs);
    for (std::size_t r = 0; r < R; ++r) add_multiple(sum[j < d ? 1 : 0][r], Repeated{a.constant}, 0, at);
  }
  for (std::size_t r = 0; r < R; ++r) {
    add(sum[0][r], sum[1][r]);
    store_neighbours(out + r * outputs, sum[0][r]);
  }
}

/// The sums of a column are added to in the order of the rows.
template <std::size_t R, std::size_t N, class T>
GEODESCENT_ALWAYS_INLINE void add_dense_multiples(const DenseView<T>& a, const T* row, std::size_t d,
                                                  std::size_t outputs, const double* weight, double* sum) {
  Neighbours<N> w[R];
  for (std::size_t r = 0; r < R; ++r) w[r] = load_neighbours<N>(weight + r * outputs);
  for (std::size_t j = 0; j < d; ++j) {
    Neighbours<N> s = load_neighbours<N>(sum + j * outputs);
    for (std::size_t r = 0; r < R; ++r)
      add_multiple(s, Stored<T>{row + r * a.row_stride + j * a.column_stride}, 0, w[r]);
    store_neighbours(sum + j * outputs, s);
  }
  if (a.constant == 0) return;
  Neighbours<N> s = load_neighbours<N>(sum + d * outputs);
  for (std::size_t r = 0; r < R; ++r) add_multiple(s, Repeated{a.constant}, 0, w[r]);
  store_neighbours(sum + d * outputs, s);
}

/// body(R, N, i, k) for the rows i .. i + R and their numbers k .. k + N.
template <class Body>
GEODESCENT_ALWAYS_INLINE void for_tiles(std::size_t n, std::size_t outputs, const Body& body) {
  constexpr std::size_t together = 4;
  const auto rows = [&]<std::size_t R>(std::integral_constant<std::size_t, R> count, std::size_t i)
      __attribute__((always_inline)) {
    for_neighbours(
        outputs, [&](auto neighbours, std::size_t k) __attribute__((always_inline)) { body(count, neighbours, i, k); });
  };
  std::size_t i = 0;
  for (; i + together <= n; i += together) rows(std::integral_constant<std::size_t, together>{}, i);
  for (; i < n; ++i) rows(std::integral_constant<std::size_t, 1>{}, i);
}

template <class T>
void dense_multi_forward(const DenseView<T>& a, std::size_t n, std::size_t d, std::size_t outputs, const double* x,
                         double* out) {
  for_tiles(
      n, outputs,
      [&]<std::size_t R, std::size_t N>(std::integral_constant<std::size_t, R>, std::integral_constant<std::size_t, N>,
                                        std::size_t i, std::size_t k) __attribute__((always_inline)) {
        dense_multi_dots<R, N>(a, a.entries + i * a.row_stride, d, outputs, x + k, out + i * outputs + k);
      });
}

template <class T>
void dense_multi_backward(const DenseView<T>& a, std::size_t n, std::size_t d, std::size_t outputs,
                          const double* weight, double* sum) {
  for_tiles(
      n, outputs,
      [&]<std::size_t R, std::size_t N>(std::integral_constant<std::size_t, R>, std::integral_constant<std::size_t, N>,
                                        std::size_t i, std::size_t k) __attribute__((always_inline)) {
        add_dense_multiples<R, N>(a, a.entries + i * a.row_stride, d, outputs, weight + i * outputs + k, sum + k);
      });
}

}  // namespace
}  // namespace geodescent
