// The Hessian on a subspace where the second derivatives within a row are diag(c) - c c'/s. With
// the mean of an image in a row, weighted by c, taken off, it is M'diag(c) M as for separable
// functions, and nothing is lost by cancellation.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/parallel.hpp"
#include "kernels/kernels.hpp"
#include "matrix/row_sums.hpp"
#include "optimize/search/reduced.hpp"

namespace geodescent {
namespace {

constexpr std::size_t tile_stride = columns_panel + 8;

std::size_t tile_scratch(std::size_t columns) { return columns * tile_stride + columns_gram_scratch(columns); }

/// to = m less its weighted mean in each group.
void centre(const double* c, const double* m, std::size_t groups, std::size_t outputs, double* to) {
  for (std::size_t g = 0; g < groups; ++g, c += outputs, m += outputs, to += outputs) {
    double sum = 0, moment = 0;
    for (std::size_t k = 0; k < outputs; ++k) {
      sum += c[k];
      moment += c[k] * m[k];
    }
    const double mean = sum > 0 ? moment / sum : 0;
    for (std::size_t k = 0; k < outputs; ++k) to[k] = m[k] - mean;
  }
}

/// The parts of reduce_grouped. Sums are there after the next exchange.
struct Groups {
  RowSums& sums;
  const Basis& basis;
  Reduced& out;
  const RowSpace& rows = sums.rows();
  std::size_t m = basis.size(), outputs = out.outputs;
  std::size_t groups = basis.image_size() / outputs;  ///< here
  std::size_t at_a_time = columns_panel / outputs;    ///< groups in a tile
  parallel::Blocks of_all = reduced_group_blocks(rows.rows(), outputs), blocks = rows.here(of_all);
  RowSpace entries = rows.entries(basis.image_size(), outputs);
  std::array<double, 2> changes{};

  const double* curvatures() const { return out.reference.get(); }

  /// body(block, group, count, begins) for tiles of groups; `begins`: it is the first of its block.
  template <class Body>
  void for_each_tile(const Body& body) const {
    parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
      for (std::size_t g = begin; g < end; g += at_a_time)
        body(blocks.index(begin), g, std::min(at_a_time, end - g), g == begin);
    });
  }

  void add_gram() {
    const std::size_t stride = out.capacity;
    for_each_tile([&](std::size_t block, std::size_t group, std::size_t count, bool first) {
      double* const sum = out.partial.get() + block * stride * stride;
      double* const tile = out.tiles.get() + block * tile_scratch(stride);
      if (first)
        for (std::size_t j = 0; j < m; ++j) std::fill(sum + j * stride + j, sum + j * stride + m, 0.0);
      const std::size_t at = group * outputs;
      for (std::size_t j = 0; j < m; ++j)
        centre(curvatures() + at, basis.image(j).data() + at, count, outputs, tile + j * tile_stride);
      kernels().columns_gram(tile, tile_stride, m, count * outputs, curvatures() + at, sum, stride,
                             tile + stride * tile_stride);
    });
    for (std::size_t j = 0; j < m; ++j) {
      std::fill_n(out.gram.get() + j * stride, m, 0.0);
      const std::size_t diagonal = j * stride + j;
      sums.add(rows, of_all, out.partial.get() + diagonal, stride * stride, {out.gram.get() + diagonal, m - j});
    }
  }

  /// The columns from `first` on, one by one; until `place_columns` in the upper triangle, as in
  /// reduce_separable.
  void add_columns(std::size_t first) {
    for (std::size_t j = first; j < m; ++j) {
      const auto weigh = [&](std::size_t group, std::size_t count) {
        const std::size_t at = group * outputs;
        double* const weighted = out.weighted.get() + at;
        centre(curvatures() + at, basis.image(j).data() + at, count, outputs, weighted);
        kernels().multiply(weighted, weighted, curvatures() + at, count * outputs);
      };
      for_each_tile([&](std::size_t, std::size_t group, std::size_t count, bool) { weigh(group, count); });
      rows.for_other_rows(of_all, [&](std::size_t begin, std::size_t end) { weigh(begin, end - begin); });
      // In row form the image has one more entry, on which the losses do not depend.
      std::fill(out.weighted.get() + groups * outputs, out.weighted.get() + basis.image_size(), 0.0);
      sums.column_products(entries, basis.images(), {out.weighted.get(), basis.image_size()},
                           {out.gram.get() + j * out.capacity, j + 1});
    }
  }
  void place_columns(std::size_t first) const {
    for (std::size_t j = first; j < m; ++j)
      for (std::size_t i = 0; i < j; ++i) out.gram[i * out.capacity + j] = out.gram[j * out.capacity + i];
  }

  /// d2f/db2, in place of its factor.
  void add_intercepts() {
    const std::size_t size = outputs * outputs;
    for_each_tile([&](std::size_t block, std::size_t group, std::size_t count, bool first) {
      double* const sum = out.intercept_blocks.get() + block * size;
      if (first) std::fill_n(sum, size, 0.0);
      for (std::size_t g = group; g < group + count; ++g) {
        const double* const c = curvatures() + g * outputs;
        double of_group = 0;
        for (std::size_t k = 0; k < outputs; ++k) of_group += c[k];
        for (std::size_t k = 0; k < outputs && of_group > 0; ++k) {
          const double part = c[k] / of_group;
          sum[k * outputs + k] += c[k];
          for (std::size_t l = k; l < outputs; ++l) sum[k * outputs + l] -= part * c[l];
        }
      }
    });
    std::fill_n(out.intercept_factor.get(), size, 0.0);
    sums.add(rows, of_all, out.intercept_blocks.get(), size, {out.intercept_factor.get(), size});
  }
  /// L with L L' = d2f/db2. Nothing changes along (1, ..., 1), which gets a curvature of its own.
  void factorize_intercepts() const {
    double trace = 0;
    for (std::size_t k = 0; k < outputs; ++k) trace += out.intercept_factor[k * (outputs + 1)];
    const double along_ones = trace / static_cast<double>(outputs * outputs);
    for (std::size_t k = 0; k < outputs; ++k)
      for (std::size_t l = k; l < outputs; ++l) out.intercept_factor[k * outputs + l] += along_ones;
    out.has_intercept_factor =
        trace > 0 && out.intercept_cholesky.factorize(out.intercept_factor.get(), outputs, outputs);
  }

  double* border(std::size_t column) const { return out.intercept_borders.get() + column * outputs; }
  /// d2f/db dz of the columns from `first` on.
  void add_borders(std::size_t first) {
    const std::size_t count = m - first;
    for_each_tile([&](std::size_t block, std::size_t group, std::size_t size, bool begins) {
      double* const sum = out.border_blocks.get() + block * count * outputs;
      double* const tile = out.tiles.get() + block * tile_scratch(out.capacity);
      if (begins) std::fill_n(sum, count * outputs, 0.0);
      const std::size_t at = group * outputs;
      for (std::size_t j = 0; j < count; ++j) {
        centre(curvatures() + at, basis.image(first + j).data() + at, size, outputs, tile);
        for (std::size_t e = 0; e < size * outputs;)
          for (std::size_t k = 0; k < outputs; ++k, ++e) sum[j * outputs + k] += curvatures()[at + e] * tile[e];
      }
    });
    std::fill_n(border(first), count * outputs, 0.0);
    sums.add(rows, of_all, out.border_blocks.get(), count * outputs, {border(first), count * outputs});
  }
  /// Subtracts from the columns from `first` on what the Hessian loses because the intercepts
  /// follow.
  void eliminate_intercepts(std::size_t first) const {
    if (first == 0) factorize_intercepts();
    if (!out.has_intercept_factor) return;
    for (std::size_t j = first; j < m; ++j) solve_lower(out.intercept_factor.get(), outputs, outputs, border(j));
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t i = std::max(j, first); i < m; ++i)
        out.hessian[j * out.capacity + i] -= kernels().dot(border(i), border(j), outputs);
  }

  /// The difference of the curvatures from those of the Hessian, and their sum.
  void add_change() {
    sums.sum(entries, parallel::cut(entries.rows()), changes, [&](std::size_t begin, std::size_t end) {
      return parallel::sum_in_lanes<2>(begin, end, [&](std::size_t i) {
        return std::array{std::abs(out.curvatures[i] - out.reference[i]), out.reference[i]};
      });
    });
  }
};

}  // namespace

parallel::Blocks reduced_group_blocks(std::size_t groups, std::size_t outputs) {
  return parallel::cut(groups, 2 * (columns_panel / outputs), Reduced::most_blocks);
}

double Reduced::numbers_for_groups(std::size_t columns, std::size_t outputs) {
  if (outputs == 1) return 0;
  const std::size_t of_a_block = columns * tile_stride + columns * outputs + outputs * outputs;
  return static_cast<double>(most_blocks * of_a_block + columns * outputs + outputs * outputs);
}

void Reduced::make_room_for_groups() {
  tiles = scratch(tile_scratch(capacity) * most_blocks);
  intercept_blocks = scratch(outputs * outputs * most_blocks);
  border_blocks = scratch(capacity * outputs * most_blocks);
  intercept_factor = scratch(outputs * outputs);
  intercept_borders = scratch(capacity * outputs);
  intercept_cholesky = Cholesky(outputs);
}

void Reduced::intercepts_along(std::span<const double> z, std::span<double> change) const {
  std::fill(change.begin(), change.end(), 0.0);
  if (!has_intercept_factor) return;
  for (std::size_t j = 0; j < z.size(); ++j)
    for (std::size_t k = 0; k < outputs; ++k) change[k] -= z[j] * intercept_borders[j * outputs + k];
  solve_lower_transposed(intercept_factor.get(), outputs, outputs, change.data());
}

void reduce_grouped(RowSums& sums, const Basis& basis, double lambda, bool intercepts, Reduced& out) {
  const std::size_t m = basis.size();
  if (m == 0) return sums.exchange();
  Groups groups{sums, basis, out};
  const std::span<double> gradient = std::span(out.gradient).first(m);
  sums.column_products(groups.entries, basis.images(), out.slopes, gradient);
  const bool refresh = std::exchange(out.refresh, false);
  const bool may_keep = out.columns > 0 && out.basis_version == basis.version() && !refresh;
  double change = std::numeric_limits<double>::infinity();
  if (may_keep) {
    groups.add_change();
    sums.exchange();
    change = groups.changes[0] / groups.changes[1];
  }
  const bool keeps = change <= Reduced::most_change;
  out.is_old = keeps && change > 0;
  const std::size_t first = keeps ? std::min(out.columns, m) : 0;
  if (keeps) {
    groups.add_columns(first);
  } else {
    out.basis_version = basis.version();
    std::copy(out.curvatures.begin(), out.curvatures.end(), out.reference.get());
    groups.add_gram();
    ++out.generation;
  }
  const bool eliminates = intercepts && first < m;
  if (eliminates && first == 0) groups.add_intercepts();
  if (eliminates) groups.add_borders(first);
  sums.exchange();
  if (keeps) groups.place_columns(first);
  for (std::size_t j = 0; j < m; ++j) gradient[j] += lambda * out.coordinates[j];
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = std::max(j, first); i < m; ++i)
      out.hessian[j * out.capacity + i] = out.gram[j * out.capacity + i] + (i == j ? lambda : 0);
  if (eliminates) groups.eliminate_intercepts(first);
  out.columns = m;
}

}  // namespace geodescent
