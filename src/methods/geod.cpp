// Geometric Descent, Algorithm 2 of the paper. Its only parameter is the strong convexity alpha.
// With more than one ball it also intersects the balls of the last points, which can only shrink
// the enclosing ball.
#include "methods/geometric_method.hpp"

namespace geodescent {
namespace {

class GeometricDescent final : public GeometricMethod {
 public:
  GeometricDescent(const Geod& settings, const Purpose& purpose)
      : tolerance(settings.line_tolerance), ball_count(settings.balls), keep_dual(purpose.dual) {}

  void start(Oracle& objective, std::span<const double> x0) override {
    begin(objective, x0, ball_count, keep_dual);
    last_descent = 0;
    take(search_along_gradient());
  }

  Step step() override {
    // Combining step: x_k = line_search(x_{k-1}^+, c_{k-1}).
    if (!combining_step(tolerance)) return Step::not_finite;

    // Gradient step: x_k^+ = line_search(x_k, x_k - grad f(x_k)).
    const LineStep down = search_along_gradient();
    if (!down.finite) return Step::not_finite;

    // Ellipsoid step: the smallest ball around the intersection of B(x_k - grad f(x_k)/alpha,
    // R_A^2), B(c_{k-1}, R_B^2) and the kept balls.
    balls.enclose(x, g, at_x);
    const double f_before = f_plus;
    take(down);
    return finish(f_before);
  }

 private:
  LineStep search_along_gradient() {
    line.set(x, g);
    const LineStep down =
        line_minimum(*f, line, {at_x.value, line.direction_squared_norm(), 0}, last_descent, tolerance);
    last_descent = down.t;
    return down;
  }

  double tolerance;
  std::size_t ball_count;
  bool keep_dual;
  double last_descent = 0;  // the first step that the line search tries
};

}  // namespace

std::unique_ptr<Method> Geod::make(const Purpose& purpose) const {
  return std::make_unique<GeometricDescent>(*this, purpose);
}

}  // namespace geodescent
