// Many balls at once: the last lower models and one that stands for all before them.
#pragma once

#include <vector>

#include "geodescent/lower_model.hpp"

namespace geodescent {

class Bundle {
 public:
  Bundle() = default;
  /// Keeps up to `capacity` balls besides the enclosing one. All memory is allocated here.
  Bundle(std::size_t dimension, std::size_t image_size, double alpha, std::size_t capacity);

  /// Begins with the ball at x.
  void start(const Point& x, const Point& g, const Evaluation& e);
  /// The smallest ball around the intersection of the enclosing ball, the kept ones and the one at x, nearly: never
  /// larger than what Algorithm 1 makes of the enclosing ball and the one at x alone.
  void enclose(const Point& x, const Point& g, const Evaluation& e);

  /// The enclosing ball.
  const LowerModel& model() const { return enclosing_; }

 private:
  std::size_t keep(const Point& x, const Point& g, const Evaluation& e);
  void fill_gram(std::size_t newest);

  double alpha_ = 0;
  LowerModel enclosing_, two_;
  std::vector<LowerModel> balls_;
  std::size_t count_ = 0;
  // Item 0 is what Algorithm 1 made of the enclosing ball and the newest; item i + 1 is ball i.
  Vector gram_, intercepts_, weights_, gradient_;
};

}  // namespace geodescent
