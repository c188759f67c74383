#include "geodescent/vector.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "geodescent/parallel.hpp"

namespace geodescent {
namespace {

// Of the rows of a block, what a pass over many columns works on at once: it stays in the first cache.
constexpr std::size_t rows_at_once = 1024;
constexpr std::size_t columns_at_once = 128, most_blocks = 16;

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  const auto product = [&](std::size_t i) { return std::array{a[i] * b[i]}; };
  return parallel::sum<parallel::Sums<1>>(
             parallel::cut(a.size()),
             [&](std::size_t begin, std::size_t end) { return parallel::sum_in_lanes<1>(begin, end, product); })
      .of[0];
}

double squared_norm(std::span<const double> a) { return dot(a, a); }

double norm(std::span<const double> a) { return std::sqrt(squared_norm(a)); }

void combine(std::span<double> out, double s, std::span<const double> a, double t, std::span<const double> b) {
  assert(out.size() == a.size() && a.size() == b.size());
  parallel::for_each(parallel::cut(out.size()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = s * a[i] + t * b[i];
  });
}

void column_products(std::span<const double> columns, std::span<const double> x, std::span<double> out) {
  const std::size_t rows = x.size(), count = std::min(out.size(), columns_at_once);
  assert(columns.size() >= rows * out.size());
  if (out.size() > count) column_products(columns.subspan(rows * count), x, out.subspan(count));
  const parallel::Blocks blocks = parallel::cut(rows, 2048, most_blocks);
  std::array<double, most_blocks * columns_at_once> partial;
  double* const sums = partial.data();
  parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
    double* const sum = sums + begin / blocks.length * count;
    std::fill(sum, sum + count, 0.0);
    for (std::size_t first = begin; first < end; first += rows_at_once) {
      const std::size_t last = std::min(end, first + rows_at_once);
      for (std::size_t j = 0; j < count; ++j) {
        const double* const column = columns.data() + j * rows;
        sum[j] +=
            parallel::sum_in_lanes<1>(first, last, [&](std::size_t i) { return std::array{column[i] * x[i]}; }).of[0];
      }
    }
  });
  for (std::size_t j = 0; j < count; ++j) {
    double sum = 0;
    for (std::size_t b = 0; b < blocks.count; ++b) sum += sums[b * count + j];
    out[j] = sum;
  }
}

void add_columns(std::span<double> out, double t, std::span<const double> z, std::span<const double> columns) {
  const std::size_t rows = out.size();
  assert(columns.size() >= rows * z.size());
  parallel::for_each(parallel::cut(rows), [&](std::size_t begin, std::size_t end) {
    for (std::size_t first = begin; first < end; first += rows_at_once) {
      const std::size_t last = std::min(end, first + rows_at_once);
      // Four columns at a time: each entry of `out` is loaded and stored a quarter as often.
      std::size_t j = 0;
      for (; j + 4 <= z.size(); j += 4) {
        const double *const a = columns.data() + j * rows, *const b = a + rows, *const c = b + rows,
                            *const d = c + rows;
        const double p = t * z[j], q = t * z[j + 1], r = t * z[j + 2], s = t * z[j + 3];
        for (std::size_t i = first; i < last; ++i) out[i] += (p * a[i] + q * b[i]) + (r * c[i] + s * d[i]);
      }
      for (; j < z.size(); ++j) {
        const double* const column = columns.data() + j * rows;
        const double s = t * z[j];
        for (std::size_t i = first; i < last; ++i) out[i] += s * column[i];
      }
    }
  });
}

}  // namespace geodescent
