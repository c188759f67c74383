// The rows of a data set that are on several ranks (Dataset::ranks). Internal to the library.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "base/row_range.hpp"
#include "geodescent/data/dataset.hpp"
#include "geodescent/ranks.hpp"

namespace geodescent {

/// Immutable. Ranks hold some rows twice, so that each has whole blocks of them (learn/ranks).
struct SharedRows {
  virtual ~SharedRows() = default;

  /// with_constant() of the data that have these rows, as one process makes it of all rows.
  virtual Dataset with_constant(Dataset data, double constant) const = 0;
  /// Puts short sparse rows of a matrix of these rows in the order in which one process works on
  /// them.
  virtual void order_rows(Dataset& data) const = 0;

  std::shared_ptr<Communicator> ranks;  ///< at least two
  std::size_t rows = 0;                 ///< of all ranks
  // For each rank, numbered among all rows.
  std::vector<RowRange> held;    ///< rows that it holds
  std::vector<RowRange> shares;  ///< of these, the rows that no other rank counts
  // The matrix of all rows.
  std::size_t nonzeros = 0;
  std::size_t longest_row = 0;
  double gram_products = 0;

  std::size_t first_row() const { return held[ranks->rank()].begin; }  ///< of those here, among all rows
  /// The rows that only this rank counts, among the rows here.
  RowRange share() const {
    const RowRange ours = shares[ranks->rank()];
    if (ours.size() == 0) return {};
    return {ours.begin - first_row(), ours.end - first_row()};
  }
};

}  // namespace geodescent
