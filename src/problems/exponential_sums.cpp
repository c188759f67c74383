// Sums of exponentials: steep on one side, flat on the other, and overflowing after a long step.
#include "problems/make_problem.hpp"

namespace geodescent::problems {
namespace {

/// sum_k c_k exp(a_k.x): a sum of monomials in logarithmic variables (geometric programming).
struct Posynomial {
  Rows exponents;
  Vector coefficients;

  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    std::ranges::fill(g, Real{0});
    Real value = 0;
    for (std::size_t k = 0; k < coefficients.size(); ++k) {
      const Real term = coefficients[k] * std::exp(product(exponents.row(k), x));
      value += term;
      add(g, term, exponents.row(k));
    }
    return value;
  }
};

/// sum a_ij exp(x_i - x_j) + (sum x_i)^2 / 2. At the minimum the row sums of the matrix a_ij
/// exp(x_i - x_j) equal its column sums. The square fixes the common shift of all x_i.
struct MatrixBalancing {
  struct Entry {
    std::size_t row, column;
    double value;
  };
  std::vector<Entry> entries;

  template <class Real>
  Real operator()(std::span<const Real> x, std::span<Real> g) const {
    Real sum = 0;
    for (const Real v : x) sum += v;
    std::ranges::fill(g, sum);
    Real value = sum * sum / 2;
    for (const Entry& a : entries) {
      const Real term = a.value * std::exp(x[a.row] - x[a.column]);
      value += term;
      g[a.row] += term;
      g[a.column] -= term;
    }
    return value;
  }
};

}  // namespace

TestProblem posynomial() {
  constexpr std::size_t n = 20, terms = 80;
  Random random(21);
  Posynomial f{make_rows(terms, n), Vector(terms)};
  for (std::size_t k = 0; k < terms; ++k) {
    f.coefficients[k] = (1 + random.uniform()) * std::ldexp(1.0, static_cast<int>(random.below(21)) - 10);
    for (std::size_t j = 0; j < n; ++j)
      if (random.below(3) == 0) f.exponents.row(k)[j] = (static_cast<double>(random.below(7)) - 3) / spread(j, n, 5);
  }
  return make_problem({.name = "posynomial",
                       .summary = "a geometric program: 80 products of powers, exponents from 3 to 1/32",
                       .start = Vector(n)},
                      std::move(f));
}

TestProblem matrix_balancing() {
  constexpr std::size_t n = 100;
  Random random(22);
  std::vector<int> imbalance(n);
  for (int& octaves : imbalance) octaves = static_cast<int>(random.below(7)) - 3;
  MatrixBalancing f;
  const auto add_entry = [&](std::size_t i, std::size_t j) {
    f.entries.push_back({i, j, (0.5 + random.uniform()) * std::ldexp(1.0, imbalance[i] - imbalance[j])});
  };
  // Neighbours are always coupled: a band, along which balance spreads slowly.
  for (std::size_t i = 0; i + 1 < n; ++i) {
    add_entry(i, i + 1);
    add_entry(i + 1, i);
    if (i + 2 < n) add_entry(i, i + 2);
  }
  return make_problem({.name = "matrix-balancing",
                       .summary = "balancing a banded matrix of order 100 with entries from 1e-2 to 1e2",
                       .start = Vector(n)},
                      std::move(f));
}

}  // namespace geodescent::problems
