// Gram matrices of dense matrices: sums of weighted outer products, in tiles that fit the
// registers.
#pragma once

#include <type_traits>

#include "kernels/kernels.hpp"
#include "kernels/lanes.hpp"
#include "kernels/row_kernels.hpp"

namespace geodescent {
namespace {

// Dense rows of any strides. A panel of rows is packed twice, plain and weighted, in strips of
// eight columns: entry j of row r is at strip j / 8, place 8 r + j % 8. A tile of the matrix is
// then a sum over r of eight numbers times one. Each entry adds the rows of a panel in order, then
// adds that sum to the old value.

// not a power of two, so that strips do not share cache sets
constexpr std::size_t strip_stride = lanes * (gram_panel + 1);
constexpr std::size_t tile_columns = register_width;  // one register for each sum of a tile

/// Packs row i, with the constant after its d entries if there is one.
template <class T>
void pack_row(const DenseView<T>& a, std::size_t i, std::size_t d, double weight, double* plain, double* weighted) {
  const T* const row = a.entries + i * a.row_stride;
  std::size_t j = 0;
  for (; a.column_stride == 1 && j + lanes <= d; j += lanes, plain += strip_stride, weighted += strip_stride) {
    const Lanes part = load(row + j);
    store(plain, part);
    store(weighted, weight * part);
  }
  const std::size_t all = d + (a.constant != 0);
  for (; j < all; j += lanes, plain += strip_stride, weighted += strip_stride) {
    store(plain, zeros());
    store(weighted, zeros());
    for (std::size_t l = 0; l < lanes && j + l < all; ++l) {
      const double entry = j + l < d ? static_cast<double>(row[(j + l) * a.column_stride]) : a.constant;
      plain[l] = entry;
      weighted[l] = weight * entry;
    }
  }
}

/// Adds a tile of eight rows and tile_columns columns, times Sign, to the matrix. `sum` points to
/// the first entry of the tile. `rows` and `columns` cut off the part beyond the end of the matrix;
/// `first_on_diagonal` cuts off the part above the diagonal.
template <int Sign>
GEODESCENT_ALWAYS_INLINE void add_tile(const double* plain, const double* weighted, std::size_t depth, double* sum,
                                       std::size_t stride, std::size_t rows, std::size_t columns,
                                       std::ptrdiff_t first_on_diagonal) {
  Lanes tile[tile_columns];
  for (std::size_t q = 0; q < tile_columns; ++q) tile[q] = zeros();
  for (std::size_t r = 0; r < depth; ++r) {
    const Lanes a = load(plain + lanes * r);
    for (std::size_t q = 0; q < tile_columns; ++q) tile[q] = tile[q] + weighted[lanes * r + q] * a;
  }
  if (rows == lanes && columns >= tile_columns && first_on_diagonal < 0) {
    for (std::size_t q = 0; q < tile_columns; ++q) store(sum + q * stride, load(sum + q * stride) + Sign * tile[q]);
    return;
  }
  for (std::size_t q = 0; q < tile_columns && q < columns; ++q) {
    double column[lanes];
    store(column, tile[q]);
    const std::ptrdiff_t above = first_on_diagonal + static_cast<std::ptrdiff_t>(q);
    for (std::size_t l = above > 0 ? static_cast<std::size_t>(above) : 0; l < rows; ++l)
      sum[q * stride + l] += Sign * column[l];
  }
}

/// Adds the strip of eight columns that starts at column j < d, in the lower triangle of `sum`.
template <int Sign>
void add_packed_strip(const double* plain, const double* weighted, std::size_t depth, std::size_t j, std::size_t d,
                      double* sum, std::size_t stride) {
  for (std::size_t i = j; i < d; i += lanes)
    for (std::size_t q = 0; q < lanes && j + q < d; q += tile_columns)
      add_tile<Sign>(plain + i / lanes * strip_stride, weighted + j / lanes * strip_stride + q, depth,
                     sum + (j + q) * stride + i, stride, d - i < lanes ? d - i : lanes, d - j - q,
                     i == j ? static_cast<std::ptrdiff_t>(q) : -static_cast<std::ptrdiff_t>(lanes));
}

void add_packed_gram(const double* plain, const double* weighted, std::size_t depth, std::size_t d, double* sum) {
  for (std::size_t j = 0; j < d; j += lanes) add_packed_strip<1>(plain, weighted, depth, j, d, sum, d);
}

void pack_panel(const double* panel, std::size_t stride, std::size_t rows, double* packed) {
  for (std::size_t i = 0; i < rows; i += lanes, packed += strip_stride)
    for (std::size_t p = 0; p < gram_panel; ++p)
      for (std::size_t l = 0; l < lanes; ++l) packed[lanes * p + l] = i + l < rows ? panel[p * stride + i + l] : 0;
}

void subtract_panel_gram(const double* packed, std::size_t rows, std::size_t first, std::size_t last, double* rest,
                         std::size_t stride) {
  for (std::size_t j = first; j < last; j += lanes)
    add_packed_strip<-1>(packed, packed, gram_panel, j, rows, rest, stride);
}

template <class T>
void dense_gram(const DenseView<T>& a, std::size_t n, std::size_t d, const double* weight, double* sum,
                double* scratch) {
  const std::size_t columns = d + (a.constant != 0);
  double* const weighted = scratch + (columns + lanes - 1) / lanes * strip_stride;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (weight[i] == 0) continue;  // most rows, with a hinge loss
    pack_row(a, i, d, weight[i], scratch + lanes * depth, weighted + lanes * depth);
    if (++depth < gram_panel) continue;
    add_packed_gram(scratch, weighted, depth, columns, sum);
    depth = 0;
  }
  if (depth > 0) add_packed_gram(scratch, weighted, depth, columns, sum);
}

// Columns stored one after the other: scalar products of weighted columns with plain ones, in eight
// lanes. The columns of a tile share their loads. Rows of weight 0 are removed from each panel
// first.

// The numbers of weighted and plain columns of a tile: sums and loaded values fill the registers.
constexpr std::size_t tile_weighted = register_width == 8 ? 4 : register_width == 4 ? 2 : 1;
constexpr std::size_t tile_plain = register_width == 8 ? 4 : 2;

template <std::size_t W, std::size_t P>
GEODESCENT_ALWAYS_INLINE void add_products(const double* weighted, std::size_t weighted_stride, const double* plain,
                                           std::size_t plain_stride, std::size_t n, double* sum,
                                           std::size_t sum_stride) {
  Lanes tile[W][P];
  double rest[W][P] = {};
  for (std::size_t j = 0; j < W; ++j)
    for (std::size_t k = 0; k < P; ++k) tile[j][k] = zeros();
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    Lanes a[W];
    for (std::size_t j = 0; j < W; ++j) a[j] = load(weighted + j * weighted_stride + i);
    for (std::size_t k = 0; k < P; ++k) {
      const Lanes b = load(plain + k * plain_stride + i);
      for (std::size_t j = 0; j < W; ++j) tile[j][k] = tile[j][k] + a[j] * b;
    }
  }
  for (; i < n; ++i)
    for (std::size_t j = 0; j < W; ++j)
      for (std::size_t k = 0; k < P; ++k) rest[j][k] += weighted[j * weighted_stride + i] * plain[k * plain_stride + i];
  for (std::size_t j = 0; j < W; ++j)
    for (std::size_t k = 0; k < P; ++k) sum[j * sum_stride + k] += total(tile[j][k], rest[j][k]);
}

/// `weighted` holds the columns j, j + 1, ... of `plain`.
template <std::size_t W>
GEODESCENT_ALWAYS_INLINE void add_stripe(const double* weighted, std::size_t weighted_stride, const double* plain,
                                         std::size_t plain_stride, std::size_t n, std::size_t j, std::size_t m,
                                         double* sum, std::size_t sum_stride) {
  double* const stripe = sum + j * sum_stride;
  // A full tile at the diagonal; only its lower half is added.
  double corner[W * W] = {};
  add_products<W, W>(weighted, weighted_stride, plain + j * plain_stride, plain_stride, n, corner, W);
  for (std::size_t w = 0; w < W; ++w)
    for (std::size_t k = w; k < W; ++k) stripe[w * sum_stride + j + k] += corner[w * W + k];
  std::size_t k = j + W;
  for (; k + tile_plain <= m; k += tile_plain)
    add_products<W, tile_plain>(weighted, weighted_stride, plain + k * plain_stride, plain_stride, n, stripe + k,
                                sum_stride);
  for (; k < m; ++k)
    add_products<W, 1>(weighted, weighted_stride, plain + k * plain_stride, plain_stride, n, stripe + k, sum_stride);
}

constexpr std::size_t column_stride = columns_panel + 8;

void columns_gram(const double* columns, std::size_t stride, std::size_t m, std::size_t n, const double* weight,
                  double* sum, std::size_t sum_stride, double* scratch) {
  double *const gathered = scratch, *const weighted = scratch + m * column_stride;
  double* const weights = weighted + tile_weighted * column_stride;
  std::uint32_t rows[columns_panel];
  for (std::size_t begin = 0; begin < n; begin += columns_panel) {
    const std::size_t size = n - begin < columns_panel ? n - begin : columns_panel;
    std::size_t count = 0;
    for (std::size_t i = 0; i < size; ++i) {
      rows[count] = static_cast<std::uint32_t>(i);
      weights[count] = weight[begin + i];
      count += weight[begin + i] != 0;
    }
    const double* plain = columns + begin;
    std::size_t plain_stride = stride;
    if (count < size) {
      for (std::size_t j = 0; j < m; ++j)
        for (std::size_t i = 0; i < count; ++i) gathered[j * column_stride + i] = columns[j * stride + begin + rows[i]];
      plain = gathered;
      plain_stride = column_stride;
    }
    std::size_t j = 0;
    const auto stripe = [&]<std::size_t W>(std::integral_constant<std::size_t, W>) __attribute__((always_inline)) {
      for (std::size_t w = 0; w < W; ++w)
        multiply(weighted + w * column_stride, plain + (j + w) * plain_stride, weights, count);
      add_stripe<W>(weighted, column_stride, plain, plain_stride, count, j, m, sum, sum_stride);
      j += W;
    };
    while (j + tile_weighted <= m) stripe(std::integral_constant<std::size_t, tile_weighted>{});
    while (j < m) stripe(std::integral_constant<std::size_t, 1>{});
  }
}

}  // namespace
}  // namespace geodescent
