#include "geodescent/vector.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/column_products.hpp"
#include "kernels/kernels.hpp"

namespace geodescent {
namespace {

// Rows of a block that a pass over many columns processes together: they fit the first-level cache.
constexpr std::size_t rows_at_once = 1024;
constexpr std::size_t columns_at_once = 128, most_blocks = 16;

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  assert(a.size() == b.size());
  const Kernels& k = kernels();
  return parallel::sum<parallel::Sums<1>>(
             parallel::cut(a.size()),
             [&](std::size_t begin, std::size_t end) {
               return parallel::Sums<1>{{k.dot(a.data() + begin, b.data() + begin, end - begin)}};
             })
      .of[0];
}

double squared_norm(std::span<const double> a) { return dot(a, a); }

double norm(std::span<const double> a) { return std::sqrt(squared_norm(a)); }

void combine(std::span<double> out, double s, std::span<const double> a, double t, std::span<const double> b) {
  assert(out.size() == a.size() && a.size() == b.size());
  const Kernels& k = kernels();
  parallel::for_each(parallel::cut(out.size()), [&](std::size_t begin, std::size_t end) {
    k.axpby(out.data() + begin, s, a.data() + begin, t, b.data() + begin, end - begin);
  });
}

parallel::Blocks column_product_blocks(std::size_t rows) { return parallel::cut(rows, 2048, most_blocks); }

void add_column_products(std::span<const double> columns, std::span<const double> x, std::size_t begin, std::size_t end,
                         std::span<double> sums) {
  const std::size_t rows = x.size();
  const Kernels& k = kernels();
  std::array<double, columns_at_once> part;
  for (std::size_t first = 0; first < sums.size(); first += columns_at_once) {
    const std::size_t count = std::min(columns_at_once, sums.size() - first);
    const double* const from = columns.data() + first * rows;
    for (std::size_t i = begin; i < end; i += rows_at_once) {
      k.multi_dot(from + i, rows, count, x.data() + i, std::min(rows_at_once, end - i), part.data());
      for (std::size_t j = 0; j < count; ++j) sums[first + j] += part[j];
    }
  }
}

void column_products(std::span<const double> columns, std::span<const double> x, std::span<double> out) {
  const std::size_t rows = x.size(), count = std::min(out.size(), columns_at_once);
  assert(columns.size() >= rows * out.size());
  if (out.size() > count) column_products(columns.subspan(rows * count), x, out.subspan(count));
  const parallel::Blocks blocks = column_product_blocks(rows);
  std::array<double, most_blocks * columns_at_once> partial;
  parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
    const std::span<double> sums(partial.data() + blocks.index(begin) * count, count);
    std::fill(sums.begin(), sums.end(), 0.0);
    add_column_products(columns, x, begin, end, sums);
  });
  for (std::size_t j = 0; j < count; ++j) {
    double sum = 0;
    for (std::size_t b = 0; b < blocks.count; ++b) sum += partial[b * count + j];
    out[j] = sum;
  }
}

void add_columns(std::span<double> out, double t, std::span<const double> z, std::span<const double> columns) {
  const std::size_t rows = out.size(), count = std::min(z.size(), columns_at_once);
  assert(columns.size() >= rows * z.size());
  const Kernels& k = kernels();
  std::array<double, columns_at_once> factors;
  k.scale(factors.data(), t, z.data(), count);
  parallel::for_each(parallel::cut(rows), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; i += rows_at_once)
      k.multi_axpy(out.data() + i, factors.data(), columns.data() + i, rows, count, std::min(rows_at_once, end - i));
  });
  if (z.size() > count) add_columns(out, t, z.subspan(count), columns.subspan(rows * count));
}

}  // namespace geodescent
