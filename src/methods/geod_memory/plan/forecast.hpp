// Prediction of the remaining iterations of a search from the decrease of the gap.
//
// It uses values and counts, never a clock, so that a run has the same bits on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace geodescent {

class Forecast {
 public:
  /// Records the gap after this many iterations.
  void see(double gap, double iterations) { seen_[count_++ % seen_.size()] = {iterations, log2_of(gap)}; }

  /// Iterations from the last recorded gap to `goal`, at the average rate of the second half of the
  /// record.
  double iterations_to(double goal) const {
    if (count_ < 2) return std::numeric_limits<double>::infinity();
    const std::size_t back = std::clamp<std::size_t>(count_ / 2, 1, seen_.size() - 1);
    const Seen &last = seen_[(count_ - 1) % seen_.size()], &before = seen_[(count_ - 1 - back) % seen_.size()];
    const double fallen = before.log_gap - last.log_gap, missing = last.log_gap - log2_of(goal);
    if (missing <= 0) return 0;
    return fallen > 0 ? missing * (last.iterations - before.iterations) / fallen
                      : std::numeric_limits<double>::infinity();
  }

  /// The binary logarithm, linear between powers of two. Exact logarithms of C libraries differ in
  /// the last digit.
  static double log2_of(double x) {
    int exponent = 0;
    const double mantissa = std::frexp(std::max(x, std::numeric_limits<double>::min()), &exponent);
    return exponent + 2 * mantissa - 2;
  }

 private:
  struct Seen {
    double iterations, log_gap;
  };

  std::array<Seen, 64> seen_{};
  std::size_t count_ = 0;
};

}  // namespace geodescent
