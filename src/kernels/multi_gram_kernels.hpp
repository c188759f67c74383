// Gram matrices of the same rows with K weights at once: sum_i w_ik a_i a_i' for k < K. The sum has
// K neighbours for each entry of the lower triangle, columns one after the other without gaps. So a
// product of two entries of a row is made once and multiplies K consecutive numbers.
#pragma once

#include "kernels/gram_kernels.hpp"
#include "kernels/multi_kernels.hpp"

namespace geodescent {
namespace {

/// Where the lower triangle of a matrix of d columns has entry (j, j).
GEODESCENT_ALWAYS_INLINE std::size_t triangle_column(std::size_t j, std::size_t d) {
  return j * d - j * (j + 1) / 2 + j;
}

// Compressed rows. For each row the weights stay in registers, and each pair of its entries adds to
// the sum.

template <std::size_t N, class Index, class Values>
GEODESCENT_ALWAYS_INLINE void add_pairs(const Index* indices, Values values, std::uint64_t count, const SparseView& a,
                                        std::size_t d, std::size_t outputs, const double* weight, double* sum) {
  const Neighbours<N> w = load_neighbours<N>(weight);
  const auto add_to = [&](double* to, double product) __attribute__((always_inline)) {
    Neighbours<N> s = load_neighbours<N>(to);
    add_multiple(s, Repeated{product}, 0, w);
    store_neighbours(to, s);
  };
  for (std::uint64_t j = 0; j < count; ++j) {
    const std::size_t column = indices[j];
    double* const from = sum + (triangle_column(column, d) - column) * outputs;
    const double value = values.times(1.0, j);
    for (std::uint64_t i = j; i < count; ++i) add_to(from + indices[i] * outputs, values.times(value, i));
    if (a.constant != 0) add_to(from + a.constant_column * outputs, value * a.constant);
  }
  if (a.constant != 0) add_to(sum + triangle_column(a.constant_column, d) * outputs, a.constant * a.constant);
}

template <class Index>
void sparse_multi_gram(const SparseView& a, std::size_t n, std::size_t d, std::size_t outputs, const double* weight,
                       double* sum) {
  with_values(
      a, [&](auto values) __attribute__((always_inline)) {
        for (std::size_t i = 0; i < n; ++i) {
          const std::uint64_t first = a.offsets[i], count = a.ends[i] - first;
          const Index* const indices = static_cast<const Index*>(a.indices) + first;
          for_neighbours(
              outputs, [&]<std::size_t N>(std::integral_constant<std::size_t, N>,
                                          std::size_t k) __attribute__((always_inline)) {
                add_pairs<N>(indices, values.at(first), count, a, d, outputs, weight + i * outputs + k, sum + k);
              });
        }
      });
}

// Dense rows, a panel at a time, stored by columns. Each entry of the sum adds the rows of a panel
// in order, then adds that to the old value.

constexpr std::size_t pairs_together = 4;

/// P pairs of columns that are consecutive entries of the sum, with N neighbours each.
template <std::size_t P, std::size_t N>
GEODESCENT_ALWAYS_INLINE void add_pair_tile(const double* products, std::size_t depth, std::size_t outputs,
                                            const double* weight, double* sum) {
  Neighbours<N> tile[P] = {};
  for (std::size_t r = 0; r < depth; ++r) {
    const Neighbours<N> w = load_neighbours<N>(weight + r * outputs);
    for (std::size_t p = 0; p < P; ++p) add_multiple(tile[p], Repeated{products[p * gram_panel + r]}, 0, w);
  }
  for (std::size_t p = 0; p < P; ++p) {
    Neighbours<N> s = load_neighbours<N>(sum + p * outputs);
    add(s, tile[p]);
    store_neighbours(sum + p * outputs, s);
  }
}

/// All pairs of columns, for N neighbours.
template <std::size_t N>
GEODESCENT_ALWAYS_INLINE void add_panel_pairs(const double* columns, std::size_t depth, std::size_t d,
                                              std::size_t outputs, const double* weight, double* sum) {
  alignas(64) double products[pairs_together * gram_panel];
  for (std::size_t j = 0; j < d; ++j) {
    const double* const left = columns + j * gram_panel;
    const auto pairs = [&]<std::size_t P>(std::integral_constant<std::size_t, P>, std::size_t i)
        __attribute__((always_inline)) {
      for (std::size_t p = 0; p < P; ++p)
        for (std::size_t r = 0; r < gram_panel; ++r)
          products[p * gram_panel + r] = left[r] * columns[(i + p) * gram_panel + r];
      add_pair_tile<P, N>(products, depth, outputs, weight, sum);
      sum += P * outputs;
    };
    std::size_t i = j;
    for (; i + pairs_together <= d; i += pairs_together)
      pairs(std::integral_constant<std::size_t, pairs_together>{}, i);
    for (; i < d; ++i) pairs(std::integral_constant<std::size_t, 1>{}, i);
  }
}

template <class T>
void dense_multi_gram(const DenseView<T>& a, std::size_t n, std::size_t d, std::size_t outputs, const double* weight,
                      double* sum, double* columns) {
  const std::size_t all = d + (a.constant != 0);
  for (std::size_t begin = 0; begin < n; begin += gram_panel) {
    const std::size_t depth = n - begin < gram_panel ? n - begin : gram_panel;
    for (std::size_t j = 0; j < all; ++j)
      for (std::size_t r = 0; r < gram_panel; ++r) {
        const T* const row = a.entries + (begin + (r < depth ? r : 0)) * a.row_stride;
        columns[j * gram_panel + r] = j < d ? static_cast<double>(row[j * a.column_stride]) : a.constant;
      }
    const double* const w = weight + begin * outputs;
    const auto neighbours = [&](auto count, std::size_t k) __attribute__((always_inline)) {
      add_panel_pairs<decltype(count)::value>(columns, depth, all, outputs, w + k, sum + k);
    };
    // Twice as many neighbours as a register holds: with four pairs that is enough to hide the
    // latency of additions.
    constexpr std::size_t most = 2 * register_width < 8 ? 8 : 2 * register_width;
    std::size_t k = 0;
    for (; k + most <= outputs; k += most) neighbours(std::integral_constant<std::size_t, most>{}, k);
    for_neighbours(
        outputs - k, [&](auto count, std::size_t from) __attribute__((always_inline)) { neighbours(count, k + from); });
  }
}

}  // namespace
}  // namespace geodescent
