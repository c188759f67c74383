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

Index index(std::size_t i) { return static_cast<Index>(i); }

}  // namespace

Reduced::Reduced(std::size_t image_size, std::size_t most)
    : gradient(most),
      hessian(most * most),
      capacity(most),
      slopes(image_size),
      curvatures(image_size),
      partial(most * most * most_blocks),
      tiles(most * tile * most_blocks),
      border(most) {}

void reduce_separable(const Basis& basis, std::span<const double> x, double lambda, Reduced& out) {
  const std::size_t m = basis.size(), n = basis.image_size(), stride = out.capacity;
  for (std::size_t j = 0; j < m; ++j)
    out.gradient[j] = dot(basis.image(j), out.slopes) + lambda * dot(basis.vector(j), x);

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
      if (out.curvatures[i] == 0) continue;  // most rows, with a hinge
      const double root = std::sqrt(out.curvatures[i]);
      for (std::size_t j = 0; j < m; ++j) rows(index(j), filled) = root * basis.image(j)[i];
      if (++filled == index(tile)) flush();
    }
    if (filled > 0) flush();
  });
  Matrix h = matrix(out.hessian, 0);
  h.setZero();
  for (std::size_t b = 0; b < blocks.count; ++b) h += matrix(out.partial, b);
  h.diagonal().array() += lambda;
}

void eliminate_shift(const Basis& basis, Reduced& out) {
  double curvature = 0;
  for (const double c : out.curvatures) curvature += c;
  if (!(curvature > 0)) return;  // flat in b: nothing to gain from moving it
  const std::size_t m = basis.size();
  Vector& border = out.border;
  for (std::size_t j = 0; j < m; ++j) border[j] = dot(basis.image(j), out.slopes);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = j; i < m; ++i) out.hessian[j * out.capacity + i] -= border[i] * border[j] / curvature;
}

}  // namespace geodescent
