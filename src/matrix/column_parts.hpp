// The backward product of sparse rows with very many columns, by parts of the columns.
//
// Blocks of rows on several threads each need a gradient of their own, and with many columns clearing and adding these
// costs more than the product. Here each thread has some of the columns and goes through all rows. A column is added to
// in the order of the rows, so the bits are those of one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geodescent/data/row_matrix.hpp"

namespace geodescent {

class ColumnParts {
 public:
  /// Null where blocks of rows are better: dense rows, few columns, few entries. Looks each row up once for each part.
  static std::unique_ptr<const ColumnParts> of(std::shared_ptr<const RowMatrix> matrix);

  /// sum = sum_i weight_i a_i.
  void backward(std::span<const double> weight, std::span<double> sum) const;

  /// Of memory that `of` would take.
  static double planned_bytes(const RowMatrix& matrix);
  double bytes() const { return static_cast<double>(sizeof(std::uint64_t) * borders_.size()); }

 private:
  ColumnParts(std::shared_ptr<const RowMatrix> matrix, const SparseArrays& arrays);

  std::shared_ptr<const RowMatrix> matrix_;
  const SparseArrays& arrays_;          // of the matrix
  std::vector<std::size_t> columns_;    // first column of each part, and the end of the last
  std::vector<std::uint64_t> borders_;  // for each part but the first: where it begins in each row
};

}  // namespace geodescent
