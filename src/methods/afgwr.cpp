// The accelerated gradient method with adaptive restart (O'Donoghue and Candes, 2013), function
// scheme, as in the paper's experiments: the gradient step is an exact line search, and an increase
// of f resets the momentum.
#include "methods/accelerated_method.hpp"

namespace geodescent {
namespace {

class AcceleratedGradientRestart final : public AcceleratedMethod {
 public:
  explicit AcceleratedGradientRestart(const Afgwr& s) : settings(s) {}

  void start(Oracle& objective, std::span<const double> x0) override {
    smoothness = settings.smoothness ? settings.smoothness : objective.facts().smoothness;
    curvature_seen = last_step = 0;
    begin(objective, x0);
  }

  Step step() override {
    // x_{k+1} = line_search(y_k, y_k - grad f(y_k)).
    f->lift(g);
    line.set(y, g);
    const double gg = line.direction_squared_norm();
    if (gg == 0) return Step::stalled;
    const LineStep down = line_minimum(*f, line, {at_y.value, gg, 0}, last_step, settings.line_tolerance);
    if (!down.finite) return Step::not_finite;
    if (down.t == 0) return Step::stalled;
    last_step = down.t;
    curvature_seen = std::max(curvature_seen, -1 / down.t);

    if (down.at.value > f_x) {
      restart();  // f has increased: discard the step and the momentum
    } else {
      move(down.t, down.at.value, smoothness.value_or(curvature_seen));
    }
    if (evaluate()) return Step::progressed;
    restart();  // y has left the domain of a user's function
    return evaluate() ? Step::progressed : Step::not_finite;
  }

 private:
  void restart() {
    y = x;
    momentum = {};
  }

  Afgwr settings;
  std::optional<double> smoothness;
  double curvature_seen = 0;  // the estimate of L: 1 / the shortest exact step
  double last_step = 0;
};

}  // namespace

std::unique_ptr<Method> Afgwr::make(const Purpose&) const {
  return std::make_unique<AcceleratedGradientRestart>(*this);
}

}  // namespace geodescent
