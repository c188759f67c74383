// Vectors and the few operations on them. Every sum runs in one fixed order, so it has the same
// bits in every run.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace geodescent {

using Vector = std::vector<double>;  ///< a vector of R^n

/// The inner product.
double dot(std::span<const double> a, std::span<const double> b);
/// The square of the Euclidean norm.
double squared_norm(std::span<const double> a);
/// The Euclidean norm.
double norm(std::span<const double> a);

/// out = s a + t b. `out` may be `a` or `b`.
void combine(std::span<double> out, double s, std::span<const double> a, double t, std::span<const double> b);

// Several columns of the length of x, one after the other.
/// out_j = column_j . x, for out.size() columns.
void column_products(std::span<const double> columns, std::span<const double> x, std::span<double> out);
/// out += t (z_1 column_1 + z_2 column_2 + ...).
void add_columns(std::span<double> out, double t, std::span<const double> z, std::span<const double> columns);

}  // namespace geodescent
