// Sums over rows: of their losses and of the derivatives that methods need. All arrays have one
// entry per row.
#pragma once

#include <cstdint>

#include "kernels/kernels.hpp"
#include "kernels/lanes.hpp"

namespace geodescent {
namespace {

template <class T>
GEODESCENT_ALWAYS_INLINE T at(const double* array, std::size_t i);
template <>
GEODESCENT_ALWAYS_INLINE double at<double>(const double* array, std::size_t i) {
  return array[i];
}
template <>
GEODESCENT_ALWAYS_INLINE Lanes at<Lanes>(const double* array, std::size_t i) {
  return load(array + i);
}

GEODESCENT_ALWAYS_INLINE double absolute(double a) { return __builtin_fabs(a); }

/// The K sums over i of the terms that term(i, t) writes to t. t[k] is one number or eight lanes.
template <std::size_t K, class Term>
GEODESCENT_ALWAYS_INLINE void add_up(std::size_t n, double* out, const Term& term) {
  Lanes sum[K];
  for (std::size_t k = 0; k < K; ++k) sum[k] = zeros();
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    Lanes t[K];
    term(i, t);
    for (std::size_t k = 0; k < K; ++k) sum[k] = sum[k] + t[k];
  }
  double rest[K] = {};
  for (; i < n; ++i) {
    double t[K];
    term(i, t);
    for (std::size_t k = 0; k < K; ++k) rest[k] += t[k];
  }
  for (std::size_t k = 0; k < K; ++k) out[k] = total(sum[k], rest[k]);
}

#define GEODESCENT_TERM [=]<class T>(std::size_t i, T * t) __attribute__((always_inline))

double sum(const double* a, std::size_t n) {
  double result;
  add_up<1>(
      n, &result, GEODESCENT_TERM { t[0] = at<T>(a, i); });
  return result;
}

void line_sums(const LossArrays& phi, const double* d, std::size_t n, double* out) {
  const double *value = phi.value, *slope = phi.slope, *curvature = phi.curvature;
  add_up<3>(
      n, out, GEODESCENT_TERM {
        const T along = at<T>(d, i);
        t[0] = at<T>(value, i);
        t[1] = at<T>(slope, i) * along;
        t[2] = at<T>(curvature, i) * along * along;
      });
}

void shift_sums(const LossArrays& phi, const double* sign, std::size_t n, double* out) {
  const double *slope = phi.slope, *curvature = phi.curvature;
  add_up<3>(
      n, out, GEODESCENT_TERM {
        const T u = at<T>(slope, i);
        t[0] = at<T>(sign, i) * u;
        t[1] = at<T>(curvature, i);
        t[2] = absolute(u);
      });
}

void shifted_line_sums(const LossArrays& phi, const double* d, const double* sign, std::size_t n, double* out) {
  const double* curvature = phi.curvature;
  shift_sums(phi, sign, n, out);
  line_sums(phi, d, n, out + 3);
  add_up<1>(
      n, out + 6, GEODESCENT_TERM { t[0] = at<T>(sign, i) * at<T>(curvature, i) * at<T>(d, i); });
}

void dual_sums(const double* value, const double* slope, const double* z, const double* sign, const double* weight,
               std::size_t n, double* out) {
  add_up<6>(
      n, out, GEODESCENT_TERM {
        const T u = at<T>(slope, i), c = at<T>(weight, i), uz = u * at<T>(z, i);
        t[0] = c * at<T>(value, i);
        t[1] = c * uz;
        t[2] = c * absolute(uz);
        t[3] = c * absolute(u);
        t[4] = c * (u * u);
        t[5] = c * (u * at<T>(sign, i));
      });
}

#undef GEODESCENT_TERM

void multiply(double* out, const double* a, const double* b, std::size_t n) {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) store(out + i, load(a + i) * load(b + i));
  for (; i < n; ++i) out[i] = a[i] * b[i];
}

void scale(double* out, double s, const double* a, std::size_t n) {
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) store(out + i, s * load(a + i));
  for (; i < n; ++i) out[i] = s * a[i];
}

void widen(double* __restrict out, const std::int8_t* __restrict signs, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = signs[i];
}

void apply_signs(double* __restrict x, const std::int8_t* __restrict signs, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) x[i] *= signs[i];
}

/// Where |z| is so large that phi' at z - width and z + width differs only by rounding, the
/// curvature is kept.
void mean_curvatures(double* __restrict curvature, const double* __restrict z, const double* __restrict above,
                     const double* __restrict below, double width, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double difference = (above[i] - below[i]) / (2 * width), mean = difference > 0 ? difference : 0;
    curvature[i] = width <= 1e-6 * (1 + __builtin_fabs(z[i])) ? curvature[i] : mean;
  }
}

}  // namespace
}  // namespace geodescent
