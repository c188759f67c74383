// The table of all kernels. The source of an instruction set defines its name, GEODESCENT_KERNELS.
#pragma once

#include "kernels/gram_kernels.hpp"
#include "kernels/kernels.hpp"
#include "kernels/loss_kernels.hpp"
#include "kernels/matrix_kernels.hpp"
#include "kernels/multi_gram_kernels.hpp"
#include "kernels/multi_kernels.hpp"
#include "kernels/row_kernels.hpp"
#include "kernels/softmax_kernels.hpp"
#include "kernels/vector_kernels.hpp"

namespace geodescent {
namespace {

template <class T>
constexpr DenseKernels<T> dense_table() {
  return {.forward = dense_forward<T>,
          .backward = dense_backward<T>,
          .multi_forward = dense_multi_forward<T>,
          .multi_backward = dense_multi_backward<T>,
          .gram = dense_gram<T>,
          .multi_gram = dense_multi_gram<T>};
}

constexpr Kernels make_table() {
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
      .losses = loss_table.data(),
      .softmax = softmax_rows,
      .line_sums = line_sums,
      .shift_sums = shift_sums,
      .shifted_line_sums = shifted_line_sums,
      .dual_sums = dual_sums,
      .mean_curvatures = mean_curvatures,
      .dense_float = dense_table<float>(),
      .dense_double = dense_table<double>(),
      .sparse_forward = {sparse_forward<std::uint16_t>, sparse_forward<std::uint32_t>, sparse_forward<std::uint64_t>},
      .sparse_backward = {sparse_backward<std::uint16_t>, sparse_backward<std::uint32_t>,
                          sparse_backward<std::uint64_t>},
      .sparse_multi_forward = {sparse_multi_forward<std::uint16_t>, sparse_multi_forward<std::uint32_t>,
                               sparse_multi_forward<std::uint64_t>},
      .sparse_multi_backward = {sparse_multi_backward<std::uint16_t>, sparse_multi_backward<std::uint32_t>,
                                sparse_multi_backward<std::uint64_t>},
      .sparse_sweep = {sparse_sweep<std::uint16_t>, sparse_sweep<std::uint32_t>, sparse_sweep<std::uint64_t>},
      .sparse_gram = {sparse_gram<std::uint16_t>, sparse_gram<std::uint32_t>, sparse_gram<std::uint64_t>},
      .sparse_multi_gram = {sparse_multi_gram<std::uint16_t>, sparse_multi_gram<std::uint32_t>,
                            sparse_multi_gram<std::uint64_t>},
      .columns_gram = columns_gram,
      .pack_panel = pack_panel,
      .subtract_panel_gram = subtract_panel_gram,
  };
}

}  // namespace

extern const Kernels GEODESCENT_KERNELS;
constinit const Kernels GEODESCENT_KERNELS = make_table();

}  // namespace geodescent
