// Helpers that define test problems. Internal to the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "data/generate/random.hpp"
#include "geodescent/optimize/test_problems.hpp"

namespace geodescent::problems {

/// A function is written once for every number type: Real operator()(span<const Real> x, span<Real>
/// g) const.
template <class Function>
TestProblem make_problem(TestProblem problem, Function function) {
  const auto f = std::make_shared<const Function>(std::move(function));
  problem.evaluate = [f](std::span<const double> x, std::span<double> g) { return (*f)(x, g); };
  problem.evaluate_precisely = [f](std::span<const long double> x, std::span<long double> g) { return (*f)(x, g); };
  return problem;
}

template <class Real>
Real square(Real v) {
  return v * v;
}

/// The value and gradient of f outside its domain.
template <class Real>
Real outside(std::span<Real> g) {
  std::ranges::fill(g, std::numeric_limits<Real>::quiet_NaN());
  return std::numeric_limits<Real>::infinity();
}

/// From 1 to 2^octaves as i goes from 0 to count - 1. Always a power of two, so it is exact.
inline double spread(std::size_t i, std::size_t count, int octaves) {
  return std::ldexp(1.0, static_cast<int>(i * static_cast<std::size_t>(octaves) / (count - 1)));
}

/// A matrix, row by row.
struct Rows {
  std::size_t columns = 0;
  Vector entries = {};

  std::size_t count() const { return entries.size() / columns; }
  std::span<const double> row(std::size_t i) const { return std::span(entries).subspan(i * columns, columns); }
  std::span<double> row(std::size_t i) { return std::span(entries).subspan(i * columns, columns); }
};

inline Rows make_rows(std::size_t count, std::size_t columns) { return {columns, Vector(count * columns)}; }

/// Random entries, of size 1 in the first column and up to 2^octaves in the last.
inline Rows random_rows(std::size_t count, std::size_t columns, int octaves, Random& random) {
  Rows rows = make_rows(count, columns);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < columns; ++j) rows.row(i)[j] = random.bell() * spread(j, columns, octaves);
  return rows;
}

template <class Real>
Real product(std::span<const double> a, std::span<const Real> x) {
  Real sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += a[j] * x[j];
  return sum;
}

/// g += weight a.
template <class Real>
void add(std::span<Real> g, Real weight, std::span<const double> a) {
  for (std::size_t j = 0; j < g.size(); ++j) g[j] += weight * a[j];
}

/// log(sum exp(terms)) without overflow. Replaces each term by its share of the sum.
template <class Real>
Real log_sum_exp_of(std::span<Real> terms) {
  const Real largest = *std::ranges::max_element(terms);
  Real sum = 0;
  for (Real& term : terms) sum += term = std::exp(term - largest);
  for (Real& term : terms) term /= sum;
  return largest + std::log(sum);
}

}  // namespace geodescent::problems
