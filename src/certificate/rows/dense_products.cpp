// Loops that compilers vectorise, with the order of additions of each sum fixed in the source.
#include "certificate/rows/dense_products.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>

#include "certificate/rows/product_sum.hpp"

namespace geodescent::proof {
namespace {

constexpr std::size_t row_lanes = 8;
/// Shorter rows are transposed, because adding up the lanes would take longer than the products.
constexpr std::size_t shortest_in_lanes = 64;
/// The size of a transposed tile: it fits the first-level cache.
constexpr std::size_t tile_width = 32;
constexpr std::size_t tile_height = 64;
constexpr std::size_t sums_at_a_time = 1024;  ///< they fit the first-level cache, too

/// A view of stored numbers: number (o, k) is first[o outer_stride + k inner_stride].
template <class Number>
struct Numbers {
  const Number* first;
  std::size_t outer_stride;
  std::size_t inner_stride;
};

struct Sums {
  double* high;
  double* low;
  double* magnitude;

  Sums from(std::size_t k) const { return {high + k, low + k, magnitude + k}; }
};

/// One step of ProductSum::add, in local variables.
GEODESCENT_PROOF_INLINE void add_product(double a, double b, double& high, double& low, double& magnitude) {
  const double rounded = a * b, rest = std::fma(a, b, -rounded);
  const double sum = high + rounded, added = sum - high;
  low += ((high - (sum - added)) + (rounded - added)) + rest;
  magnitude += std::abs(rounded);
  high = sum;
}

/// sums[k] += factors[o] numbers[o stride + k], for each k and `count` numbers o, with the sums in
/// registers. The sums overlap with no other memory.
template <std::size_t count, class Number>
GEODESCENT_PROOF_INLINE void add_neighbours(const Number* numbers, std::size_t stride, std::size_t size,
                                            const double* factors, double* __restrict highs, double* __restrict lows,
                                            double* __restrict magnitudes) {
  for (std::size_t k = 0; k < size; ++k) {
    double high = highs[k], low = lows[k], magnitude = magnitudes[k];
    for (std::size_t o = 0; o < count; ++o) add_product(numbers[o * stride + k], factors[o], high, low, magnitude);
    highs[k] = high;
    lows[k] = low;
    magnitudes[k] = magnitude;
  }
}

template <class Number>
GEODESCENT_PROOF_INLINE void add_neighbours(const Number* numbers, std::size_t stride, std::size_t outer,
                                            std::size_t size, const double* factors, const Sums& sums) {
  std::size_t o = 0;
  for (; o + 8 <= outer; o += 8)
    add_neighbours<8>(numbers + o * stride, stride, size, factors + o, sums.high, sums.low, sums.magnitude);
  for (; o + 2 <= outer; o += 2)
    add_neighbours<2>(numbers + o * stride, stride, size, factors + o, sums.high, sums.low, sums.magnitude);
  if (o < outer)
    add_neighbours<1>(numbers + o * stride, stride, size, factors + o, sums.high, sums.low, sums.magnitude);
}

/// sums[k] += factors[o] number(o, k) for all o, in their order.
template <class Number>
GEODESCENT_PROOF_INLINE void add_all(const Numbers<Number>& numbers, std::size_t outer, std::size_t inner,
                                     const double* factors, const Sums& sums) {
  if (numbers.inner_stride == 1) {
    for (std::size_t k = 0; k < inner; k += sums_at_a_time)
      add_neighbours(numbers.first + k, numbers.outer_stride, outer, std::min(sums_at_a_time, inner - k), factors,
                     sums.from(k));
    return;
  }
  double tile[tile_width * tile_height];
  for (std::size_t k = 0; k < inner; k += tile_width) {
    const std::size_t width = std::min(tile_width, inner - k);
    for (std::size_t o = 0; o < outer; o += tile_height) {
      const std::size_t height = std::min(tile_height, outer - o);
      for (std::size_t i = 0; i < width; ++i) {
        const Number* const from = numbers.first + (k + i) * numbers.inner_stride + o * numbers.outer_stride;
        for (std::size_t j = 0; j < height; ++j) tile[j * tile_width + i] = from[j * numbers.outer_stride];
      }
      if (width == tile_width)  // a constant width is faster
        add_neighbours(tile, tile_width, height, tile_width, factors + o, sums.from(k));
      else
        add_neighbours(tile, tile_width, height, width, factors + o, sums.from(k));
    }
  }
}

/// The sum of numbers[k] factors[k], in lanes.
GEODESCENT_PROOF_INLINE ProductSum product_in_lanes(const double* numbers, const double* factors, std::size_t size) {
  double high[row_lanes] = {}, low[row_lanes] = {}, magnitude[row_lanes] = {};
  std::size_t k = 0;
  for (; k + row_lanes <= size; k += row_lanes) {
#pragma GCC unroll 1  // one vector instruction for all lanes, if the processor has one
    for (std::size_t l = 0; l < row_lanes; ++l)
      add_product(numbers[k + l], factors[k + l], high[l], low[l], magnitude[l]);
  }
  ProductSum sum;
  for (std::size_t l = 0; l < row_lanes; ++l) sum.add(ProductSum(high[l], low[l], magnitude[l]));
  for (; k < size; ++k) sum.add(numbers[k], factors[k]);
  return sum;
}

/// sums[r] = row r . factors. There is no version for floats, which are always transposed.
GEODESCENT_FMA_CLONES void row_products(const double* row, std::size_t stride, std::size_t rows, std::size_t columns,
                                        const double* factors, const Sums& sums) {
  for (std::size_t r = 0; r < rows; ++r, row += stride) {
    const ProductSum sum = product_in_lanes(row, factors, columns);
    sums.high[r] = sum.high();
    sums.low[r] = sum.low();
    sums.magnitude[r] = sum.magnitude();
  }
}

// Function clones cannot be templates.
GEODESCENT_FMA_CLONES void add_all_of(const Numbers<double>& numbers, std::size_t outer, std::size_t inner,
                                      const double* factors, const Sums& sums) {
  add_all(numbers, outer, inner, factors, sums);
}
GEODESCENT_FMA_CLONES void add_all_of(const Numbers<float>& numbers, std::size_t outer, std::size_t inner,
                                      const double* factors, const Sums& sums) {
  add_all(numbers, outer, inner, factors, sums);
}
Sums places_of(ProductSums& sums) { return {sums.high.data(), sums.low.data(), sums.magnitude.data()}; }

}  // namespace

std::size_t rows_at_a_time(const DenseArrays& arrays) {
  constexpr std::size_t entries = std::size_t{1} << 14;
  const std::size_t tiles = entries / tile_width / std::max<std::size_t>(arrays.columns, 1);
  return tile_width * std::clamp<std::size_t>(tiles, 1, 8);
}

void products(const DenseArrays& arrays, std::size_t begin, std::size_t end, std::span<const double> factors,
              const Product& constant, std::span<const double> subtracted, ProductSums& sums,
              std::span<Approximation> out) {
  const std::size_t rows = end - begin, columns = arrays.columns;
  sums.start(rows);
  std::visit(
      [&](const auto& entries) {
        const auto* const first = entries.data() + begin * arrays.row_stride;
        if constexpr (std::is_same_v<decltype(first), const double* const>) {
          if (arrays.column_stride == 1 && columns >= shortest_in_lanes)
            return row_products(first, arrays.row_stride, rows, columns, factors.data(), places_of(sums));
        }
        add_all_of({first, arrays.column_stride, arrays.row_stride}, columns, rows, factors.data(), places_of(sums));
      },
      arrays.entries);
  Product of_last_column;
  if (arrays.constant != 0) of_last_column = product_of(arrays.constant, factors[columns]);
  for (std::size_t r = 0; r < rows; ++r) {
    ProductSum sum = sums[r];
    sum.add(of_last_column);
    sum.add(constant);
    if (!subtracted.empty()) sum.add(Product{-subtracted[r], 0});
    out[r] = sum.rounded(columns + 3);
  }
}

void add_multiples(const DenseArrays& arrays, std::size_t begin, std::size_t end, std::span<const double> factors,
                   ProductSums& sums) {
  const std::size_t rows = end - begin, columns = arrays.columns;
  std::visit(
      [&](const auto& entries) {
        const auto* const first = entries.data() + begin * arrays.row_stride;
        add_all_of({first, arrays.row_stride, arrays.column_stride}, rows, columns, factors.data(), places_of(sums));
      },
      arrays.entries);
  if (arrays.constant == 0) return;
  for (std::size_t r = 0; r < rows; ++r) sums.add(columns, factors[r], arrays.constant);
}

}  // namespace geodescent::proof
