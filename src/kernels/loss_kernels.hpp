// The losses of the library, evaluated for many rows.
#pragma once

#include <array>
#include <tuple>

#include "kernels/kernels.hpp"
#include "kernels/lanes.hpp"
#include "losses/table.hpp"

namespace geodescent {
namespace {

template <class L>
void loss_rows(const void* of, const double* __restrict z, const double* __restrict y, std::size_t n,
               const LossArrays& to) {
  const L loss = *static_cast<const L*>(of);
  double* __restrict value = to.value, * __restrict slope = to.slope, * __restrict curvature = to.curvature;
  const auto put = [&](auto with_value, auto target) __attribute__((always_inline)) {
    for (std::size_t i = 0; i < n; ++i) {
      const LossValue phi = loss(z[i], target(i));
      if constexpr (with_value) value[i] = phi.value;
      slope[i] = phi.slope;
      curvature[i] = phi.curvature;
    }
  };
  const auto target = [=](std::size_t i) __attribute__((always_inline)) {
    if constexpr (L::task == Task::classification)
      return 1.0;
    else
      return y[i];
  };
  // Without `value` the compiler also removes the computations that only values need.
  if (value)
    put(std::true_type{}, target);
  else
    put(std::false_type{}, target);
}

template <class... Entry>
constexpr std::array<LossRows, loss_count> rows_of_losses(const std::tuple<Entry...>*) {
  return {loss_rows<typename Entry::Solver>...};
}

constexpr std::array<LossRows, loss_count> loss_table = rows_of_losses(static_cast<const LossTable*>(nullptr));

}  // namespace
}  // namespace geodescent
