// The data matrix A, one row per sample. Its products are the passes that runs count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "geodescent/data/shared_array.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

/// A matrix seen by rows a_i. The two products take a range of rows, so that their caller can run
/// ranges in parallel and do the work on a row while it is in the cache.
class RowMatrix {
 public:
  virtual ~RowMatrix() = default;

  virtual std::size_t rows() const = 0;         ///< number of rows
  virtual std::size_t columns() const = 0;      ///< number of columns
  virtual std::size_t nonzeros() const = 0;     ///< stored entries (all of them, for a dense matrix)
  virtual std::size_t longest_row() const = 0;  ///< most stored entries of a row
  virtual double squared_norm() const = 0;      ///< sum of a_ij^2
  virtual double largest_row_sum() const = 0;   ///< max over rows of sum_j |a_ij|
  virtual double bytes() const = 0;             ///< its size in memory or in a mapped file

  /// out[i - begin] = a_i . x for begin <= i < end.
  virtual void forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const = 0;
  /// sum += weight[i - begin] a_i over begin <= i < end.
  virtual void backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                        std::span<double> sum) const = 0;
  /// `forward` with K = `outputs` vectors, reading the matrix once. `x` has K consecutive numbers
  /// for each column, `out` K for each row.
  virtual void multi_forward(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> x,
                             std::span<double> out) const = 0;
  /// `backward` with K = `outputs` vectors, reading the matrix once. `weight` has K consecutive
  /// numbers for each row, `sum` K for each column.
  virtual void multi_backward(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> weight,
                              std::span<double> sum) const = 0;
  /// Gets row i and its product a_i.x, and returns the multiple of the row that is added to x.
  using RowStep = std::function<double(std::size_t i, double product)>;
  /// For begin <= i < end, one after the other: x += step(i, a_i.x) a_i. A row is read once for
  /// both.
  virtual void sweep(std::size_t begin, std::size_t end, std::span<double> x, const RowStep& step) const;
  /// out[i - begin] = |a_i|^2 for begin <= i < end.
  virtual void squared_norms(std::size_t begin, std::size_t end, std::span<double> out) const;
  /// The lower triangle of the square matrix `sum`, columns one after the other, += sum of weight[i
  /// - begin] a_i a_i' over begin <= i < end. Weights are not negative; `scratch` has the size
  /// gram_scratch().
  virtual void add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                        std::span<double> scratch) const = 0;
  /// The same with K = `outputs` weights for each row, reading the matrix once. `weight` has K
  /// consecutive numbers for each row, `sum` K for each entry of the lower triangle, columns one
  /// after the other without gaps. Weights may be negative.
  virtual void add_multi_gram(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> weight,
                              std::span<double> sum, std::span<double> scratch) const = 0;
  virtual std::size_t gram_scratch() const = 0;  ///< size of the scratch memory of add_gram() and add_multi_gram()
  virtual double gram_products() const = 0;      ///< multiplications that add_gram makes for all rows

  /// This matrix with one more column, which has the value `constant` in every row. Shares the
  /// numbers; costs one pass. Throws std::invalid_argument unless the constant is finite and not 0,
  /// and when the matrix has such a column.
  virtual std::shared_ptr<const RowMatrix> with_constant(double constant) const = 0;

  /// The entries of row i that are not zero, for every form of storage; replaces the contents of
  /// the vectors.
  virtual void copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const = 0;
};

/// Compressed rows: the entries of row i are those from offsets[i] to offsets[i + 1] of `indices`
/// (0-based, increasing) and `values`. Indices and values have the smallest types that the data
/// allow: memory limits the speed of a pass.
struct SparseArrays {
  SharedArray<std::uint64_t> offsets;  ///< rows + 1 numbers, the first is 0
  /// The column of each entry.
  std::variant<SharedArray<std::uint16_t>, SharedArray<std::uint32_t>, SharedArray<std::uint64_t>> indices;
  std::variant<double, SharedArray<float>, SharedArray<double>> values;  ///< double: all entries are this number
  std::size_t columns = 0;                                               ///< at most 2^32 for indices of 64 bits
  double constant = 0;  ///< not 0: the value of a further column in every row, which is stored nowhere else

  double bytes() const;  ///< bytes of the arrays
};

/// A sparse matrix.
class SparseRows final : public RowMatrix {
 public:
  /// Number of rows in a group. Small data visit the short rows of a group in the order of their
  /// lengths. A product over whole groups is fastest.
  static constexpr std::size_t group = 512;

  /// Takes compressed rows; checks as below.
  SparseRows(std::vector<std::uint64_t> offsets, std::vector<std::uint32_t> indices, std::vector<double> values,
             std::size_t columns);
  /// One pass over the entries. Throws std::invalid_argument, with row and column counted from 0:
  /// for offsets that decrease, columns that do not increase within a row or are out of range, and
  /// values that are not finite.
  explicit SparseRows(SparseArrays arrays);
  /// The same for some of the rows of a matrix, which decides whether groups are in the order of
  /// their lengths.
  SparseRows(SparseArrays arrays, bool by_length);

  std::size_t rows() const override { return arrays_.offsets.size() - 1; }
  std::size_t columns() const override { return arrays_.columns + (arrays_.constant != 0); }
  std::size_t nonzeros() const override { return arrays_.offsets[rows()] + (arrays_.constant != 0 ? rows() : 0); }
  std::size_t longest_row() const override { return longest_row_; }
  double squared_norm() const override { return squared_norm_; }
  double largest_row_sum() const override { return largest_row_sum_; }
  double bytes() const override { return arrays_.bytes() + 2 * static_cast<double>(order_.size()); }
  void forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const override;
  void backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                std::span<double> sum) const override;
  void multi_forward(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> x,
                     std::span<double> out) const override;
  void multi_backward(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> weight,
                      std::span<double> sum) const override;
  void sweep(std::size_t begin, std::size_t end, std::span<double> x, const RowStep& step) const override;
  void squared_norms(std::size_t begin, std::size_t end, std::span<double> out) const override;
  void add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                std::span<double> scratch) const override;
  void add_multi_gram(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> weight,
                      std::span<double> sum, std::span<double> scratch) const override;
  std::size_t gram_scratch() const override { return 0; }
  double gram_products() const override { return gram_products_; }
  std::shared_ptr<const RowMatrix> with_constant(double constant) const override;
  void copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const override;

  const SparseArrays& arrays() const { return arrays_; }  ///< what is stored
  // Copies.
  /// Columns of the stored entries of a row, zeros included.
  std::vector<std::uint32_t> indices(std::size_t row) const;
  std::vector<double> values(std::size_t row) const;  ///< values of the stored entries of a row, zeros included

 private:
  SparseRows(SparseArrays arrays, const bool* by_length);
  template <class Body>
  void for_each_group(std::size_t begin, std::size_t end, const Body& body) const;

  SparseArrays arrays_;
  std::vector<std::uint16_t> order_;  // of the rows of each group; empty: as they come
  std::size_t longest_row_ = 0;
  double squared_norm_ = 0;
  double largest_row_sum_ = 0;
  double gram_products_ = 0;
};

using DenseArray = std::variant<SharedArray<float>, SharedArray<double>>;  ///< entries of a dense matrix

/// Rows stored in full: entry j of row i is entries[i * row_stride + j * column_stride].
struct DenseArrays {
  DenseArray entries;             ///< the numbers
  std::size_t rows = 0;           ///< number of rows
  std::size_t columns = 0;        ///< columns that are stored
  std::size_t row_stride = 0;     ///< distance of the rows
  std::size_t column_stride = 1;  ///< distance of the columns
  double constant = 0;            ///< not 0: the value of a further column in every row, which is stored nowhere else
};

/// A dense matrix.
class DenseRows final : public RowMatrix {
 public:
  /// Rows one after the other. Throws std::invalid_argument when the entries do not make whole
  /// rows.
  DenseRows(Vector entries, std::size_t columns);
  /// The same for an array that is shared.
  DenseRows(DenseArray entries, std::size_t columns);
  /// One pass over the entries. Throws std::invalid_argument when there are too few of them, and,
  /// with row and column counted from 0, for values that are not finite.
  explicit DenseRows(DenseArrays arrays);

  std::size_t rows() const override { return arrays_.rows; }
  std::size_t columns() const override { return arrays_.columns + (arrays_.constant != 0); }
  std::size_t nonzeros() const override { return rows() * columns(); }
  std::size_t longest_row() const override { return columns(); }
  double squared_norm() const override { return squared_norm_; }
  double largest_row_sum() const override { return largest_row_sum_; }
  double bytes() const override;
  void forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const override;
  void backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                std::span<double> sum) const override;
  void multi_forward(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> x,
                     std::span<double> out) const override;
  void multi_backward(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> weight,
                      std::span<double> sum) const override;
  void add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                std::span<double> scratch) const override;
  void add_multi_gram(std::size_t begin, std::size_t end, std::size_t outputs, std::span<const double> weight,
                      std::span<double> sum, std::span<double> scratch) const override;
  std::size_t gram_scratch() const override;
  double gram_products() const override;
  std::shared_ptr<const RowMatrix> with_constant(double constant) const override;
  void copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const override;

  const DenseArrays& arrays() const { return arrays_; }  ///< what is stored
  Vector row(std::size_t i) const;                       ///< a copy

 private:
  DenseArrays arrays_;
  double squared_norm_ = 0;
  double largest_row_sum_ = 0;
};

/// The same matrix in the form whose passes are fastest: dense when at least half of the entries
/// are stored, else sparse; values left out when all are equal and as float when that loses
/// nothing; indices of 16 bits where they fit.
[[nodiscard]] std::shared_ptr<const RowMatrix> in_best_form(const SparseRows& rows);

}  // namespace geodescent
