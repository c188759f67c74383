// Default implementations of RowMatrix, from its products and entries. Matrix forms override them
// where they are faster.
#include "geodescent/data/row_matrix.hpp"

#include <numeric>

namespace geodescent {

void RowMatrix::sweep(std::size_t begin, std::size_t end, std::span<double> x, const RowStep& step) const {
  for (std::size_t i = begin; i < end; ++i) {
    double product = 0;
    forward(i, i + 1, x, {&product, 1});
    const double multiple = step(i, product);
    if (multiple != 0) backward(i, i + 1, {&multiple, 1}, x);
  }
}

void RowMatrix::squared_norms(std::size_t begin, std::size_t end, std::span<double> out) const {
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t i = begin; i < end; ++i) {
    copy_row(i, indices, values);
    out[i - begin] = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  }
}

}  // namespace geodescent
