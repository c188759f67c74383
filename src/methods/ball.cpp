// The suboptimal method of section 2.1: one ball, intersected in each iteration with the ball of
// the gradient at its centre. Rate 1 - 1/kappa.
//
//   paper     here
//   x_k, R_k  x, radius2 (R_k^2)
//   x_k^+     x_plus
#include "methods/common.hpp"

namespace geodescent {
namespace {

class SuboptimalBall final : public Method {
 public:
  explicit SuboptimalBall(const BallMethod& s) : settings(s) {}

  void start(Oracle& objective, std::span<const double> x0) override {
    f = &objective;
    alpha = known_strong_convexity(*f);
    smoothness = Smoothness(objective, settings.smoothness);
    line = Line(f->dimension());
    x = lifted(*f, x0);
    g = x_plus = point_of(*f);
    at_x = f->gradient(x, g.x);
    bounds = {};
    bounds.add(x, g.x, at_x, alpha);
    smallest_rounding = bounds.rounding();
    offered = {&x.x, at_x.value};
    radius2 = squared_norm(g.x) / (alpha * alpha);  // strong convexity: alpha |x - x*| <= |grad f(x)|
  }

  Step step() override {
    // The step x^+ shrinks the ball around x^{++} = x - g/alpha to
    //   R_A^2 = |g|^2/alpha^2 - (2/alpha) (f(x) - f(x^+)) <= |g|^2/alpha^2 (1 - 1/kappa).
    f->lift(g);
    line.set(x, g);
    const double gg = line.direction_squared_norm();
    if (gg == 0) return Step::stalled;
    const LineStep down = smoothness.gradient_step(*f, line, at_x, gg);
    if (!down.finite) return Step::not_finite;
    combine(x_plus, 1, x, down.t, g);
    offered = {&x_plus.x, down.at.value};

    // x_{k+1} = T(x_k): Algorithm 1 on B(x_k, R_k^2) and B(x_k^{++}, R_A^2). With d2 = |x^{++} -
    // x|^2 the difference R_A^2 - d2 is -2/alpha times the decrease of f, so nothing cancels.
    const double d2 = gg / (alpha * alpha);
    const double decrease = 2 / alpha * (at_x.value - down.at.value);
    const double towards = std::min(1.0, (radius2 + decrease) / (2 * d2));
    const double old_radius2 = radius2;
    radius2 = towards < 1 ? radius2 - towards * towards * d2 : d2 - decrease;
    at_x = advance(*f, line, -towards / alpha, x, g.x);
    if (!std::isfinite(at_x.value)) return Step::not_finite;
    bounds.add(x, g.x, at_x, alpha);
    smallest_rounding = std::min(smallest_rounding, bounds.rounding());
    return radius2 < old_radius2 ? Step::progressed : Step::stalled;
  }

  Iterate iterate() const override {
    return {offered.x, offered.value, norm(g.x), bounds.value(), smallest_rounding, 0, bounds.dual()};
  }

  std::optional<Ball> ball() const override { return Ball{x.x, radius2}; }

 private:
  struct Offer {
    const Vector* x = nullptr;
    double value = 0;
  };

  BallMethod settings;
  Oracle* f = nullptr;
  double alpha = 0;
  Smoothness smoothness;
  Line line;
  Point x, g, x_plus;
  Evaluation at_x;
  BestBound bounds;
  Offer offered;
  double radius2 = 0;
  // Centres may lie far from the returned points. Rounding there does not limit what the run can
  // reach.
  double smallest_rounding = 0;
};

}  // namespace

std::unique_ptr<Method> BallMethod::make(const Purpose&) const { return std::make_unique<SuboptimalBall>(*this); }

}  // namespace geodescent
