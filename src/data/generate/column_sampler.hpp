// Which columns a synthetic row has. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/generate/random.hpp"

namespace geodescent {

/// Sets of distinct columns, on average density * columns of them, where column frequencies follow a power law over
/// shuffled columns.
class ColumnSampler {
 public:
  ColumnSampler(std::size_t columns, double density, double power_law, Random& random);

  /// Puts the columns of the next row into `chosen`, increasing. Cost: proportional to their number (times its
  /// logarithm).
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
  // A coin for every column: for rows that have a large part of the columns.
  std::vector<float> probabilities_;
  // Repeated draws of one column: for rows that have a small part of them.
  std::vector<double> cumulative_;    ///< sums of the frequencies
  std::vector<std::uint32_t> guide_;  ///< guide_[i]: the first column whose sum exceeds i / columns of the total
  std::vector<std::uint32_t> marks_;  ///< the last row that took the column
  std::uint32_t row_ = 0;
};

}  // namespace geodescent
