// The rows of a problem, and every sum over them.
//
// One process holds all rows today, on several threads. The ranks of a distributed job will each hold some; then
// `add_up` is where their partial sums meet, and nothing else has to know. The order of additions depends on the data
// alone. The row form of a risk stays on one process: it is for problems with few rows.
#pragma once

#include <cstddef>
#include <span>

#include "base/parallel.hpp"

namespace geodescent {

class RowSpace {
 public:
  explicit RowSpace(std::size_t rows) : rows_(rows) {}

  std::size_t local_rows() const { return rows_; }  ///< held here: images have this length
  std::size_t rows() const { return rows_; }        ///< in all

  /// The K sums over all rows of body(begin, end), which is called for blocks of local rows.
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

  /// Turns sums over the local rows into sums over all rows: scalars, small matrices, gradients.
  void add_up(std::span<double> /*sums*/) const {}

 private:
  std::size_t rows_;
};

}  // namespace geodescent
