// Numbers over many problems, where a problem that was not solved is infinite and never dropped.
#pragma once

#include <vector>

namespace geodescent::lab {

/// The p-quantile (0 <= p <= 1), linear between the two values next to it; infinite as soon as one of them counts and
/// is infinite. NaN for no values.
double quantile(std::vector<double> values, double p);

/// A performance profile (Dolan and More, 2002): for each method the share of problems that it solves with at most
/// `ratio` times the cost of the best method.
struct Profile {
  std::vector<double> ratio;  ///< where the share rises, from 1 on
  std::vector<double> share;
};

/// costs[m][p]: method m on problem p, infinite when not solved.
std::vector<Profile> performance_profiles(const std::vector<std::vector<double>>& costs);

}  // namespace geodescent::lab
