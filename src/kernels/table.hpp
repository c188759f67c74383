// All kernels in one table, whose name GEODESCENT_KERNELS is given by the source of an instruction set.
#pragma once

#include "kernels/kernels.hpp"
#include "kernels/loss_kernels.hpp"
#include "kernels/row_kernels.hpp"
#include "kernels/vector_kernels.hpp"

namespace geodescent {
namespace {

template <class... L>
constexpr Kernels make_table(std::tuple<L...>*) {
  return {
      .dot = dot,
      .axpby = axpby,
      .multi_dot = multi_dot,
      .multi_axpy = multi_axpy,
      .sum = sum,
      .scale = scale,
      .multiply = multiply,
      .widen = widen,
      .apply_signs = apply_signs,
      .losses = {loss_rows<L>...},
      .line_sums = line_sums,
      .shift_sums = shift_sums,
      .shifted_line_sums = shifted_line_sums,
      .dual_sums = dual_sums,
      .mean_curvatures = mean_curvatures,
  };
}

}  // namespace

extern const Kernels GEODESCENT_KERNELS;
constinit const Kernels GEODESCENT_KERNELS = make_table(static_cast<Losses*>(nullptr));

}  // namespace geodescent
