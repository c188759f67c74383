// Logarithmic barriers: infinite outside their domain, which a long step leaves.
#include "problems/make_problem.hpp"

namespace geodescent::problems {
namespace {

/// -sum log(b_i - a_i.x): its minimiser is the analytic centre of the polytope a_i.x <= b_i.
struct PolytopeBarrier {
  Rows a;
  Vector b;

  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    std::ranges::fill(g, Real{0});
    Real value = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const Real slack = b[i] - product(a.row(i), x);
      if (!(slack > 0)) return outside(g);
      value -= std::log(slack);
      add(g, 1 / slack, a.row(i));
    }
    return value;
  }

  /// The distance from 0 to the border of the polytope along this direction.
  double distance_to_border(const Vector& direction) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < b.size(); ++i) {
      const double slope = product<double>(a.row(i), direction);
      if (slope > 0) nearest = std::min(nearest, b[i] / slope);
    }
    return nearest;
  }
};

/// sum c_i x_i - log(1 - x_i^2) in the box |x_i| < 1. A larger c_i moves the minimum closer to the
/// border.
struct BoxBarrier {
  Vector c;

  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    Real value = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Real room = (1 - x[i]) * (1 + x[i]);
      if (!(std::abs(x[i]) < 1)) return outside(g);
      value += c[i] * x[i] - std::log(room);
      g[i] = c[i] + 2 * x[i] / room;
    }
    return value;
  }

  /// c + 2x / (1 - x^2) = 0 at x = -c / (1 + sqrt(1 + c^2)), where 1 - x^2 = 2 / (1 + sqrt(1 +
  /// c^2)).
  long double minimum() const {
    long double value = 0;
    for (const long double ci : c) {
      const long double root = 1 + std::hypot(1.0L, ci);
      value += -ci * ci / root - std::log(2 / root);
    }
    return value;
  }
};

}  // namespace

TestProblem analytic_centre() {
  constexpr std::size_t n = 40, rows = 160;
  Random random(41);
  PolytopeBarrier f{random_rows(rows, n, 8, random), Vector(rows)};
  for (double& b : f.b) b = 1 + random.uniform();
  Vector start(n);
  for (std::size_t j = 0; j < n; ++j) start[j] = random.bell() / spread(j, n, 8);
  const double almost = 0.999 * f.distance_to_border(start);
  for (double& v : start) v *= almost;
  return make_problem({.name = "analytic-centre",
                       .summary = "the centre of a thin polytope with 160 faces, from a start close to one of them",
                       .start = std::move(start)},
                      std::move(f));
}

TestProblem box_barrier() {
  constexpr std::size_t n = 100;
  BoxBarrier f{Vector(n)};
  for (std::size_t i = 0; i < n; ++i) f.c[i] = spread(i, n, 10);
  const long double minimum = f.minimum();
  return make_problem({.name = "box-barrier",
                       .summary = "a linear function in a box with a barrier: curvatures from 1 to 1e6",
                       .start = Vector(n),
                       .minimum = minimum},
                      std::move(f));
}

}  // namespace geodescent::problems
