// Cholesky factorization of a symmetric positive definite matrix, with the library's kernels: the
// same bits for every number of threads and every instruction set.
#pragma once

#include <cstddef>
#include <memory>

namespace geodescent {

/// Matrices are stored column by column, `stride` apart. Only the lower triangle is read and
/// written.
class Cholesky {
 public:
  Cholesky() = default;
  /// For matrices of up to `capacity` columns. All memory is allocated here.
  explicit Cholesky(std::size_t capacity);

  /// Replaces A, n x n, by L with L L' = A. Returns false, with A undefined, if A is not
  /// numerically positive definite.
  bool factorize(double* a, std::size_t n, std::size_t stride);

  /// The number of doubles that an object of this capacity allocates.
  static std::size_t scratch(std::size_t capacity);

 private:
  bool factorize_diagonal(double* a, std::size_t n, std::size_t stride);
  void solve_panel(const double* diagonal, double* panel, std::size_t rows, std::size_t stride);
  void update(double* rest, std::size_t rows, std::size_t stride);

  std::unique_ptr<double[]> packed_;
};

/// x = L^-1 x.
void solve_lower(const double* l, std::size_t n, std::size_t stride, double* x);
/// x = L'^-1 x.
void solve_lower_transposed(const double* l, std::size_t n, std::size_t stride, double* x);

}  // namespace geodescent
