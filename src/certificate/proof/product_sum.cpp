#include "certificate/proof/product_sum.hpp"

namespace geodescent::proof {

GEODESCENT_FMA_CLONES void products(const RowBatch& rows, std::span<const double> factors, const Product& constant,
                                    std::span<const double> subtracted, std::span<Approximation> out) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::span<const std::uint32_t> indices = rows.indices(rows.begin() + r);
    const std::span<const double> values = rows.values(rows.begin() + r);
    ProductSum sum;
    for (std::size_t k = 0; k < indices.size(); ++k) sum.add(values[k], factors[indices[k]]);
    sum.add(constant);
    if (!subtracted.empty()) sum.add(Product{-subtracted[r], 0});
    out[r] = sum.rounded(indices.size() + 2);
  }
}

GEODESCENT_FMA_CLONES void add_multiples(std::span<const double> factors, const RowBatch& rows,
                                         std::span<ProductSum> sums) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::span<const std::uint32_t> indices = rows.indices(rows.begin() + r);
    const std::span<const double> values = rows.values(rows.begin() + r);
    const double factor = factors[r];
    if (factor == 0) continue;
    for (std::size_t k = 0; k < indices.size(); ++k) sums[indices[k]].add(factor, values[k]);
  }
}

}  // namespace geodescent::proof
