// The loss of multinomial logistic regression at many rows.
#pragma once

#include <cstdint>

#include "kernels/kernels.hpp"
#include "kernels/lanes.hpp"

namespace geodescent {
namespace {

/// log(1 + x) for x >= 0, and no number for what is none. 1 + x = 2^k (1 + f), where nothing is lost for a small x.
GEODESCENT_ALWAYS_INLINE double log1p_of(double x) {
  const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, 1 + x);
  const std::uint64_t mantissa = (bits & 0xfffffffffffff) | 0x3ff0000000000000;
  const double k = x < 1 ? 0.0 : static_cast<double>(static_cast<int>(bits >> 52) - 1023);
  const double f = x < 1 ? x : __builtin_bit_cast(double, mantissa) - 1;
  return (k * elementary::ln2_high + (k * elementary::ln2_low + elementary::log1p_unit(f))) + (x - x);
}

/// The exponentials are one loop over all numbers of all rows, which becomes vector instructions for every K.
void softmax_rows(double* __restrict z, const std::uint32_t* y, std::size_t n, std::size_t outputs,
                  double* __restrict value, double* __restrict slope) {
  for (std::size_t i = 0; i < n; ++i) {
    double* const row = z + i * outputs;
    double top = row[0];
    for (std::size_t k = 1; k < outputs; ++k) top = row[k] > top ? row[k] : top;
    for (std::size_t k = 0; k < outputs; ++k) row[k] -= top;
  }
  for (std::size_t e = 0; e < n * outputs; ++e) slope[e] = elementary::exp(z[e]);
  for (std::size_t i = 0; i < n; ++i) {
    const double* const row = z + i * outputs;
    double* const p = slope + i * outputs;
    std::size_t top = 0;
    while (top + 1 < outputs && row[top] != 0) ++top;
    double others = 0, rest = 0;
    for (std::size_t k = 0; k < outputs; ++k) others += k == top ? 0 : p[k];
    const double factor = 1 / (1 + others);
    for (std::size_t k = 0; k < outputs; ++k) {
      p[k] *= factor;
      rest += k == y[i] ? 0 : p[k];
    }
    p[y[i]] = -rest;  // p - 1 would lose the digits of a small loss
    if (value) value[i] = others;
  }
  if (!value) return;
  for (std::size_t i = 0; i < n; ++i) value[i] = log1p_of(value[i]) - z[i * outputs + y[i]];
}

}  // namespace
}  // namespace geodescent
