// Right-looking block factorization: the block on the diagonal, the panel below it, then the update
// of the rest of the matrix, which takes most of the time (Golub and Van Loan, Matrix Computations,
// 4.2).
#include "optimize/search/cholesky.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "base/parallel.hpp"
#include "kernels/kernels.hpp"

namespace geodescent {
namespace {

constexpr std::size_t block_size = gram_panel;
/// Rows of a panel that are solved together: they fit the first-level cache.
constexpr std::size_t rows_together = 64;
/// Columns of the rest that form one piece of work; panels with fewer rows than many_rows use one
/// thread.
constexpr std::size_t columns_together = 32, many_rows = 256;
/// Columns that a triangular solve processes together.
constexpr std::size_t solved_together = 4;

/// Subtracts from column j of a block the products with the columns before it. `row` is row j of L;
/// `column` points into column 0, at the first row to be updated.
void subtract_before(const double* row, double* column, std::size_t j, std::size_t rows, std::size_t stride) {
  std::array<double, block_size> part;
  for (std::size_t p = 0; p < j; ++p) part[p] = -row[p * stride];
  kernels().multi_axpy(column + j * stride, part.data(), column, stride, j, rows);
}

/// Divides: one rounding. A product with the reciprocal has two.
void divide(std::span<double> column, double by) {
  for (double& entry : column) entry /= by;
}

}  // namespace

Cholesky::Cholesky(std::size_t capacity) : packed_(std::make_unique_for_overwrite<double[]>(scratch(capacity))) {}

std::size_t Cholesky::scratch(std::size_t capacity) {
  return capacity > block_size ? packed_panel_size(capacity - block_size) : 0;
}

bool Cholesky::factorize(double* a, std::size_t n, std::size_t stride) {
  for (std::size_t k = 0; k < n; k += block_size) {
    double* const diagonal = a + k * stride + k;
    if (!factorize_diagonal(diagonal, std::min(block_size, n - k), stride)) return false;
    if (n - k <= block_size) break;
    solve_panel(diagonal, diagonal + block_size, n - k - block_size, stride);
    update(diagonal + block_size * stride + block_size, n - k - block_size, stride);
  }
  return true;
}

bool Cholesky::factorize_diagonal(double* a, std::size_t n, std::size_t stride) {
  for (std::size_t j = 0; j < n; ++j) {
    subtract_before(a + j, a + j, j, n - j, stride);
    double* const column = a + j * stride + j;
    if (!(*column > 0)) return false;
    *column = std::sqrt(*column);
    divide({column + 1, n - j - 1}, *column);
  }
  return true;
}

void Cholesky::solve_panel(const double* diagonal, double* panel, std::size_t rows, std::size_t stride) {
  const std::size_t together = rows < many_rows ? rows : rows_together;
  parallel::for_each(parallel::cut(rows, together, rows), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = 0; j < block_size; ++j) {
      subtract_before(diagonal + j, panel + begin, j, end - begin, stride);
      double* const column = panel + j * stride + begin;
      divide({column, end - begin}, diagonal[j * stride + j]);
    }
    kernels().pack_panel(panel + begin, stride, end - begin, packed_.get() + packed_panel_size(begin));
  });
}

void Cholesky::update(double* rest, std::size_t rows, std::size_t stride) {
  const std::size_t together = rows < many_rows ? rows : columns_together;
  parallel::for_each(parallel::cut(rows, together, rows), [&](std::size_t begin, std::size_t end) {
    kernels().subtract_panel_gram(packed_.get(), rows, begin, end, rest, stride);
  });
}

void solve_lower(const double* l, std::size_t n, std::size_t stride, double* x) {
  for (std::size_t j = 0; j < n; j += solved_together) {
    const std::size_t end = std::min(j + solved_together, n);
    std::array<double, solved_together> part{};
    for (std::size_t i = j; i < end; ++i) {
      for (std::size_t p = j; p < i; ++p) x[i] -= l[p * stride + i] * x[p];
      x[i] /= l[i * stride + i];
      part[i - j] = -x[i];
    }
    kernels().multi_axpy(x + end, part.data(), l + j * stride + end, stride, end - j, n - end);
  }
}

void solve_lower_transposed(const double* l, std::size_t n, std::size_t stride, double* x) {
  for (std::size_t end = n; end > 0;) {
    const std::size_t j = (end - 1) / solved_together * solved_together;
    std::array<double, solved_together> part{};
    kernels().multi_dot(l + j * stride + end, stride, end - j, x + end, n - end, part.data());
    for (std::size_t i = end; i-- > j;) {
      x[i] -= part[i - j];
      for (std::size_t p = i + 1; p < end; ++p) x[i] -= l[i * stride + p] * x[p];
      x[i] /= l[i * stride + i];
    }
    end = j;
  }
}

}  // namespace geodescent
