#include "optimize/search/reduced.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "kernels/kernels.hpp"
#include "matrix/row_sums.hpp"

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

/// Elementwise: out_i = a_i b_i.
void multiply(std::span<double> out, std::span<const double> a, std::span<const double> b) {
  parallel::for_each(parallel::cut(out.size()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = a[i] * b[i];
  });
}

/// The difference between the curvatures and those of the Hessian.
struct Change {
  double part = 0;  ///< relative to the sum of the latter
  double rows = 0;  ///< number of rows that differ
};

/// The parts of reduce_separable. Sums are there after the next exchange.
struct Separable {
  RowSums& sums;
  const Basis& basis;
  std::span<const std::int8_t> signs;  ///< empty without a free intercept
  Reduced& out;
  RowSpace entries = sums.rows().entries(basis.image_size(), 1);
  std::size_t m = basis.size(), stride = out.capacity;
  std::array<double, 1> intercept_curvature{};
  std::array<double, 3> changes{};

  /// gram += M'diag(w) M, the lower triangle. Rows of weight 0 cost nothing.
  void add_gram(std::span<const double> w) {
    const std::size_t n = basis.image_size();
    const parallel::Blocks of_all = reduced_blocks(entries.rows()), blocks = entries.here(of_all);
    parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
      const std::size_t block = blocks.index(begin);
      double* const sum = out.partial.get() + block * stride * stride;
      for (std::size_t j = 0; j < m; ++j) std::fill(sum + j * stride + j, sum + j * stride + m, 0.0);
      kernels().columns_gram(basis.image(0).data() + begin, n, m, end - begin, w.data() + begin, sum, stride,
                             out.tiles.get() + block * columns_gram_scratch(stride));
    });
    for (std::size_t j = 0; j < m; ++j) {
      const std::size_t diagonal = j * stride + j;
      sums.add(entries, of_all, out.partial.get() + diagonal, stride * stride, {out.gram.get() + diagonal, m - j});
    }
  }

  /// Computes the columns from `first` on, one by one. Each is a row of the lower triangle, and is
  /// kept in the upper one until `place_columns`.
  void add_columns(std::size_t first) {
    for (std::size_t j = first; j < m; ++j) {
      multiply(weighted(out), made_with(out), basis.image(j));
      sums.column_products(entries, basis.images(), weighted(out), {out.gram.get() + j * stride, j + 1});
    }
  }
  void place_columns(std::size_t first) const {
    for (std::size_t j = first; j < m; ++j)
      for (std::size_t i = 0; i < j; ++i) out.gram[i * stride + j] = out.gram[j * stride + i];
  }

  void add_change() {
    sums.sum(entries, parallel::cut(entries.rows()), changes, [&](std::size_t begin, std::size_t end) {
      return parallel::sum_in_lanes<3>(begin, end, [&](std::size_t i) {
        const double by = std::abs(out.curvatures[i] - out.reference[i]);
        return std::array{by, out.reference[i], by != 0 ? 1.0 : 0.0};
      });
    });
  }

  /// d2f/db dz of the columns from `first` on, and d2f/db2.
  void add_intercept(std::size_t first) {
    if (signs.empty() || first >= m) return;
    const std::span<const double> curvatures = made_with(out);
    parallel::for_each(parallel::cut(basis.image_size()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) out.weighted[i] = i < signs.size() ? curvatures[i] * signs[i] : 0;
    });
    if (first == 0)
      sums.sum(sums.rows(), parallel::cut(sums.rows().rows()), intercept_curvature,
               [&](std::size_t begin, std::size_t end) {
                 return parallel::sum_in_lanes<1>(begin, end, [&](std::size_t i) { return std::array{curvatures[i]}; });
               });
    sums.column_products(entries, basis.images().subspan(first * basis.image_size()), weighted(out),
                         std::span(out.border).subspan(first, m - first));
  }

  /// Computes all columns.
  void add_all() {
    out.basis_version = basis.version();
    for (std::size_t j = 0; j < m; ++j) std::fill_n(out.gram.get() + j * stride, m, 0.0);
    add_gram(out.curvatures);
    out.is_kept = m > few_columns;
    if (out.is_kept) std::copy(out.curvatures.begin(), out.curvatures.end(), out.reference.get());
    add_intercept(0);
  }

  /// Updates the Hessian with the rows whose curvature has changed by more than `least` of itself.
  void add_updates(double least) {
    parallel::for_each(parallel::cut(out.curvatures.size()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const double by = out.curvatures[i] - out.reference[i];
        const bool changed = std::abs(by) > least * std::max(out.curvatures[i], out.reference[i]);
        out.weighted[i] = changed ? by : 0;
        out.reference[i] = changed ? out.curvatures[i] : out.reference[i];
      }
    });
    add_gram(weighted(out));
    add_intercept(0);
  }

  /// Brings the Gram matrix up to date, and completes all sums. Returns the first column that has
  /// changed.
  std::size_t update() {
    const bool refresh = std::exchange(out.refresh, false);
    out.is_old = false;
    if (out.columns == 0 || !out.is_kept || out.basis_version != basis.version()) {
      add_all();
      sums.exchange();
      return 0;
    }
    const std::size_t first = std::min(out.columns, m);
    add_columns(first);
    add_change();
    add_intercept(first);
    sums.exchange();
    place_columns(first);
    const Change by{changes[0] / changes[1], changes[2]};
    const double rows = static_cast<double>(sums.rows().rows());
    const bool cheap = by.rows * static_cast<double>(m) <= 2 * affordable_products * rows;
    if (by.rows == 0 || !(refresh || cheap || !(by.part <= most_change))) {
      out.is_old = by.rows != 0;
      return first;
    }
    add_updates(refresh || cheap ? 0 : small_change);
    sums.exchange();
    return 0;
  }

  /// Eliminates a free intercept: subtracts border border' / intercept_curvature in the rows from
  /// `first` on.
  void eliminate_intercept(std::size_t first) const {
    if (signs.empty() || first >= m) return;
    if (first == 0) out.intercept_curvature = intercept_curvature[0];
    if (!(out.intercept_curvature > 0)) return;  // f does not depend on b to second order
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t i = std::max(j, first); i < m; ++i)
        out.hessian[j * stride + i] -= out.border[i] * out.border[j] / out.intercept_curvature;
  }
};

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

void reduce_separable(RowSums& sums, const Basis& basis, double lambda, std::span<const std::int8_t> signs,
                      Reduced& out) {
  const std::size_t m = basis.size();
  if (m == 0) return sums.exchange();
  Separable r{sums, basis, signs, out};
  const std::span<double> gradient = std::span(out.gradient).first(m);
  sums.column_products(r.entries, basis.images(), out.slopes, gradient);
  const std::size_t first = r.update();
  for (std::size_t j = 0; j < m; ++j) gradient[j] += lambda * out.coordinates[j];
  if (first == 0) ++out.generation;
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = std::max(j, first); i < m; ++i)
      out.hessian[j * out.capacity + i] = out.gram[j * out.capacity + i] + (i == j ? lambda : 0);
  r.eliminate_intercept(first);
  out.columns = m;
}

}  // namespace geodescent
