// Searches along single lines: that of limited-memory BFGS, and the two of Algorithm 2. Of all that is remembered only
// vectors are needed and no images: one lift and one gradient each, rarely two. Each moves x downhill and keeps the
// gradient g and f at x; each returns false when f was not finite.
#pragma once

#include "methods/common.hpp"
#include "methods/inverse_hessian.hpp"

namespace geodescent {

class QuasiNewtonSearch {
 public:
  QuasiNewtonSearch() = default;
  /// All memory is allocated here.
  QuasiNewtonSearch(Oracle& f, std::size_t pairs, double line_tolerance)
      : h_(std::max<std::size_t>(1, pairs), Vector(f.dimension())),
        d_(point_of(f)),
        g_next_(f.dimension()),
        line_(f.dimension()),
        line_tolerance_(line_tolerance) {}

  /// Along the direction that the remembered gradients give (limited-memory BFGS).
  bool along_memory(Oracle& f, Point& x, Point& g, Evaluation& at_x) {
    if (h_.empty()) return along_first_gradient(f, x, g, at_x);
    h_.direction(g.x, d_.x);
    f.lift(d_);
    line_.set(x, d_);
    const LineValue start{at_x.value, dot(g.x, d_.x), 0};
    const LineStep ahead = wolfe_step(f, line_, start, 1, WolfeConditions{});
    if (ahead.found) return f.image_size() > 0 ? take_beside(f, ahead, start, x, g, at_x) : take(f, ahead, x, g, at_x);
    h_.clear();  // what is remembered leads nowhere
    return along_gradient(f, x, g, at_x);
  }

  // The two searches of Algorithm 2.

  bool along_gradient(Oracle& f, Point& x, Point& g, Evaluation& at_x) {
    combine(d_.x, -1, g.x, 0, g.x);
    return take(f, minimum(f, x, g, at_x), x, g, at_x);
  }

  bool towards_centre(Oracle& f, const LowerModel& ball, Point& x, Point& g, Evaluation& at_x) {
    ball.direction_to_centre(x.x, d_.x);
    // Between x and c, as in geod: beyond, where the two agree up to rounding, the search would follow noise.
    if (!(dot(g.x, d_.x) < 0)) return true;
    LineStep ahead = minimum(f, x, g, at_x);
    ahead.t = std::min(ahead.t, 1.0);
    return take(f, ahead, x, g, at_x);
  }

 private:
  static constexpr double part_of_first_line = 0.3;

  /// The first direction has no length of its own, so its line is searched for the minimum: then the run is the same in
  /// all units of x and f. But on all the way there the curvature of a loss may change by orders of magnitude. Where
  /// evaluations are cheap, only a part of it is gone: the first pair shall tell of the curvature near the start.
  bool along_first_gradient(Oracle& f, Point& x, Point& g, Evaluation& at_x) {
    combine(d_.x, -1, g.x, 0, g.x);
    LineStep ahead = minimum(f, x, g, at_x);
    if (f.image_size() > 0) ahead.t *= part_of_first_line;
    return take(f, ahead, x, g, at_x);
  }

  /// Not the step that the search has found, but where the slope would vanish if it changed evenly on the way: it saves
  /// a quarter of the iterations (docs/method.md), and the line is not looked at again, since the gradient is wanted
  /// anyway. Where f has not fallen there, back to what was found: among kinks once in 200 iterations, on smooth losses
  /// hardly ever. That costs a gradient more.
  bool take_beside(Oracle& f, const LineStep& found, const LineValue& start, Point& x, Point& g, Evaluation& at_x) {
    const double even = start.slope / (start.slope - found.at.slope);
    const double t = found.t * (even > 0 ? std::clamp(even, 0.1, 10.0) : 1);
    at_x = advance(f, line_, t, x, g_next_);
    const bool falls = t == found.t || at_x.value <= start.value + WolfeConditions{}.c1 * t * start.slope;
    if (!falls) {
      line_.set(x, d_);
      at_x = advance(f, line_, found.t - t, x, g_next_);
    }
    learn(falls ? t : found.t, g);
    return true;
  }

  LineStep minimum(Oracle& f, const Point& x, const Point& g, const Evaluation& at_x) {
    f.lift(d_);
    line_.set(x, d_);
    return line_minimum(f, line_, {at_x.value, dot(g.x, d_.x), 0}, 1, line_tolerance_);
  }

  bool take(Oracle& f, const LineStep& ahead, Point& x, Point& g, Evaluation& at_x) {
    if (!ahead.finite || !ahead.found) return ahead.finite;
    at_x = advance(f, line_, ahead.t, x, g_next_);
    learn(ahead.t, g);
    return true;
  }

  /// x is t along the line from where it was, and g_next_ is the gradient there.
  void learn(double t, Point& g) {
    combine(h_.next_s(), t, d_.x, 0, d_.x);
    combine(h_.next_y(), 1, g_next_, -1, g.x);
    h_.remember();
    std::swap(g.x, g_next_);
  }

  InverseHessian<Vector> h_;
  Point d_;
  Vector g_next_;
  Line line_;
  double line_tolerance_ = 0;
};

}  // namespace geodescent
