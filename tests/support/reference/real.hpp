// Vectors and matrices of the reference, in long double. The .cpp files use Eigen for linear
// algebra.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "geodescent/vector.hpp"

namespace geodescent::testing {

using Real = long double;
static_assert(std::numeric_limits<Real>::digits >= 64, "the oracle must be more precise than the library");

using RealVector = std::vector<Real>;

/// A matrix, stored row by row.
struct RealMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<Real> entries;

  RealMatrix() = default;
  RealMatrix(std::size_t r, std::size_t c) : rows(r), columns(c), entries(r * c) {}
  Real& operator()(std::size_t i, std::size_t j) { return entries[i * columns + j]; }
  Real operator()(std::size_t i, std::size_t j) const { return entries[i * columns + j]; }
};

inline RealVector real(std::span<const double> v) { return {v.begin(), v.end()}; }

inline Vector rounded(const RealVector& v) {
  Vector r;
  for (const Real e : v) r.push_back(static_cast<double>(e));
  return r;
}

inline Real real_dot(std::span<const Real> a, std::span<const Real> b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

inline Real squared_length(std::span<const Real> a) { return real_dot(a, a); }

/// |a - b|^2.
inline Real squared_distance(const RealVector& a, const RealVector& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// a + t d.
inline RealVector along(const RealVector& a, Real t, const RealVector& d) {
  RealVector r = a;
  for (std::size_t i = 0; i < a.size(); ++i) r[i] += t * d[i];
  return r;
}

/// M x.
inline RealVector times(const RealMatrix& m, const RealVector& x) {
  RealVector r(m.rows);
  for (std::size_t i = 0; i < m.rows; ++i) r[i] = real_dot(std::span(m.entries).subspan(i * m.columns, m.columns), x);
  return r;
}

/// M'x.
inline RealVector transposed_times(const RealMatrix& m, const RealVector& x) {
  RealVector r(m.columns);
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t j = 0; j < m.columns; ++j) r[j] += m(i, j) * x[i];
  return r;
}

/// M' diag(w) M.
inline RealMatrix weighted_gram(const RealMatrix& m, const RealVector& w) {
  RealMatrix r(m.columns, m.columns);
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t j = 0; j < m.columns; ++j)
      for (std::size_t k = 0; k < m.columns; ++k) r(j, k) += m(i, j) * w[i] * m(i, k);
  return r;
}

}  // namespace geodescent::testing
