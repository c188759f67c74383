#include "peers/programs/peer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "geodescent/learn/losses.hpp"

namespace geodescent::lab {
namespace {

/// factor times 10^exponent, rounded once: 0.1 * 0.1 * 0.1 is not 0.001.
double decimal(int factor, int exponent) {
  return std::strtod(fmt::format("{}e{}", factor, exponent).c_str(), nullptr);
}

int exponent_of(double power) { return static_cast<int>(std::lround(std::log10(power))); }

}  // namespace

bool is_regression(const std::string& loss) {
  const LossInfo* const info = find_loss(loss);
  return info != nullptr && info->task == Task::regression;
}

std::vector<double> powers_of_ten(double loosest, double tightest) {
  std::vector<double> powers;
  for (int e = exponent_of(loosest); e >= exponent_of(tightest); --e) powers.push_back(decimal(1, e));
  return powers;
}

std::vector<double> half_powers_of_ten(double loosest, double tightest) {
  std::vector<double> powers;
  for (const double power : powers_of_ten(loosest, tightest)) {
    if (!powers.empty()) powers.push_back(decimal(3, exponent_of(power)));
    powers.push_back(power);
  }
  return powers;
}

}  // namespace geodescent::lab
