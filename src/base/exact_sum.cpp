// Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates",
// 1997. A sum is stored as several doubles that do not overlap, so no digit is lost before the end.
#include "base/exact_sum.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace geodescent {
namespace {

struct Parts {
  double sum;   ///< rounded
  double lost;  ///< the rounding error, exact
};

Parts add(double a, double b) {
  const double sum = a + b, added = sum - a;
  return {sum, (a - (sum - added)) + (b - added)};
}

/// Adds `number` to the parts. Parts that are 0 are removed; the smallest part comes first.
void add_to(std::vector<double>& parts, double number) {
  std::size_t kept = 0;
  for (const double part : parts) {
    const Parts both = add(number, part);
    if (both.lost != 0) parts[kept++] = both.lost;
    number = both.sum;
  }
  parts.resize(kept);
  parts.push_back(number);
}

}  // namespace

std::vector<double> exact_parts(std::span<const double> numbers) {
  std::vector<double> parts{0};
  for (const double number : numbers) add_to(parts, number);
  return parts;
}

double exact_sum(std::span<const double> numbers) {
  const std::vector<double> parts = exact_parts(numbers);
  double sum = parts.back();
  if (!std::isfinite(sum)) return sum;
  std::size_t left = parts.size() - 1;
  double lost = 0;
  while (left > 0 && lost == 0) {
    const Parts both = add(sum, parts[--left]);
    sum = both.sum;
    lost = both.lost;
  }
  // The rest may be a tie of half a unit in the last place, which was rounded to even. The parts
  // below it then decide the direction.
  if (left > 0 && (lost > 0) == (parts[left - 1] > 0)) {
    const double next = sum + 2 * lost;
    if (next - sum == 2 * lost) sum = next;
  }
  return sum;
}

}  // namespace geodescent
