// Nesterov's accelerated full gradient method, constant step scheme II.
//
//   x_{k+1} = y_k - grad f(y_k)/L,    y_{k+1} = x_{k+1} + beta_k (x_{k+1} - x_k)
#include "methods/common.hpp"
#include "methods/momentum.hpp"

namespace geodescent {
namespace {

class AcceleratedGradient final : public Method {
 public:
  explicit AcceleratedGradient(const MethodSettings& s) : settings(s) {}

  void start(const Objective& objective, std::span<const double> x0) override {
    f = &objective;
    line = Line(f->dimension());
    smoothness = Smoothness(objective, settings);
    momentum = {};
    y = lifted(*f, x0);
    x = x_next = y;
    g = point_of(*f);
    at_y = f->gradient(y, g.x);
    f_x = at_y.value;
    bounds = {};
    bounds.add(y, g.x, at_y, f->strong_convexity());
  }

  Step step() override {
    // x_{k+1} = y_k - grad f(y_k)/L.
    f->lift(g);
    line.set(y, g);
    const LineStep down = smoothness.gradient_step(*f, line, at_y, line.direction_squared_norm());
    if (!down.finite) return Step::not_finite;
    combine(x_next, 1, y, down.t, g);

    // y_{k+1} = x_{k+1} + beta_k (x_{k+1} - x_k).
    const double beta = momentum.next(f->strong_convexity() / smoothness.beta());
    combine(y, 1 + beta, x_next, -beta, x);
    std::swap(x, x_next);
    f_x = down.at.value;

    at_y = f->gradient(y, g.x);
    if (!std::isfinite(at_y.value)) return Step::not_finite;
    bounds.add(y, g.x, at_y, f->strong_convexity());
    return Step::progressed;
  }

  Iterate iterate() const override { return {&x.x, f_x, norm(g.x), bounds.value(), bounds.rounding()}; }

 private:
  MethodSettings settings;
  const Objective* f = nullptr;
  Line line;
  Smoothness smoothness;
  Momentum momentum;
  Point x, x_next, y, g;
  Evaluation at_y;
  double f_x = 0;
  BestBound bounds;
};

}  // namespace

std::unique_ptr<Method> make_accelerated_gradient(const MethodSettings& settings) {
  return std::make_unique<AcceleratedGradient>(settings);
}

}  // namespace geodescent
