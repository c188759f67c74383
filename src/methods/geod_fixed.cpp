// Geometric Descent with fixed steps: section 3 of the paper, for which Theorem 1 is stated.
#include "methods/geometric_method.hpp"

namespace geodescent {
namespace {

class GeometricDescentFixed final : public GeometricMethod {
 public:
  GeometricDescentFixed(const GeodFixed& s, const Purpose& purpose) : settings(s), keep_dual(purpose.dual) {}

  void start(Oracle& objective, std::span<const double> x0) override {
    smoothness = Smoothness(objective, settings.smoothness);
    begin(objective, x0, 1, keep_dual);
    take(step_along_gradient());
  }

  Step step() override {
    // x_{k+1} = line_search(c_k, x_k^+).
    if (!combining_step(settings.line_tolerance)) return Step::not_finite;

    // x_{k+1}^+ = x_{k+1} - grad f(x_{k+1})/beta.
    const LineStep down = step_along_gradient();
    if (!down.finite) return Step::not_finite;

    // c_{k+1}: Lemma 1 on B(c_k, .) and B(x_{k+1}^{++}, .). The radii of the paper use the
    // guaranteed decrease
    // g|^2/(2 beta) of a step. These use the actual decrease, so they are never larger.
    balls.enclose(x, g, at_x);
    const double f_before = f_plus;
    take(down);
    return finish(f_before);
  }

 private:
  LineStep step_along_gradient() {
    line.set(x, g);
    return smoothness.gradient_step(*f, line, at_x, line.direction_squared_norm());
  }

  GeodFixed settings;
  bool keep_dual;
  Smoothness smoothness;
};

}  // namespace

std::unique_ptr<Method> GeodFixed::make(const Purpose& purpose) const {
  return std::make_unique<GeometricDescentFixed>(*this, purpose);
}

}  // namespace geodescent
