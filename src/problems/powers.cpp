// Fourth powers: the curvature falls towards the minimum.
#include "problems/make_problem.hpp"

namespace geodescent::problems {
namespace {

/// sum s_i ((x_i - 1)^4 + (x_i - 1)^2 / 64).
struct Quartics {
  Vector scales;

  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    constexpr double small = 1.0 / 64;
    Real value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Real r = x[i] - 1, rr = r * r;
      value += scales[i] * rr * (rr + small);
      g[i] = scales[i] * r * (4 * rr + 2 * small);
    }
    return value;
  }
};

}  // namespace

TestProblem quartics() {
  constexpr std::size_t n = 100;
  Quartics f{Vector(n)};
  for (std::size_t i = 0; i < n; ++i) f.scales[i] = spread(i, n, 20);
  return make_problem({.name = "quartics",
                       .summary = "fourth powers and small squares, scales from 1 to 1e6",
                       .start = Vector(n, -1),
                       .minimum = 0},
                      std::move(f));
}

}  // namespace geodescent::problems
