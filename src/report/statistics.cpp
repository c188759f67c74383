#include "report/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace geodescent::lab {

double quantile(std::vector<double> values, double p) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const double place = p * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const double weight = place - std::floor(place);
  if (weight == 0) return values[below];
  return (1 - weight) * values[below] + weight * values[below + 1];
}

std::vector<Profile> performance_profiles(const std::vector<std::vector<double>>& costs) {
  const std::size_t problems = costs.empty() ? 0 : costs.front().size();
  std::vector<std::vector<double>> ratios(costs.size());
  for (std::size_t p = 0; p < problems; ++p) {
    double best = std::numeric_limits<double>::infinity();
    for (const auto& of_method : costs) best = std::min(best, of_method[p]);
    if (!std::isfinite(best)) continue;  // solved by no method: it lowers the share of all
    for (std::size_t m = 0; m < costs.size(); ++m)
      if (costs[m][p] == best)
        ratios[m].push_back(1);
      else if (best > 0 && std::isfinite(costs[m][p]))  // a ratio to 0 is undefined
        ratios[m].push_back(costs[m][p] / best);
  }
  std::vector<Profile> profiles(costs.size());
  for (std::size_t m = 0; m < costs.size(); ++m) {
    std::vector<double>& r = ratios[m];
    std::sort(r.begin(), r.end());
    if (r.empty() || r.front() > 1) {
      profiles[m].ratio.push_back(1);
      profiles[m].share.push_back(0);
    }
    for (std::size_t k = 0; k < r.size(); ++k) {
      if (k + 1 < r.size() && r[k + 1] == r[k]) continue;
      profiles[m].ratio.push_back(r[k]);
      profiles[m].share.push_back(static_cast<double>(k + 1) / static_cast<double>(problems));
    }
  }
  return profiles;
}

}  // namespace geodescent::lab
