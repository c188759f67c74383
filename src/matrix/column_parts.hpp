// Products of sparse rows with very many columns, by parts of the columns.
//
// Several threads that add rows to one vector each need a copy of it, and with many columns
// clearing and adding the copies costs more than the product. Here each thread owns some of the
// columns. A column is added to in the order of the rows, so the bits are those of one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geodescent/data/row_matrix.hpp"
#include "kernels/kernels.hpp"
#include "matrix/row_space.hpp"

namespace geodescent {

class ColumnParts {
 public:
  /// Null where blocks of rows are faster: dense rows, few columns, few entries. Cost: one binary
  /// search per row and part. `parts` of 0 means one for each thread.
  static std::unique_ptr<const ColumnParts> of(std::shared_ptr<const RowMatrix> matrix, std::size_t parts = 0);

  /// The same parts on all ranks, for rows of a matrix with so many entries. One round.
  static std::unique_ptr<const ColumnParts> of_ranks(std::shared_ptr<const RowMatrix> matrix, std::size_t nonzeros,
                                                     const RowSpace& rows);

  std::size_t count() const { return columns_.size() - 1; }

  /// sum = sum_i weight_i a_i, on all threads. With several outputs as RowMatrix::multi_backward.
  void backward(std::span<const double> weight, std::span<double> sum, std::size_t outputs = 1) const;
  /// The same where several ranks have the rows. A rank adds its rows to some parts while the
  /// others add theirs to other parts. One round.
  void backward(const RowSpace& rows, std::span<const double> weight, std::span<double> sum, std::size_t outputs) const;

  /// out_i = the products of the entries of this part, for the rows begin <= i < end.
  void forward_part(std::size_t part, std::size_t begin, std::size_t end, std::span<const double> x,
                    std::span<double> out) const;
  /// The columns of this part: sum += sum_i weight_i a_i over these rows.
  void add_part(std::size_t part, std::size_t begin, std::size_t end, std::span<const double> weight,
                std::span<double> sum) const;

  /// Whether parts are faster than blocks of rows, for sparse rows with so many entries.
  static bool are_faster(std::size_t nonzeros, std::size_t columns);

  /// The bytes that `of` would allocate.
  static double planned_bytes(const RowMatrix& matrix, std::size_t parts = 0);
  double bytes() const { return static_cast<double>(sizeof(std::uint64_t) * borders_.size()); }

 private:
  /// columns: as `columns_`.
  ColumnParts(std::shared_ptr<const RowMatrix> matrix, const SparseArrays& arrays, std::vector<std::size_t> columns);
  /// Some rows, for all outputs.
  void add_part(std::size_t part, const RowRange& rows, std::span<const double> weight, std::span<double> sum,
                std::size_t outputs) const;
  SparseView view(std::size_t part, std::size_t row) const;

  std::shared_ptr<const RowMatrix> matrix_;
  const SparseArrays& arrays_;          // of the matrix
  std::vector<std::size_t> columns_;    // the first column of each part, then the end of the last part
  std::vector<std::uint64_t> borders_;  // for each part but the first: where it begins in each row
  std::size_t at_once_ = 1;             // over ranks: parts that a rank adds to at the same time
};

}  // namespace geodescent
