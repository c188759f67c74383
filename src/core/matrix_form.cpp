// The form of a matrix, chosen from its numbers.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geodescent/row_matrix.hpp"

namespace geodescent {
namespace {

constexpr std::size_t columns_of_16_bits = std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1;

bool fits_float(double value) { return static_cast<double>(static_cast<float>(value)) == value; }

template <class To, class From>
SharedArray<To> converted(const SharedArray<From>& numbers) {
  std::vector<To> result(numbers.size());
  std::transform(numbers.data(), numbers.data() + numbers.size(), result.begin(),
                 [](From v) { return static_cast<To>(v); });
  return SharedArray<To>(std::move(result));
}

SparseArrays compact(SparseArrays arrays) {
  if (const auto* wide = std::get_if<SharedArray<std::uint32_t>>(&arrays.indices);
      wide && arrays.columns <= columns_of_16_bits)
    arrays.indices = converted<std::uint16_t>(*wide);
  if (const auto* doubles = std::get_if<SharedArray<double>>(&arrays.values)) {
    const auto values = doubles->span();
    if (!values.empty() && std::ranges::all_of(values, [&](double v) { return v == values[0]; }))
      arrays.values = double{values[0]};
    else if (std::ranges::all_of(values, fits_float))
      arrays.values = converted<float>(*doubles);
  }
  return arrays;
}

DenseArray dense(const SparseRows& rows) {
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  bool floats = true;
  Vector entries(rows.rows() * rows.columns(), 0.0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    rows.copy_row(i, indices, values);
    for (std::size_t k = 0; k < indices.size(); ++k) {
      entries[i * rows.columns() + indices[k]] = values[k];
      floats = floats && fits_float(values[k]);
    }
  }
  if (floats) return converted<float>(SharedArray(std::move(entries)));
  return SharedArray(std::move(entries));
}

}  // namespace

std::shared_ptr<const RowMatrix> in_best_form(SparseRows rows) {
  // Divided rather than multiplied: rows * columns may not fit 64 bits.
  const bool half_full = rows.columns() > 0 && rows.rows() > 0 && 2 * rows.nonzeros() / rows.rows() >= rows.columns();
  if (half_full) return std::make_shared<const DenseRows>(dense(rows), rows.columns());
  return std::make_shared<const SparseRows>(compact(rows.arrays()));
}

}  // namespace geodescent
