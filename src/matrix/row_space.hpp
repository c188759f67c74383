// The rows of a problem, and every sum over them.
//
// All rows are held by one process. `add_up` is the only function that a distributed version would
// have to implement: it combines the partial sums of the processes. The order of additions depends
// on the data alone.
#pragma once

#include <cstddef>
#include <span>

#include "base/parallel.hpp"

namespace geodescent {

class RowSpace {
 public:
  explicit RowSpace(std::size_t rows) : rows_(rows) {}

  std::size_t local_rows() const { return rows_; }  ///< held by this process; images have this length
  std::size_t rows() const { return rows_; }        ///< total

  /// The K sums over all rows of body(begin, end), which is called for each block of local rows.
  template <std::size_t K, class Body>
  std::array<double, K> sum(const Body& body) const {
    return sum<K>(parallel::cut(local_rows()), body);
  }
  template <std::size_t K, class Body>
  std::array<double, K> sum(const parallel::Blocks& blocks, const Body& body) const {
    parallel::Sums<K> total = parallel::sum<parallel::Sums<K>>(blocks, body);
    add_up(total.of);
    return total.of;
  }

  /// Replaces sums over the local rows by sums over all rows: scalars, small matrices, gradients.
  void add_up(std::span<double> /*sums*/) const {}

 private:
  std::size_t rows_;
};

}  // namespace geodescent
