#include "certificate/rows/product_sum.hpp"

#include <algorithm>

namespace geodescent::proof {
namespace {

/// With more entries per column few columns are empty, and a sum for each costs less than finding
/// its place.
constexpr std::size_t entries_per_empty_column = 4;

/// sums[places_k - first] += factor values_k.
GEODESCENT_FMA_CLONES void add_multiple(double factor, const double* values, std::span<const std::uint32_t> places,
                                        std::size_t first, ProductSum* sums) {
  for (std::size_t k = 0; k < places.size(); ++k) sums[places[k] - first].add(factor, values[k]);
}

}  // namespace

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

bool ColumnSums::finds_places(std::size_t nonzeros, std::size_t columns) {
  return nonzeros / entries_per_empty_column < columns;
}

ColumnSums::ColumnSums(std::size_t begin, std::size_t end, const RowMatrix& matrix)
    : begin_(begin), end_(end), finds_places_(finds_places(matrix.nonzeros(), matrix.columns())) {
  if (finds_places_) {
    places_.resize(end - begin);
    sums_.reserve(std::min(end - begin, matrix.nonzeros()));  // costs nothing before it is touched
  } else {
    sums_.resize(end - begin);
  }
}

void ColumnSums::add_multiples(std::span<const double> factors, const RowBatch& rows) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (factors[r] == 0) continue;
    const std::span<const std::uint32_t> columns = rows.indices(rows.begin() + r);
    const auto first = std::lower_bound(columns.begin(), columns.end(), begin_);
    const auto last = std::lower_bound(first, columns.end(), end_);
    const std::span<const std::uint32_t> mine(first, last);
    const double* const values = rows.values(rows.begin() + r).data() + (first - columns.begin());
    if (finds_places_) find_places(mine);
    add_multiple(factors[r], values, finds_places_ ? found_ : mine, finds_places_ ? 1 : begin_, sums_.data());
  }
}

/// Makes sums for columns that occur for the first time.
void ColumnSums::find_places(std::span<const std::uint32_t> columns) {
  found_.clear();
  auto count = static_cast<std::uint32_t>(sums_.size());
  for (const std::uint32_t column : columns) {
    std::uint32_t& place = places_[column - begin_];
    if (place == 0) place = ++count;
    found_.push_back(place);
  }
  sums_.resize(count);
}

}  // namespace geodescent::proof
