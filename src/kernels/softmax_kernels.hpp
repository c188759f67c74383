// The loss of multinomial logistic regression at many rows.
#pragma once

#include <cstdint>

#include "kernels/kernels.hpp"
#include "kernels/lanes.hpp"

namespace geodescent {
namespace {

/// log(1 + x) for x >= 0, and no number for what is none. 1 + x = 2^k (1 + f), where nothing is
/// lost for a small x.
GEODESCENT_ALWAYS_INLINE double log1p_of(double x) {
  const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, 1 + x);
  const std::uint64_t mantissa = (bits & 0xfffffffffffff) | 0x3ff0000000000000;
  const double k = x < 1 ? 0.0 : static_cast<double>(static_cast<int>(bits >> 52) - 1023);
  const double f = x < 1 ? x : __builtin_bit_cast(double, mantissa) - 1;
  return (k * elementary::ln2_high + (k * elementary::ln2_low + elementary::log1p_unit(f))) + (x - x);
}

/// The largest of K numbers, eight at a time.
GEODESCENT_ALWAYS_INLINE double largest_of(const double* x, std::size_t count) {
  double top = x[0];
  std::size_t k = 0;
  if (count >= lanes) {
    Lanes most = load(x);
    for (k = lanes; k + lanes <= count; k += lanes) {
      const Lanes next = load(x + k);
      for (std::size_t p = 0; p < parts; ++p) most.part[p] = next.part[p] > most.part[p] ? next.part[p] : most.part[p];
    }
    double each[lanes];
    store(each, most);
    for (std::size_t l = 0; l < lanes; ++l) top = each[l] > top ? each[l] : top;
  }
  for (; k < count; ++k) top = x[k] > top ? x[k] : top;
  return top;
}

/// Sums of the K numbers e of a row, which are exp(z).
struct ExponentialSums {
  double not_top;   ///< without one of those that are 1: the others beside the largest
  double not_of_y;  ///< without number y
};

/// Without a search for the largest, whose branches no processor predicts.
GEODESCENT_ALWAYS_INLINE ExponentialSums sum_exponentials(const double* z, const double* e, std::size_t count,
                                                          std::size_t y) {
  double tops = -1, rest = 0, rest_of_y = 0;
  Lanes others = zeros(), many = zeros(), of_y = zeros();
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes) {
    const Lanes at = load(z + k), term = load(e + k);
    for (std::size_t p = 0; p < parts; ++p) {
      Register place;
      for (std::size_t l = 0; l < register_width; ++l) place[l] = static_cast<double>(p * register_width + l);
      const Register none{}, one = none + 1;
      others.part[p] += at.part[p] == none ? none : term.part[p];
      many.part[p] += at.part[p] == none ? one : none;
      of_y.part[p] += place == none + (static_cast<double>(y) - static_cast<double>(k)) ? none : term.part[p];
    }
  }
  for (; k < count; ++k) {
    rest += z[k] == 0 ? 0 : e[k];
    tops += z[k] == 0 ? 1 : 0;
    rest_of_y += k == y ? 0 : e[k];
  }
  if (count < lanes) return {rest + tops, rest_of_y};
  return {total(others, rest) + total(many, tops), total(of_y, rest_of_y)};
}

/// The exponentials are one loop over all numbers of all rows, which becomes vector instructions
/// for every K.
void softmax_rows(double* __restrict z, const std::uint32_t* y, std::size_t n, std::size_t outputs,
                  double* __restrict value, double* __restrict slope) {
  for (std::size_t i = 0; i < n; ++i) {
    double* const row = z + i * outputs;
    const double top = largest_of(row, outputs);
    for (std::size_t k = 0; k < outputs; ++k) row[k] -= top;
  }
  for (std::size_t e = 0; e < n * outputs; ++e) slope[e] = elementary::exp(z[e]);
  for (std::size_t i = 0; i < n; ++i) {
    double* const p = slope + i * outputs;
    const ExponentialSums sums = sum_exponentials(z + i * outputs, p, outputs, y[i]);
    const double factor = 1 / (1 + sums.not_top);
    for (std::size_t k = 0; k < outputs; ++k) p[k] *= factor;
    p[y[i]] = -sums.not_of_y * factor;  // p - 1 would lose the digits of a small loss
    if (value) value[i] = sums.not_top;
  }
  if (!value) return;
  for (std::size_t i = 0; i < n; ++i) value[i] = log1p_of(value[i]) - z[i * outputs + y[i]];
}

}  // namespace
}  // namespace geodescent
