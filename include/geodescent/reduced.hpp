// A function restricted to a subspace, to second order: what a search over many directions works with.
#pragma once

#include <cstdint>

#include "geodescent/basis.hpp"

namespace geodescent {

/// z -> f(x + V z) at z = 0, V a basis. Owns the memory that is needed to compute it.
struct Reduced {
  Reduced() = default;
  /// All memory is allocated here.
  Reduced(std::size_t image_size, std::size_t capacity);

  double value = 0;
  Vector gradient;  ///< V'g
  Vector hessian;   ///< V'H V, column by column with columns of length `capacity`; the lower triangle is set
  std::size_t capacity = 0;

  // Filled by the objective first: the derivatives of f in each entry of the image.
  Vector slopes, curvatures;
  Vector partial, tiles;            // scratch: the Hessians of blocks of rows, and rows on their way there
  Vector products, shift_products;  // scratch: sums over blocks of rows, for each direction
  Vector border;                    // scratch: the second derivatives in the shift of the image and each direction
};

/// Whether a function is also minimised over a shift b of its image, image_i + b s_i with s_i = 1 or -1.
struct ImageShift {
  bool free = false;
  const std::int8_t* signs = nullptr;  ///< null: all are 1
};

/// The gradient M's + lambda V'x and the Hessian M'diag(c) M + lambda I of sum_i h_i(image_i) + lambda/2 |x|^2, with
/// s and c the slopes and curvatures in `out`, V the basis and M its images. With a free shift the Hessian is that of
/// the minimum over it, where s is the gradient at this minimum.
void reduce_separable(const Basis& basis, std::span<const double> x, double lambda, const ImageShift& shift,
                      Reduced& out);

}  // namespace geodescent
