// Problems with few variables.
#include "problems/make_problem.hpp"

namespace geodescent::problems {
namespace {

/// sqrt(1 + (1000 (x - y))^2) + cosh(x + y - 2): linear across the valley except near its floor,
/// exponential along it.
struct Valley {
  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    constexpr int steepness = 1000;
    const Real across = steepness * (x[0] - x[1]), along = x[0] + x[1] - 2;
    const Real height = std::hypot(Real{1}, across);
    const Real slope_across = steepness * across / height, slope_along = std::sinh(along);
    g[0] = slope_along + slope_across;
    g[1] = slope_along - slope_across;
    return height + std::cosh(along);
  }
};

/// (x1 + 10 x2)^2 + 5 (x3 - x4)^2 + (x2 - 2 x3)^4 + 10 (x1 - x4)^4: two directions have no
/// curvature at the minimum.
struct PowellSingular {
  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    const Real a = x[0] + 10 * x[1], b = x[2] - x[3], c = x[1] - 2 * x[2], d = x[0] - x[3];
    const Real cubed_c = c * c * c, cubed_d = d * d * d;
    g[0] = 2 * a + 40 * cubed_d;
    g[1] = 20 * a + 4 * cubed_c;
    g[2] = 10 * b - 8 * cubed_c;
    g[3] = -10 * b - 40 * cubed_d;
    return a * a + 5 * b * b + c * cubed_c + 10 * d * cubed_d;
  }
};

}  // namespace

TestProblem valley() {
  return make_problem(
      {.name = "valley", .summary = "a narrow valley between walls of slope 1000", .start = {-3, 4}, .minimum = 2},
      Valley{});
}

TestProblem powell_singular() {
  return make_problem({.name = "powell-singular",
                       .summary = "Powell's singular function: two directions without curvature",
                       .start = {3, -1, 0, 1},
                       .singular = true,
                       .minimum = 0},
                      PowellSingular{});
}

}  // namespace geodescent::problems
