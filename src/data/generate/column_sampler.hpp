// Samples the columns of a synthetic row. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/generate/random.hpp"

namespace geodescent {

/// Random sets of distinct columns, with density * columns of them on average. Column frequencies
/// follow a power law in shuffled order.
class ColumnSampler {
 public:
  ColumnSampler(std::size_t columns, double density, double power_law, Random& random);

  /// Replaces `chosen` by the columns of the next row, in increasing order. Cost: O(k log k) for k
  /// columns.
  void sample(Random& random, std::vector<std::uint32_t>& chosen);

 private:
  void prepare_probabilities(std::vector<float> frequencies);
  void prepare_draws(const std::vector<float>& frequencies);
  void sample_each(Random& random, std::vector<std::uint32_t>& chosen) const;
  void sample_some(Random& random, std::vector<std::uint32_t>& chosen);
  std::uint32_t draw(Random& random) const;
  void take(std::uint32_t column, std::vector<std::uint32_t>& chosen);

  std::size_t columns_;
  double mean_count_;
  // One draw per column: for dense rows.
  std::vector<float> probabilities_;
  // Repeated draws of one column: for sparse rows.
  std::vector<double> cumulative_;    ///< sums of the frequencies
  std::vector<std::uint32_t> guide_;  ///< guide_[i]: the first column whose sum exceeds i / columns of the total
  std::vector<std::uint32_t> marks_;  ///< the last row that contains the column
  std::uint32_t row_ = 0;
};

}  // namespace geodescent
