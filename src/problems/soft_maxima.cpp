// Smoothed maxima: log-sum-exp functions.
#include "problems/make_problem.hpp"

namespace geodescent::problems {
namespace {

/// T log(sum_i exp((a_i.x + b_i) / T)): within T log(rows) of the largest a_i.x + b_i.
struct SoftMaximum {
  Rows a;
  Vector b;
  double temperature = 1;

  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    std::vector<Real> shares(a.count());
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = (product(a.row(i), x) + b[i]) / temperature;
    const Real value = temperature * log_sum_exp_of(std::span(shares));
    std::ranges::fill(g, Real{0});
    for (std::size_t i = 0; i < shares.size(); ++i) add(g, shares[i], a.row(i));
    return value;
  }
};

/// Entropic transport of equal masses from n sources to targets with masses b at costs c, in the
/// target potentials x: mean_i T log(sum_j exp((x_j - c_ij) / T)) - b.x. A common shift of all
/// potentials changes nothing.
struct SemiDualTransport {
  Rows costs;
  Vector masses;
  double temperature = 1;

  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    const Real sources = static_cast<Real>(costs.count());
    std::vector<Real> shares(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) g[j] = -masses[j];
    Real total = 0;
    for (std::size_t i = 0; i < costs.count(); ++i) {
      for (std::size_t j = 0; j < x.size(); ++j) shares[j] = (x[j] - costs.row(i)[j]) / temperature;
      total += log_sum_exp_of(std::span(shares));
      for (std::size_t j = 0; j < x.size(); ++j) g[j] += shares[j] / sources;
    }
    return temperature * total / sources - product(masses, x);
  }
};

/// `count` equally spaced points from -1 to 1, both included.
Vector grid(std::size_t count) {
  Vector points(count);
  for (std::size_t k = 0; k < count; ++k) points[k] = 2 * static_cast<double>(k) / static_cast<double>(count - 1) - 1;
  return points;
}

}  // namespace

TestProblem log_sum_exp() {
  constexpr std::size_t n = 60, rows = 240;
  Random random(11);
  SoftMaximum f{random_rows(rows, n, 8, random), Vector(rows)};
  for (double& b : f.b) b = 4 * random.bell();
  return make_problem({.name = "log-sum-exp",
                       .summary = "log-sum-exp of 240 affine functions, columns of sizes 1 to 256",
                       .start = Vector(n)},
                      std::move(f));
}

/// The best approximation of |t - 0.3| by a polynomial in the monomial basis, which is nearly
/// dependent.
TestProblem minimax_fit() {
  constexpr std::size_t n = 11, points = 101;
  const Vector t = grid(points);
  SoftMaximum f{make_rows(2 * points, n), Vector(2 * points), 0.01};
  for (std::size_t k = 0; k < points; ++k) {
    double power = 1;
    for (std::size_t j = 0; j < n; ++j, power *= t[k]) {
      f.a.row(2 * k)[j] = power;
      f.a.row(2 * k + 1)[j] = -power;
    }
    f.b[2 * k + 1] = std::abs(t[k] - 0.3);
    f.b[2 * k] = -f.b[2 * k + 1];
  }
  return make_problem({.name = "minimax-fit",
                       .summary = "smoothed largest error of a polynomial of degree 10, in monomials",
                       .start = Vector(n)},
                      std::move(f));
}

/// The density exp(x.(t, ..., t^8)) with the moments of a density that has two modes.
TestProblem maximum_entropy() {
  constexpr std::size_t n = 8, points = 201;
  const Vector t = grid(points);
  Vector moments(n);
  SoftMaximum f{make_rows(points, n), Vector(points)};
  double mass = 0;
  for (std::size_t k = 0; k < points; ++k) {
    const double density = 1 / (0.01 + square(t[k] + 0.5)) + 0.5 / (0.02 + square(t[k] - 0.4));
    mass += density;
    double power = t[k];
    for (std::size_t j = 0; j < n; ++j, power *= t[k]) {
      f.a.row(k)[j] = power;
      moments[j] += density * power;
    }
  }
  for (std::size_t k = 0; k < points; ++k)
    for (std::size_t j = 0; j < n; ++j) f.a.row(k)[j] -= moments[j] / mass;
  return make_problem({.name = "maximum-entropy",
                       .summary = "the density of largest entropy with eight moments given, in monomials",
                       .start = Vector(n)},
                      std::move(f));
}

TestProblem optimal_transport() {
  constexpr std::size_t sources = 128, targets = 64;
  Random random(12);
  SemiDualTransport f{make_rows(sources, targets), Vector(targets), 0.005};
  Vector x(sources), y(sources), u(targets), v(targets);
  for (Vector* coordinates : {&x, &y, &u, &v})
    for (double& place : *coordinates) place = random.uniform();
  for (std::size_t i = 0; i < sources; ++i)
    for (std::size_t j = 0; j < targets; ++j) f.costs.row(i)[j] = square(x[i] - u[j]) + square(y[i] - v[j]);
  // Masses of 1/128 and 3/128 with the exact sum 1. Otherwise f would be unbounded along the common
  // shift.
  for (std::size_t j = 0; j < targets; ++j) f.masses[j] = j % 2 == 0 ? 1.0 / 128 : 3.0 / 128;
  return make_problem({.name = "optimal-transport",
                       .summary = "entropic optimal transport (semi-dual): flat along shifts of all potentials",
                       .start = Vector(targets),
                       .singular = true},
                      std::move(f));
}

}  // namespace geodescent::problems
