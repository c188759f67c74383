// Statistics over many problems. An unsolved problem counts as infinite and is never dropped.
#pragma once

#include <vector>

namespace geodescent::lab {

/// The p-quantile (0 <= p <= 1), interpolated linearly between its two neighbours. Infinite if a
/// neighbour with positive weight is. NaN for no values.
double quantile(std::vector<double> values, double p);

/// A performance profile (Dolan and More, 2002): for each method the share of problems that it
/// solves with at most `ratio` times the cost of the best method.
struct Profile {
  std::vector<double> ratio;  ///< the ratios at which the share rises, from 1 on
  std::vector<double> share;
};

/// costs[m][p] is the cost of method m on problem p; infinite if not solved.
std::vector<Profile> performance_profiles(const std::vector<std::vector<double>>& costs);

}  // namespace geodescent::lab
