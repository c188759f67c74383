#include "geodescent/reduced.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "geodescent/parallel.hpp"

namespace geodescent {
namespace {

using Eigen::Index;
using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

// Few blocks, since each has a matrix of its own: as many threads can help with the Hessian.
constexpr std::size_t most_blocks = 8;
constexpr std::size_t tile = 32;  // rows gathered for one update of the matrix

/// Curvatures may change by this part of their sum before the Hessian is made anew.
constexpr double most_change = 0.2;
/// So few columns cost no more than the losses do: a Hessian of the point itself is worth it.
constexpr std::size_t few_columns = 12;

Index index(std::size_t i) { return static_cast<Index>(i); }

/// M'diag(c) M, c the reference curvatures, on the lower triangle.
void make_hessian(const Basis& basis, Reduced& out) {
  const std::size_t m = basis.size(), n = basis.image_size(), stride = out.capacity;
  const parallel::Blocks blocks = parallel::cut(n, 1024, most_blocks);
  const auto matrix = [&](Vector& memory, std::size_t block) {
    return Matrix(memory.data() + block * stride * stride, index(m), index(m), Eigen::OuterStride<>(index(stride)));
  };
  parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
    Matrix h = matrix(out.partial, begin / blocks.length);
    h.setZero();
    Eigen::Map<Eigen::MatrixXd> rows(out.tiles.data() + begin / blocks.length * stride * tile, index(m), index(tile));
    Index filled = 0;
    const auto flush = [&] {
      h.template selfadjointView<Eigen::Lower>().rankUpdate(rows.leftCols(filled));
      filled = 0;
    };
    for (std::size_t i = begin; i < end; ++i) {
      if (out.reference[i] == 0) continue;  // most rows, with a hinge
      const double root = std::sqrt(out.reference[i]);
      for (std::size_t j = 0; j < m; ++j) rows(index(j), filled) = root * basis.image(j)[i];
      if (++filled == index(tile)) flush();
    }
    if (filled > 0) flush();
  });
  Matrix h = matrix(out.hessian, 0);
  h.setZero();
  for (std::size_t b = 0; b < blocks.count; ++b) h += matrix(out.partial, b);
}

/// Entry by entry: a_i b_i.
void multiply(std::span<double> out, std::span<const double> a, std::span<const double> b) {
  parallel::for_each(parallel::cut(out.size()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = a[i] * b[i];
  });
}

/// The columns from `first` on, one by one.
void add_hessian_columns(const Basis& basis, std::size_t first, Reduced& out) {
  const std::size_t m = basis.size();
  for (std::size_t j = first; j < m; ++j) {
    multiply(out.weighted, out.reference, basis.image(j));
    const std::span<double> row{out.tiles.data(), j + 1};
    column_products(basis.images(), out.weighted, row);
    for (std::size_t i = 0; i <= j; ++i) out.hessian[i * out.capacity + j] = row[i];
  }
}

/// What the Hessian loses, in the columns from `first` on, where the shift follows: border border' / curvature.
void eliminate_shift(const Basis& basis, std::span<const double> shift, std::size_t first, Reduced& out) {
  const std::size_t m = basis.size(), n = basis.image_size();
  multiply(out.weighted, out.reference, shift);
  if (first == 0) out.shift_curvature = dot(out.weighted, shift);
  if (!(out.shift_curvature > 0)) return;  // flat in b: nothing to gain from moving it
  column_products(basis.images().subspan(first * n), out.weighted, std::span(out.border).subspan(first, m - first));
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = std::max(j, first); i < m; ++i)
      out.hessian[j * out.capacity + i] -= out.border[i] * out.border[j] / out.shift_curvature;
}

/// By how much the curvatures differ from those that the Hessian was made with, as a part of their sum.
double change(const Reduced& r) {
  const auto sums =
      parallel::sum<parallel::Sums<2>>(parallel::cut(r.reference.size()), [&](std::size_t begin, std::size_t end) {
        return parallel::sum_in_lanes<2>(begin, end, [&](std::size_t i) {
          return std::array{std::abs(r.curvatures[i] - r.reference[i]), r.reference[i]};
        });
      }).of;
  return sums[0] / sums[1];
}

}  // namespace

Reduced::Reduced(std::size_t image_size, std::size_t most)
    : coordinates(most),
      gradient(most),
      hessian(most * most),
      capacity(most),
      slopes(image_size),
      curvatures(image_size),
      reference(image_size),
      partial(most * most * most_blocks),
      tiles(most * tile * most_blocks),
      border(most),
      weighted(image_size) {}

void reduce_separable(const Basis& basis, double lambda, std::span<const double> shift, Reduced& out) {
  const std::size_t m = basis.size();
  column_products(basis.images(), out.slopes, std::span(out.gradient).first(m));
  for (std::size_t j = 0; j < m; ++j) out.gradient[j] += lambda * out.coordinates[j];

  const bool outdated =
      out.columns == 0 || m <= few_columns || out.basis_version != basis.version() || !(change(out) <= most_change);
  std::size_t first = std::min(out.columns, m);
  if (outdated || out.refresh) {
    first = 0;
    out.refresh = false;
    out.basis_version = basis.version();
    ++out.generation;
    out.reference = out.curvatures;
    make_hessian(basis, out);
  } else {
    add_hessian_columns(basis, first, out);
  }
  out.is_old = first > 0;
  for (std::size_t j = first; j < m; ++j) out.hessian[j * out.capacity + j] += lambda;
  if (!shift.empty() && first < m) eliminate_shift(basis, shift, first, out);
  out.columns = m;
}

}  // namespace geodescent
