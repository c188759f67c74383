#include "support/reference/newton.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <stdexcept>

namespace geodescent::testing {
namespace {

using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

Eigen::Map<const Matrix> view(const RealMatrix& symmetric) {
  const auto n = static_cast<Eigen::Index>(symmetric.rows);
  return {symmetric.entries.data(), n, n};
}

Column eigenvalues(const RealMatrix& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(view(symmetric), Eigen::EigenvaluesOnly).eigenvalues();
}

RealVector newton_direction(const Sample& s) {
  const Eigen::Map<const Column> g(s.gradient.data(), static_cast<Eigen::Index>(s.gradient.size()));
  const Column d = -view(s.hessian).llt().solve(g);
  return {d.begin(), d.end()};
}

/// The t where f'(t) along x + t d changes its sign, by bisection, which is safe because f is
/// convex.
Real line_root(const SmoothFunction& f, const RealVector& x, const RealVector& d) {
  const auto slope = [&](Real t) { return real_dot(f.at(along(x, t, d)).gradient, d); };
  Real low = 0, high = 1;
  while (slope(high) < 0) low = high, high *= 2;
  for (int i = 0; i < 40; ++i) {
    const Real middle = (low + high) / 2;
    (slope(middle) < 0 ? low : high) = middle;
  }
  return low > 0 ? low : high;
}

}  // namespace

Optimum newton(const SmoothFunction& f) {
  constexpr Real precision = 1e-20L;
  RealVector x(f.dimension);
  for (int k = 0; k < 500; ++k) {
    const Sample s = f.at(x);
    const Real gap = squared_length(s.gradient) / (2 * f.alpha);
    if (gap <= precision * std::abs(s.value) || gap <= 1e-40L) return {x, s.value, s.value - gap};
    const RealVector d = newton_direction(s);
    const Real slope_at_full_step = real_dot(f.at(along(x, 1, d)).gradient, d);
    const bool good = std::abs(slope_at_full_step) <= 0.1L * std::abs(real_dot(s.gradient, d));
    x = along(x, good ? 1 : line_root(f, x, d), d);
  }
  throw std::runtime_error("the Newton oracle did not converge");
}

Real largest_eigenvalue(const RealMatrix& symmetric) { return eigenvalues(symmetric).maxCoeff(); }
Real smallest_eigenvalue(const RealMatrix& symmetric) { return eigenvalues(symmetric).minCoeff(); }

}  // namespace geodescent::testing
