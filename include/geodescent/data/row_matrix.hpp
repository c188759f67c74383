// The data matrix A, one row a sample. Only `forward` and `backward` ever touch it: they are the passes we count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "geodescent/data/shared_array.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

/// A matrix seen by rows a_i. The two products take a range of rows, so that their caller can run ranges in parallel
/// and do the work on a row while it is in the cache.
class RowMatrix {
 public:
  virtual ~RowMatrix() = default;

  virtual std::size_t rows() const = 0;
  virtual std::size_t columns() const = 0;
  virtual std::size_t nonzeros() const = 0;  ///< stored entries (all of them, for a dense matrix)
  virtual std::size_t longest_row() const = 0;
  virtual double squared_norm() const = 0;     ///< sum of a_ij^2
  virtual double largest_row_sum() const = 0;  ///< max over rows of sum_j |a_ij|
  virtual double bytes() const = 0;            ///< that it takes, in memory or in a mapped file

  /// out[i - begin] = a_i . x for begin <= i < end.
  virtual void forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const = 0;
  /// sum += weight[i - begin] a_i over begin <= i < end.
  virtual void backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                        std::span<double> sum) const = 0;
  /// The lower triangle of the square matrix `sum`, columns one after the other, += sum of weight[i - begin] a_i a_i'
  /// over begin <= i < end. Weights are not negative; `scratch` has the size gram_scratch().
  virtual void add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                        std::span<double> scratch) const = 0;
  virtual std::size_t gram_scratch() const = 0;
  virtual double gram_products() const = 0;  ///< multiplications that add_gram makes for all rows

  /// The entries of row i that are not zero, whatever the form they are stored in; replaces what the vectors held.
  virtual void copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const = 0;
};

/// Compressed rows: the entries of row i are offsets[i] .. offsets[i + 1] of `indices` (0-based, increasing) and
/// `values`. Indices and values take as little room as the data allows: a pass is as fast as its bytes arrive.
struct SparseArrays {
  SharedArray<std::uint64_t> offsets;
  std::variant<SharedArray<std::uint16_t>, SharedArray<std::uint32_t>> indices;
  std::variant<double, SharedArray<float>, SharedArray<double>> values;  ///< double: all entries are this number
  std::size_t columns = 0;

  double bytes() const;
};

class SparseRows final : public RowMatrix {
 public:
  /// Groups of so many short rows are worked on in the order of their lengths, where a cache holds them. A product over
  /// whole groups is fastest.
  static constexpr std::size_t group = 512;

  SparseRows(std::vector<std::uint64_t> offsets, std::vector<std::uint32_t> indices, std::vector<double> values,
             std::size_t columns);
  /// Throws std::invalid_argument when the arrays do not fit each other.
  explicit SparseRows(SparseArrays arrays);

  std::size_t rows() const override { return arrays_.offsets.size() - 1; }
  std::size_t columns() const override { return arrays_.columns; }
  std::size_t nonzeros() const override { return arrays_.offsets[rows()]; }
  std::size_t longest_row() const override { return longest_row_; }
  double squared_norm() const override { return squared_norm_; }
  double largest_row_sum() const override { return largest_row_sum_; }
  double bytes() const override { return arrays_.bytes() + 2 * static_cast<double>(order_.size()); }
  void forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const override;
  void backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                std::span<double> sum) const override;
  void add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                std::span<double> scratch) const override;
  std::size_t gram_scratch() const override { return 0; }
  double gram_products() const override { return gram_products_; }
  void copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const override;

  const SparseArrays& arrays() const { return arrays_; }
  // Copies, zeros that are stored among them.
  std::vector<std::uint32_t> indices(std::size_t row) const;
  std::vector<double> values(std::size_t row) const;

 private:
  template <class Body>
  void for_each_group(std::size_t begin, std::size_t end, const Body& body) const;

  SparseArrays arrays_;
  std::vector<std::uint16_t> order_;  // of the rows of each group; empty: as they come
  std::size_t longest_row_ = 0;
  double squared_norm_ = 0;
  double largest_row_sum_ = 0;
  double gram_products_ = 0;
};

/// Rows stored in full, one after the other.
using DenseArray = std::variant<SharedArray<float>, SharedArray<double>>;

class DenseRows final : public RowMatrix {
 public:
  DenseRows(Vector entries, std::size_t columns);
  /// Throws std::invalid_argument when the entries do not make whole rows.
  DenseRows(DenseArray entries, std::size_t columns);

  std::size_t rows() const override { return rows_; }
  std::size_t columns() const override { return columns_; }
  std::size_t nonzeros() const override { return rows_ * columns_; }
  std::size_t longest_row() const override { return columns_; }
  double squared_norm() const override { return squared_norm_; }
  double largest_row_sum() const override { return largest_row_sum_; }
  double bytes() const override;
  void forward(std::size_t begin, std::size_t end, std::span<const double> x, std::span<double> out) const override;
  void backward(std::size_t begin, std::size_t end, std::span<const double> weight,
                std::span<double> sum) const override;
  void add_gram(std::size_t begin, std::size_t end, std::span<const double> weight, std::span<double> sum,
                std::span<double> scratch) const override;
  std::size_t gram_scratch() const override;
  double gram_products() const override;
  void copy_row(std::size_t i, std::vector<std::uint32_t>& indices, std::vector<double>& values) const override;

  const DenseArray& entries() const { return entries_; }
  Vector row(std::size_t i) const;  ///< a copy

 private:
  DenseArray entries_;
  std::size_t rows_;
  std::size_t columns_;
  double squared_norm_ = 0;
  double largest_row_sum_ = 0;
};

/// The same matrix in the form whose passes are fastest: dense when at least half of the entries are stored, else
/// sparse; values left out when all are equal and as float when that loses nothing; indices of 16 bits where they fit.
std::shared_ptr<const RowMatrix> in_best_form(SparseRows rows);

}  // namespace geodescent
