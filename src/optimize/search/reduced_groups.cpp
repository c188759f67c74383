// The Hessian on a subspace where the second derivatives within a row are diag(c) - c c'/s. With the mean of an image
// in a row, weighted by c, taken off, it is M'diag(c) M as for separable functions, and nothing is lost by
// cancellation.
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

/// The work of the parts of a sum.
struct Groups {
  const RowSpace& rows;
  const Basis& basis;
  Reduced& out;
  std::size_t outputs = out.outputs;
  std::size_t groups = basis.image_size() / outputs;  ///< here
  std::size_t at_a_time = columns_panel / outputs;    ///< groups in a tile
  parallel::Blocks of_all = reduced_group_blocks(rows.rows(), outputs), blocks = rows.here(of_all);
  RowSpace entries = rows.entries(basis.image_size(), outputs);

  const double* curvatures() const { return out.reference.get(); }

  /// body(block, group, count, begins) for tiles of groups; `begins`: it is the first of its block.
  template <class Body>
  void for_each_tile(const Body& body) const {
    parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
      for (std::size_t g = begin; g < end; g += at_a_time)
        body(blocks.index(begin), g, std::min(at_a_time, end - g), g == begin);
    });
  }

  void make_gram() const {
    const std::size_t m = basis.size(), stride = out.capacity;
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
    RowSums sums(rows);
    for (std::size_t j = 0; j < m; ++j) {
      std::fill_n(out.gram.get() + j * stride, m, 0.0);
      const std::size_t diagonal = j * stride + j;
      sums.add(of_all, out.partial.get() + diagonal, stride * stride, {out.gram.get() + diagonal, m - j});
    }
    sums.exchange();
  }

  /// The columns from `first` on, one by one.
  void add_columns(std::size_t first) const {
    for (std::size_t j = first; j < basis.size(); ++j) {
      for_each_tile([&](std::size_t, std::size_t group, std::size_t count, bool) {
        const std::size_t at = group * outputs;
        double* const weighted = out.weighted.get() + at;
        centre(curvatures() + at, basis.image(j).data() + at, count, outputs, weighted);
        kernels().multiply(weighted, weighted, curvatures() + at, count * outputs);
      });
      // In row form the image has one more entry, on which the losses do not depend.
      std::fill(out.weighted.get() + groups * outputs, out.weighted.get() + basis.image_size(), 0.0);
      const std::span<double> row{out.tiles.get(), j + 1};
      entries.column_products(basis.images(), {out.weighted.get(), basis.image_size()}, row);
      for (std::size_t i = 0; i <= j; ++i) out.gram[i * out.capacity + j] = row[i];
    }
  }

  /// Replaces the `size` numbers of the first block by the sums over all blocks.
  void add_up_blocks(double* numbers, std::size_t size) const {
    if (rows.alone()) {
      for (std::size_t b = 1; b < blocks.count; ++b)
        for (std::size_t s = 0; s < size; ++s) numbers[s] += numbers[b * size + s];
      return;
    }
    Vector total(size);
    RowSums sums(rows);
    sums.add(of_all, numbers, size, total);
    sums.exchange();
    std::ranges::copy(total, numbers);
  }

  /// L with L L' = d2f/db2. Nothing changes along (1, ..., 1), which gets a curvature of its own.
  void factorize_intercepts() const {
    const std::size_t size = outputs * outputs;
    double* const sums = out.intercept_blocks.get();
    for_each_tile([&](std::size_t block, std::size_t group, std::size_t count, bool first) {
      double* const sum = sums + block * size;
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
    add_up_blocks(sums, size);
    double trace = 0;
    for (std::size_t k = 0; k < outputs; ++k) trace += sums[k * outputs + k];
    const double along_ones = trace / static_cast<double>(outputs * outputs);
    for (std::size_t k = 0; k < outputs; ++k)
      for (std::size_t l = k; l < outputs; ++l)
        out.intercept_factor[k * outputs + l] = sums[k * outputs + l] + along_ones;
    out.has_intercept_factor =
        trace > 0 && out.intercept_cholesky.factorize(out.intercept_factor.get(), outputs, outputs);
  }

  /// Subtracts from the columns from `first` on what the Hessian loses because the intercepts follow.
  void eliminate_intercepts(std::size_t first) const {
    if (first == 0) factorize_intercepts();
    if (!out.has_intercept_factor) return;
    const std::size_t m = basis.size(), count = m - first;
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
    add_up_blocks(out.border_blocks.get(), count * outputs);
    const auto border = [&](std::size_t j) { return out.intercept_borders.get() + j * outputs; };
    for (std::size_t j = first; j < m; ++j) {
      std::copy_n(out.border_blocks.get() + (j - first) * outputs, outputs, border(j));
      solve_lower(out.intercept_factor.get(), outputs, outputs, border(j));
    }
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t i = std::max(j, first); i < m; ++i)
        out.hessian[j * out.capacity + i] -= kernels().dot(border(i), border(j), outputs);
  }

  /// The difference of the curvatures from those of the Hessian, as a part of their sum.
  double change() const {
    const auto sums = entries.sum<2>(parallel::cut(entries.rows()), [&](std::size_t begin, std::size_t end) {
      return parallel::sum_in_lanes<2>(begin, end, [&](std::size_t i) {
        return std::array{std::abs(out.curvatures[i] - out.reference[i]), out.reference[i]};
      });
    });
    return sums[0] / sums[1];
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

void reduce_grouped(const RowSpace& rows, const Basis& basis, double lambda, bool intercepts, Reduced& out) {
  const std::size_t m = basis.size();
  if (m == 0) return;
  reduce_gradient(rows, basis, lambda, out);
  const Groups groups{rows, basis, out};
  const bool refresh = std::exchange(out.refresh, false);
  const bool grown = out.columns > 0 && out.basis_version == basis.version();
  const double change = grown && !refresh ? groups.change() : std::numeric_limits<double>::infinity();
  const bool keeps = change <= Reduced::most_change;
  out.is_old = keeps && change > 0;
  const std::size_t first = keeps ? std::min(out.columns, m) : 0;
  if (keeps) {
    groups.add_columns(first);
  } else {
    out.basis_version = basis.version();
    std::copy(out.curvatures.begin(), out.curvatures.end(), out.reference.get());
    groups.make_gram();
    ++out.generation;
  }
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = std::max(j, first); i < m; ++i)
      out.hessian[j * out.capacity + i] = out.gram[j * out.capacity + i] + (i == j ? lambda : 0);
  if (intercepts && first < m) groups.eliminate_intercepts(first);
  out.columns = m;
}

}  // namespace geodescent
