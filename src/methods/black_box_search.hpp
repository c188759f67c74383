// The search of a function without image, where each step tried costs an evaluation: along the direction that the
// remembered gradients give (limited-memory BFGS), and towards the centre when that lies downhill.
#pragma once

#include "methods/common.hpp"
#include "methods/inverse_hessian.hpp"

namespace geodescent {

class BlackBoxSearch {
 public:
  BlackBoxSearch() = default;
  BlackBoxSearch(const Objective& f, std::size_t pairs)
      : h_(std::max<std::size_t>(1, pairs), f.dimension()),
        d_(point_of(f)),
        g_next_(f.dimension()),
        line_(f.dimension()) {}

  /// Moves x downhill, with the gradient g and f at x. False when f was not finite.
  bool along_memory(const Objective& f, Point& x, Point& g, Evaluation& at_x) {
    h_.direction(g.x, d_.x);
    line_.set(x, d_);
    const LineValue start{at_x.value, dot(g.x, d_.x), 0};
    // The first direction has no length of its own, so its line is searched for the minimum: then the run is the same
    // in all units of x and f.
    const LineStep ahead = h_.empty() ? line_minimum(f, line_, start, 0, first_tolerance)
                                      : wolfe_step(f, line_, start, 1, WolfeConditions{});
    if (!ahead.finite) return false;
    if (ahead.found)
      take(f, ahead.t, x, g, at_x);
    else
      h_.clear();  // what is remembered leads nowhere; the next search follows the gradient
    return true;
  }

  /// Moves x towards the centre of the ball, if that lies downhill: the combining step of Algorithm 2. It makes
  /// g.(x - c) <= 0, which the theorem needs; mostly that holds already, and then nothing is done.
  bool towards_centre(const Objective& f, const LowerModel& ball, Point& x, Point& g, Evaluation& at_x) {
    ball.direction_to_centre(x, d_);
    const double slope = dot(g.x, d_.x);
    if (!(slope < 0)) return true;
    line_.set(x, d_);
    const LineStep ahead = wolfe_step(f, line_, {at_x.value, slope, 0}, std::min(1.0, last_), WolfeConditions{});
    if (!ahead.finite) return false;
    if (!ahead.found) return true;
    last_ = ahead.t;
    take(f, ahead.t, x, g, at_x);
    return true;
  }

 private:
  static constexpr double first_tolerance = 0.1;

  void take(const Objective& f, double t, Point& x, Point& g, Evaluation& at_x) {
    at_x = advance(f, line_, t, x, g_next_);
    combine(h_.next_s(), t, d_.x, 0, d_.x);
    combine(h_.next_y(), 1, g_next_, -1, g.x);
    h_.remember();
    std::swap(g.x, g_next_);
  }

  InverseHessian h_{0, 0};
  Point d_;
  Vector g_next_;
  Line line_;
  double last_ = 1;
};

}  // namespace geodescent
