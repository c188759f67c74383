// Watches searches that Theorem 1 does not cover: they must halve the gap from time to time.
#pragma once

#include <cstddef>
#include <limits>

namespace geodescent {

class Guard {
 public:
  Guard() = default;
  explicit Guard(std::size_t iteration) : halved_(iteration) {}

  /// Whether the gap was halved during the last `patience` iterations.
  bool is_content(double gap, std::size_t iteration) {
    if (gap <= gap_to_halve_ / 2) {
      gap_to_halve_ = gap;
      halved_ = iteration;
    }
    return iteration - halved_ <= patience;
  }
  /// Restarts the wait, after a remedy.
  void wait_from(std::size_t iteration) { halved_ = iteration; }

 private:
  static constexpr std::size_t patience = 30;  // iterations

  std::size_t halved_ = 0;
  double gap_to_halve_ = std::numeric_limits<double>::infinity();
};

}  // namespace geodescent
