#include "optimize/search/reduced.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "kernels/kernels.hpp"

namespace geodescent {
namespace {

/// An update skips rows whose curvature has changed by at most this part of itself.
constexpr double most_change = Reduced::most_change, small_change = 0.05;
constexpr std::size_t most_blocks = Reduced::most_blocks;
/// With this number of columns or fewer, a Hessian costs no more than the losses: it is computed at
/// every point.
constexpr std::size_t few_columns = 12;
/// An exact update is made if it costs at most this many products with all columns.
constexpr double affordable_products = 4;

std::span<double> weighted(Reduced& r) { return {r.weighted.get(), r.curvatures.size()}; }
/// The curvatures of the current Hessian.
std::span<const double> made_with(const Reduced& r) {
  return {r.is_kept ? r.reference.get() : r.curvatures.data(), r.curvatures.size()};
}

/// The lower triangles of the matrices of all blocks, one after the other, without gaps.
std::vector<double> gathered_grams(const RowSpace& rows, const Reduced& out, std::size_t m) {
  const parallel::Blocks of_all = reduced_blocks(rows.rows());
  std::vector<double> ours;
  for (std::size_t b = 0; b < rows.here(of_all).count; ++b)
    for (std::size_t j = 0; j < m; ++j) {
      const double* const sum = out.partial.get() + (b * out.capacity + j) * out.capacity;
      ours.insert(ours.end(), sum + j, sum + m);
    }
  return rows.gather(of_all, m * (m + 1) / 2, ours);
}

/// gram += M'diag(w) M, the lower triangle. Rows of weight 0 cost nothing.
void add_gram(const RowSpace& rows, const Basis& basis, std::span<const double> w, Reduced& out) {
  const std::size_t m = basis.size(), n = basis.image_size(), stride = out.capacity;
  const parallel::Blocks blocks = rows.alone() ? reduced_blocks(n) : rows.here(reduced_blocks(rows.rows()));
  parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
    const std::size_t block = blocks.index(begin);
    double* const sum = out.partial.get() + block * stride * stride;
    for (std::size_t j = 0; j < m; ++j) std::fill(sum + j * stride + j, sum + j * stride + m, 0.0);
    kernels().columns_gram(basis.image(0).data() + begin, n, m, end - begin, w.data() + begin, sum, stride,
                           out.tiles.get() + block * columns_gram_scratch(stride));
  });
  if (!rows.alone()) {
    const std::vector<double> all = gathered_grams(rows, out, m);
    const double* sum = all.data();
    for (std::size_t b = 0; b < reduced_blocks(rows.rows()).count; ++b)
      for (std::size_t j = 0; j < m; ++j)
        for (std::size_t i = j; i < m; ++i) out.gram[j * stride + i] += *sum++;
    return;
  }
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t b = 0; b < blocks.count; ++b) {
      const double* const sum = out.partial.get() + (b * stride + j) * stride;
      for (std::size_t i = j; i < m; ++i) out.gram[j * stride + i] += sum[i];
    }
}

/// Elementwise: out_i = a_i b_i.
void multiply(std::span<double> out, std::span<const double> a, std::span<const double> b) {
  parallel::for_each(parallel::cut(out.size()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = a[i] * b[i];
  });
}

/// Computes the columns from `first` on, one by one.
void add_gram_columns(const RowSpace& rows, const Basis& basis, std::size_t first, Reduced& out) {
  const std::size_t m = basis.size();
  for (std::size_t j = first; j < m; ++j) {
    multiply(weighted(out), made_with(out), basis.image(j));
    const std::span<double> row{out.tiles.get(), j + 1};
    rows.column_products(basis.images(), weighted(out), row);
    for (std::size_t i = 0; i <= j; ++i) out.gram[i * out.capacity + j] = row[i];
  }
}

/// Eliminates a free intercept: subtracts border border' / intercept_curvature in the rows from
/// `first` on.
void eliminate_intercept(const RowSpace& rows, const Basis& basis, std::span<const std::int8_t> signs,
                         std::size_t first, Reduced& out) {
  const std::size_t m = basis.size(), n = basis.image_size();
  const std::span<const double> curvatures = made_with(out);
  parallel::for_each(parallel::cut(n), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out.weighted[i] = i < signs.size() ? curvatures[i] * signs[i] : 0;
  });
  if (first == 0)
    out.intercept_curvature = rows.sum<1>([&](std::size_t begin, std::size_t end) {
      return parallel::sum_in_lanes<1>(begin, end, [&](std::size_t i) { return std::array{curvatures[i]}; });
    })[0];
  if (!(out.intercept_curvature > 0)) return;  // f does not depend on b to second order
  const std::span<double> border = std::span(out.border).subspan(first, m - first);
  rows.column_products(basis.images().subspan(first * n), weighted(out), border);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = std::max(j, first); i < m; ++i)
      out.hessian[j * out.capacity + i] -= out.border[i] * out.border[j] / out.intercept_curvature;
}

/// The difference between the curvatures and those of the Hessian.
struct Change {
  double part = 0;  ///< relative to the sum of the latter
  double rows = 0;  ///< number of rows that differ
};
Change change(const RowSpace& rows, const Reduced& r) {
  const parallel::Blocks blocks = parallel::cut(rows.alone() ? r.curvatures.size() : rows.rows());
  const auto sums = rows.sum<3>(blocks, [&](std::size_t begin, std::size_t end) {
    return parallel::sum_in_lanes<3>(begin, end, [&](std::size_t i) {
      const double by = std::abs(r.curvatures[i] - r.reference[i]);
      return std::array{by, r.reference[i], by != 0 ? 1.0 : 0.0};
    });
  });
  return {sums[0] / sums[1], sums[2]};
}

/// Updates the Hessian with the rows whose curvature has changed by more than `least` of itself.
void bring_up_to_date(const RowSpace& rows, const Basis& basis, double least, Reduced& out) {
  parallel::for_each(parallel::cut(out.curvatures.size()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double by = out.curvatures[i] - out.reference[i];
      const bool changed = std::abs(by) > least * std::max(out.curvatures[i], out.reference[i]);
      out.weighted[i] = changed ? by : 0;
      out.reference[i] = changed ? out.curvatures[i] : out.reference[i];
    }
  });
  add_gram(rows, basis, weighted(out), out);
}

void recompute_all(const RowSpace& rows, const Basis& basis, Reduced& out) {
  out.basis_version = basis.version();
  for (std::size_t j = 0; j < basis.size(); ++j) std::fill_n(out.gram.get() + j * out.capacity, basis.size(), 0.0);
  add_gram(rows, basis, out.curvatures, out);
  out.is_kept = basis.size() > few_columns;
  if (out.is_kept) std::copy(out.curvatures.begin(), out.curvatures.end(), out.reference.get());
}

/// Updates the Gram matrix. Returns the first column that has changed.
std::size_t update_gram(const RowSpace& rows, const Basis& basis, Reduced& out) {
  const std::size_t m = basis.size();
  const bool refresh = std::exchange(out.refresh, false);
  out.is_old = false;
  if (out.columns == 0 || !out.is_kept || out.basis_version != basis.version()) {
    recompute_all(rows, basis, out);
    return 0;
  }
  const std::size_t first = std::min(out.columns, m);
  add_gram_columns(rows, basis, first, out);
  const Change by = change(rows, out);
  const bool cheap = by.rows * static_cast<double>(m) <= 2 * affordable_products * static_cast<double>(rows.rows());
  if (by.rows == 0 || !(refresh || cheap || !(by.part <= most_change))) {
    out.is_old = by.rows != 0;
    return first;
  }
  bring_up_to_date(rows, basis, refresh || cheap ? 0 : small_change, out);
  return 0;
}

}  // namespace

parallel::Blocks reduced_blocks(std::size_t image_size) {
  return parallel::cut(image_size, 2 * columns_panel, most_blocks);
}

Reduced::Reduced(std::size_t image_size, std::size_t most, std::size_t entries_of_a_row)
    : coordinates(most),
      gradient(most),
      hessian(scratch(most * most)),
      capacity(most),
      slopes(image_size),
      curvatures(image_size),
      reference(scratch(image_size)),
      gram(scratch(most * most)),
      partial(scratch(most * most * most_blocks)),
      tiles(scratch(columns_gram_scratch(most) * most_blocks)),
      border(most),
      weighted(scratch(image_size)),
      outputs(entries_of_a_row) {
  if (outputs > 1) make_room_for_groups();
}

void reduce_gradient(const RowSpace& rows, const Basis& basis, double lambda, Reduced& out) {
  const std::span<double> gradient = std::span(out.gradient).first(basis.size());
  rows.column_products(basis.images(), out.slopes, gradient);
  for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] += lambda * out.coordinates[j];
}

void reduce_separable(const RowSpace& rows, const Basis& basis, double lambda, std::span<const std::int8_t> signs,
                      Reduced& out) {
  const std::size_t m = basis.size();
  if (m == 0) return;
  reduce_gradient(rows, basis, lambda, out);
  const std::size_t first = update_gram(rows, basis, out);
  if (first == 0) ++out.generation;
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = std::max(j, first); i < m; ++i)
      out.hessian[j * out.capacity + i] = out.gram[j * out.capacity + i] + (i == j ? lambda : 0);
  if (!signs.empty() && first < m) eliminate_intercept(rows, basis, signs, first, out);
  out.columns = m;
}

}  // namespace geodescent
