// The view of compressed rows that kernels take.
#pragma once

#include <variant>

#include "geodescent/data/row_matrix.hpp"
#include "kernels/kernels.hpp"

namespace geodescent {

/// The rows from `row` on, in natural order.
inline SparseView sparse_view(const SparseArrays& arrays, std::size_t row) {
  const auto* const floats = std::get_if<SharedArray<float>>(&arrays.values);
  const auto* const doubles = std::get_if<SharedArray<double>>(&arrays.values);
  const auto* const repeated = std::get_if<double>(&arrays.values);
  return {arrays.offsets.data() + row,
          arrays.offsets.data() + row + 1,
          nullptr,
          std::visit([](const auto& of) -> const void* { return of.data(); }, arrays.indices),
          floats ? floats->data() : nullptr,
          doubles ? doubles->data() : nullptr,
          repeated ? *repeated : 0,
          arrays.constant,
          arrays.columns};
}

}  // namespace geodescent
