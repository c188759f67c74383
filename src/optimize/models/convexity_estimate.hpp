// Estimate of an unknown strong convexity: the largest value that the points seen allow.
#pragma once

#include <limits>
#include <vector>

#include "geodescent/optimize/oracle.hpp"

namespace geodescent {

class ConvexityEstimate {
 public:
  /// f and its gradient at a point, as returned by the function.
  struct Sample {
    Point x, g;
    Evaluation e;
  };

  ConvexityEstimate() = default;
  /// Keeps the last `capacity` points. All memory is allocated here.
  ConvexityEstimate(std::size_t dimension, std::size_t capacity)
      : samples_(capacity, Sample{Point(dimension, 0), Point(dimension, 0), {}}) {}

  void clear();
  /// Compares the point with the kept points, and keeps it. True if the estimate has changed.
  bool add(const Point& x, const Point& g, const Evaluation& e);
  /// Used when the kept points together contradict the estimate although no pair does.
  void halve() { alpha_ /= 2; }

  /// Infinite before there are two points.
  double alpha() const { return alpha_; }
  /// The number of kept points, and point i of them, the oldest first.
  std::size_t size() const { return count_ < samples_.size() ? count_ : samples_.size(); }
  const Sample& sample(std::size_t i) const { return samples_[(count_ - size() + i) % samples_.size()]; }

 private:
  std::vector<Sample> samples_;
  std::size_t count_ = 0;
  double alpha_ = std::numeric_limits<double>::infinity();
};

}  // namespace geodescent
