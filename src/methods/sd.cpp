// Steepest descent: x_{k+1} = line_search(x_k, x_k - grad f(x_k)).
#include "methods/common.hpp"

namespace geodescent {
namespace {

class SteepestDescent final : public Method {
 public:
  explicit SteepestDescent(const Sd& settings) : tolerance(settings.line_tolerance) {}

  void start(Oracle& objective, std::span<const double> x0) override {
    f = &objective;
    line = Line(f->dimension());
    x = lifted(*f, x0);
    g = point_of(*f);
    at_x = f->gradient(x, g.x);
    bounds = {};
    last_step = 0;
    bounds.add(x, g.x, at_x, f->strong_convexity());
  }

  Step step() override {
    f->lift(g);
    line.set(x, g);
    const LineStep down = line_minimum(*f, line, {at_x.value, line.direction_squared_norm(), 0}, last_step, tolerance);
    if (!down.finite) return Step::not_finite;
    last_step = down.t;
    const double f_before = at_x.value, bound_before = bounds.value();
    at_x = advance(*f, line, down.t, x, g.x);
    bounds.add(x, g.x, at_x, f->strong_convexity());
    return at_x.value < f_before || bounds.value() > bound_before ? Step::progressed : Step::stalled;
  }

  Iterate iterate() const override {
    return {&x.x, at_x.value, norm(g.x), bounds.value(), bounds.rounding(), 0, bounds.dual()};
  }

 private:
  double tolerance;
  Oracle* f = nullptr;
  Line line;
  Point x, g;
  Evaluation at_x;
  BestBound bounds;
  double last_step = 0;
};

}  // namespace

std::unique_ptr<Method> Sd::make(const Purpose&) const { return std::make_unique<SteepestDescent>(*this); }

}  // namespace geodescent
