// Sums and combinations of vectors.
#pragma once

#include "kernels/lanes.hpp"

namespace geodescent {
namespace {

/// K scalar products with x at once: x is read once, and K independent sums hide the latency of
/// additions.
template <std::size_t K>
GEODESCENT_ALWAYS_INLINE void dots(const double* vectors, std::size_t stride, const double* x, std::size_t n,
                                   double* out) {
  Lanes sum[K];
  for (std::size_t k = 0; k < K; ++k) sum[k] = zeros();
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const Lanes at = load(x + i);
    for (std::size_t k = 0; k < K; ++k) sum[k] = sum[k] + load(vectors + k * stride + i) * at;
  }
  double rest[K] = {};
  for (; i < n; ++i)
    for (std::size_t k = 0; k < K; ++k) rest[k] += vectors[k * stride + i] * x[i];
  for (std::size_t k = 0; k < K; ++k) out[k] = total(sum[k], rest[k]);
}

double dot(const double* a, const double* b, std::size_t n) {
  double result;
  dots<1>(a, 0, b, n, &result);
  return result;
}

void axpby(double* out, double s, const double* a, double t, const double* b, std::size_t n) {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) store(out + i, s * load(a + i) + t * load(b + i));
  for (; i < n; ++i) out[i] = s * a[i] + t * b[i];
}

void multi_dot(const double* vectors, std::size_t stride, std::size_t count, const double* x, std::size_t n,
               double* out) {
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) dots<4>(vectors + k * stride, stride, x, n, out + k);
  for (; k < count; ++k) dots<1>(vectors + k * stride, stride, x, n, out + k);
}

/// K vectors at once: y is read and written once for all of them.
template <std::size_t K>
GEODESCENT_ALWAYS_INLINE void add_multiples(double* y, const double* c, const double* vectors, std::size_t stride,
                                            std::size_t n) {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    Lanes sum = load(y + i);
    for (std::size_t k = 0; k < K; ++k) sum = sum + c[k] * load(vectors + k * stride + i);
    store(y + i, sum);
  }
  for (; i < n; ++i)
    for (std::size_t k = 0; k < K; ++k) y[i] += c[k] * vectors[k * stride + i];
}

void multi_axpy(double* y, const double* c, const double* vectors, std::size_t stride, std::size_t count,
                std::size_t n) {
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) add_multiples<4>(y, c + k, vectors + k * stride, stride, n);
  for (; k < count; ++k) add_multiples<1>(y, c + k, vectors + k * stride, stride, n);
}

}  // namespace
}  // namespace geodescent
