// Notation and state that the two versions of Geometric Descent share.
//
//   paper               here
//   x_k, x_k^+          x, x_plus
//   f(x_k), f(x_k^+)    at_x.value, f_plus
//   grad f(x_k)         g            a lifted point, with its image
//   B(c_k, R_k^2)       balls        c_k is the centre of its model, R_k^2 = (2/alpha) (f(x_k^+) - its minimum)
//
// The ball of the paper shrinks whenever f(x^+) decreases. A lower model does not contain f(x^+),
// so it needs no update for R_B^2 = R_{k-1}^2 - (2/alpha) (f(x_{k-1}^+) - f(x_k^+)).
#pragma once

#include "methods/common.hpp"
#include "optimize/models/bundle.hpp"

namespace geodescent {

class GeometricMethod : public Method {
 public:
  Iterate iterate() const final {
    const double rounding = balls.model().error() + at_x.value_error;
    // The start is reported as given; x_0^+ is reported with the first iteration.
    if (iterations == 0) return {&x.x, at_x.value, norm(g.x), bound, rounding, 0, dual()};
    return {&x_plus.x, f_plus, norm(g.x), bound, rounding, 0, dual()};
  }

  std::optional<Ball> ball() const final {
    return Ball{balls.model().centre(), 2 / f->strong_convexity() * (f_plus - balls.model().minimum())};
  }

 protected:
  /// x_0, its gradient and c_0 = x_0 - grad f(x_0)/alpha. `ball_count` balls are intersected with
  /// the enclosing one.
  void begin(Oracle& objective, std::span<const double> x0, std::size_t ball_count, bool keep_dual) {
    f = &objective;
    line = Line(f->dimension());
    x = lifted(*f, x0);
    x_plus = x;
    g = to_centre = point_of(*f);
    at_x = f->gradient(x, g.x);
    // At most dimension + 1 balls are ever needed at once.
    balls =
        Bundle(f->dimension(), f->image_size(), known_strong_convexity(*f), std::min(f->dimension() + 1, ball_count),
               keep_dual && !at_x.dual.empty(), {}, Bundle::Images::with_point);
    f->lift(g);
    f_plus = at_x.value;
    balls.enclose(x, g, at_x);
    bound = balls.model().lower_bound();
    last_combining = 0;
    iterations = 0;
  }

  /// x_k = line_search(x_{k-1}^+, c_{k-1}) and its lifted gradient. Returns false if f is not
  /// finite there.
  bool combining_step(double tolerance) {
    // The search is limited to the segment from x^+ to c. Theorem 1 needs f(x_k) <= f(x_{k-1}^+)
    // and grad f(x_k).(x_k - c_{k-1}) <= 0, which hold there. A convex combination cannot amplify
    // the rounding of images. If x^+ and c agree up to rounding, their difference is noise, and a
    // long step along it would separate x from its image (docs/decisions/method/combining-step.md).
    balls.model().direction_to_centre(x_plus, to_centre);
    line.set(x_plus, to_centre);
    const LineStep step = line_minimum(*f, line, f->on(line, 0), last_combining, tolerance);
    if (!step.finite) return false;
    last_combining = std::clamp(step.t, 0.0, 1.0);
    at_x = advance(*f, line, last_combining, x, g.x);
    f->lift(g);
    return true;
  }

  /// Takes x_k^+ if f is lower there than at x_{k-1}^+. Only rounding can prevent that.
  void take(const LineStep& down) {
    if (!down.found || !(down.at.value < f_plus)) return;
    combine(x_plus, 1, x, down.t, g);
    f_plus = down.at.value;
  }

  /// Ends an iteration. Whether the value or the bound improved.
  Step finish(double old_f_plus) {
    ++iterations;
    const double old_bound = bound;
    bound = std::max(bound, balls.model().lower_bound());
    return f_plus < old_f_plus || bound > old_bound ? Step::progressed : Step::stalled;
  }

  Oracle* f = nullptr;
  Line line;
  Point x, g, x_plus, to_centre;
  Evaluation at_x;
  double f_plus = 0;
  Bundle balls;
  double bound = 0;  // the best minimum of a model so far, minus its rounding

 private:
  std::span<const double> dual() const {
    return balls.model().lower_bound() >= bound ? balls.model().dual() : std::span<const double>{};
  }

  double last_combining = 0;
  std::size_t iterations = 0;
};

}  // namespace geodescent
