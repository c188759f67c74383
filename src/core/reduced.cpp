#include "geodescent/reduced.hpp"

#include <algorithm>
#include <array>

#include "geodescent/parallel.hpp"
#include "kernels/kernels.hpp"

namespace geodescent {
namespace {

// Few blocks, since each has a matrix of its own: as many threads can help with the Hessian.
constexpr std::size_t most_blocks = 8;

}  // namespace

Reduced::Reduced(std::size_t image_size, std::size_t most)
    : gradient(most),
      hessian(most * most),
      capacity(most),
      slopes(image_size),
      curvatures(image_size),
      partial(most * most * most_blocks),
      tiles(columns_gram_scratch(most) * most_blocks),
      products(2 * most * most_blocks),
      shift_products(2 * most * most_blocks),
      border(most) {}

namespace {

/// sum_i m_ij s_i for the images m_j of the basis, added up over blocks of rows.
class ImageProducts {
 public:
  /// `memory` has room for two numbers for each direction and block.
  ImageProducts(const Basis& basis, Vector& memory)
      : basis_(basis), memory_(memory), room_(memory.size() / (2 * most_blocks)) {
    for (std::size_t b = 0; b < most_blocks; ++b) std::fill_n(sums(b), basis.size(), 0.0);
  }

  /// Adds the rows begin .. end of a block; s[0] belongs to the first of them.
  void add(std::size_t block, std::size_t begin, std::size_t end, const double* s) {
    const std::size_t m = basis_.size();
    double* const part = sums(block) + room_;
    kernels().multi_dot(basis_.image(0).data() + begin, basis_.image_size(), m, s, end - begin, part);
    for (std::size_t j = 0; j < m; ++j) sums(block)[j] += part[j];
  }
  double total(std::size_t j) const {
    double sum = 0;
    for (std::size_t b = 0; b < most_blocks; ++b) sum += sums(b)[j];
    return sum;
  }

 private:
  double* sums(std::size_t block) const { return memory_.data() + block * 2 * room_; }

  const Basis& basis_;
  Vector& memory_;
  std::size_t room_;
};

/// The Hessian of the minimum over a shift, from the second derivatives in it and each direction, and in it alone.
void eliminate_shift(const ImageProducts& border, double curvature, std::size_t m, Reduced& out) {
  if (!(curvature > 0)) return;  // flat in b: nothing to gain from moving it
  for (std::size_t j = 0; j < m; ++j) out.border[j] = border.total(j);
  for (std::size_t j = 0; j < m; ++j)
    for (std::size_t i = j; i < m; ++i) out.hessian[j * out.capacity + i] -= out.border[i] * out.border[j] / curvature;
}

}  // namespace

void reduce_separable(const Basis& basis, std::span<const double> x, double lambda, const ImageShift& shift,
                      Reduced& out) {
  const std::size_t m = basis.size(), n = basis.image_size(), stride = out.capacity;
  if (m == 0) return;
  const auto sum_of = [&](std::size_t block) { return out.partial.data() + block * stride * stride; };
  for (std::size_t b = 0; b < most_blocks; ++b) std::fill_n(sum_of(b), m * stride, 0.0);
  ImageProducts gradient(basis, out.products), border(basis, out.shift_products);

  // Pieces of rows whose images stay in the cache while they are used several times.
  const parallel::Blocks blocks = parallel::cut(n, 2 * columns_panel, most_blocks);
  const double curvature =
      parallel::sum<parallel::Sums<1>>(blocks, [&](std::size_t block_begin, std::size_t block_end) {
        const Kernels& k = kernels();
        const std::size_t block = block_begin / blocks.length;
        parallel::Sums<1> sum{};
        for (std::size_t begin = block_begin; begin < block_end; begin += columns_panel) {
          const std::size_t end = std::min(block_end, begin + columns_panel);
          const double* const curvatures = out.curvatures.data() + begin;
          k.columns_gram(basis.image(0).data() + begin, n, m, end - begin, curvatures, sum_of(block), stride,
                         out.tiles.data() + block * columns_gram_scratch(stride));
          gradient.add(block, begin, end, out.slopes.data() + begin);
          if (!shift.free) continue;
          std::array<double, columns_panel> turned;
          std::copy_n(curvatures, end - begin, turned.data());
          if (shift.signs) k.apply_signs(turned.data(), shift.signs + begin, end - begin);
          border.add(block, begin, end, turned.data());
          sum.of[0] += k.sum(curvatures, end - begin);
        }
        return sum;
      }).of[0];

  for (std::size_t j = 0; j < m; ++j) {
    double* const column = out.hessian.data() + j * stride;
    std::fill(column + j, column + m, 0.0);
    for (std::size_t b = 0; b < most_blocks; ++b)
      for (std::size_t i = j; i < m; ++i) column[i] += sum_of(b)[j * stride + i];
    column[j] += lambda;
    out.gradient[j] = gradient.total(j) + lambda * dot(basis.vector(j), x);
  }
  if (shift.free) eliminate_shift(border, curvature, m, out);
}

}  // namespace geodescent
