// The parts of column_products (geodescent/vector.hpp), for sums over rows that several processes
// make.
#pragma once

#include <cstddef>
#include <span>

#include "base/parallel.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

/// The blocks of such products over so many rows.
parallel::Blocks column_product_blocks(std::size_t rows);
/// sums_j += the product of x and column j over begin <= i < end. Columns have the length of x.
void add_column_products(std::span<const double> columns, std::span<const double> x, std::size_t begin, std::size_t end,
                         std::span<double> sums);

}  // namespace geodescent
