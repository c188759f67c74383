// The columns of a sparse matrix that have entries, numbered without gaps.
//
// The gradient of a risk is 0 in an empty column, and so is the optimal coefficient. With few rows
// of text most columns are empty: vectors of all columns then cost more than the products.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "geodescent/data/row_matrix.hpp"
#include "geodescent/ranks.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

class UsedColumns {
 public:
  /// Absent where leaving out columns would not pay: a dense matrix, or few empty columns. Takes
  /// one pass over the entries at most.
  static std::optional<UsedColumns> of(const RowMatrix& matrix);
  /// The same for a matrix with so many entries whose rows are on several ranks. One round.
  static std::optional<UsedColumns> of(const RowMatrix& rows_here, std::size_t nonzeros, Communicator& ranks);

  std::size_t count() const { return used_ + (constant_ ? 1 : 0); }

  /// The matrix of these columns. It shares the values with the matrix that this was made of.
  std::shared_ptr<const RowMatrix> reduced(const RowMatrix& matrix) const;
  /// The entries of a vector of all columns, which has `outputs` consecutive ones for each column.
  Vector reduced(std::span<const double> x, std::size_t outputs = 1) const;
  /// The vector of all columns that is 0 in the others.
  Vector expanded(std::span<const double> x, std::size_t outputs = 1) const;

 private:
  UsedColumns() = default;
  static std::optional<UsedColumns> of(const RowMatrix& matrix, std::size_t nonzeros, Communicator* ranks);

  /// Which of 64 consecutive columns are used, and the number of used columns before them.
  struct Word {
    std::uint64_t used = 0;
    std::uint32_t before = 0;
  };
  template <class Index>
  void mark(const SharedArray<Index>& indices);
  void add_those_of(Communicator& ranks);
  /// The number of a used column among the used ones.
  std::uint32_t place(std::size_t column) const;
  template <class To, class Index>
  SharedArray<To> places(const SharedArray<Index>& indices) const;
  template <class Visit>
  void for_each_used(const Visit& visit) const;

  std::vector<Word> words_;
  std::size_t columns_ = 0;  // stored ones
  std::size_t used_ = 0;
  bool constant_ = false;  // whether a constant column follows
};

}  // namespace geodescent
