// Accelerated gradient with adaptive restart (O'Donoghue and Candes, 2013), the function scheme, as in the paper's
// experiments: the gradient step is an exact line search, and momentum starts afresh when f has grown.
#include "methods/common.hpp"
#include "methods/momentum.hpp"

namespace geodescent {
namespace {

class AcceleratedGradientRestart final : public Method {
 public:
  explicit AcceleratedGradientRestart(const MethodSettings& s) : settings(s) {}

  void start(const Objective& objective, std::span<const double> x0) override {
    f = &objective;
    line = Line(f->dimension());
    smoothness = settings.smoothness ? settings.smoothness : objective.smoothness();
    curvature_seen = last_step = 0;
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
    // x_{k+1} = line_search(y_k, y_k - grad f(y_k)).
    f->lift(g);
    line.set(y, g);
    const double gg = line.direction_squared_norm();
    if (gg == 0) return Step::stalled;
    const LineStep down = line_minimum(*f, line, {at_y.value, gg, 0}, last_step, settings.line_tolerance);
    if (!down.finite) return Step::not_finite;
    if (down.t < 0) last_step = down.t, curvature_seen = std::max(curvature_seen, -1 / down.t);

    if (down.at.value > f_x) {
      // Restart: forget the step that led uphill and the momentum that caused it.
      y = x;
      momentum = {};
    } else {
      // y_{k+1} = x_{k+1} + beta_k (x_{k+1} - x_k).
      combine(x_next, 1, y, down.t, g);
      const double beta = momentum.next(f->strong_convexity() / smoothness.value_or(curvature_seen));
      combine(y, 1 + beta, x_next, -beta, x);
      std::swap(x, x_next);
      f_x = down.at.value;
    }
    at_y = f->gradient(y, g.x);
    if (!std::isfinite(at_y.value)) {
      // The momentum has carried y out of the domain of a user's function: restart there, too.
      y = x;
      momentum = {};
      at_y = f->gradient(y, g.x);
    }
    if (!std::isfinite(at_y.value)) return Step::not_finite;
    bounds.add(y, g.x, at_y, f->strong_convexity());
    return Step::progressed;
  }

  Iterate iterate() const override { return {&x.x, f_x, norm(g.x), bounds.value(), bounds.rounding()}; }

 private:
  MethodSettings settings;
  const Objective* f = nullptr;
  Line line;
  std::optional<double> smoothness;
  double curvature_seen = 0;  // the estimate of L: the reciprocal of the shortest exact step
  Momentum momentum;
  Point x, x_next, y, g;
  Evaluation at_y;
  double f_x = 0;
  double last_step = 0;
  BestBound bounds;
};

}  // namespace

std::unique_ptr<Method> make_accelerated_gradient_restart(const MethodSettings& settings) {
  return std::make_unique<AcceleratedGradientRestart>(settings);
}

}  // namespace geodescent
