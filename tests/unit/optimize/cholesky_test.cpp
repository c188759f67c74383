#include "optimize/search/cholesky.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "geodescent/threads.hpp"
#include "support/instruction_sets.hpp"
#include "support/numbers.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

// One block, its neighbours, several blocks, and rows that do not fill a strip of eight.
constexpr std::size_t cholesky_sizes[] = {1, 2, 3, 7, 8, 9, 40, 63, 64, 65, 66, 72, 127, 128, 129, 200, 333};
constexpr std::size_t padding = 5;  // between columns
constexpr double untouched = -7;

/// A positive definite matrix with eigenvalues of at least `least`; what is above the diagonal must
/// not be read.
Vector positive_definite(Random& random, std::size_t n, double least) {
  const std::size_t stride = n + padding, rank = n / 2 + 1;
  const Vector factor = random.normal_vector(n * rank);
  Vector a(n * stride, untouched);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i < n; ++i) {
      double sum = i == j ? least : 0;
      for (std::size_t k = 0; k < rank; ++k) sum += factor[i * rank + k] * factor[j * rank + k];
      a[j * stride + i] = sum;
    }
  return a;
}

Vector factor_of(Vector a, std::size_t n) {
  Cholesky factorization(n);
  EXPECT_TRUE(factorization.factorize(a.data(), n, n + padding));
  return a;
}

TEST(Cholesky, TheFactorTimesItselfIsTheMatrix) {
  Random random(911);
  for (const std::size_t n : cholesky_sizes) {
    const std::size_t stride = n + padding;
    const Vector a = positive_definite(random, n, 1e-3), l = factor_of(a, n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < stride; ++i) {
        if (i < j || i >= n) {
          ASSERT_EQ(l[j * stride + i], untouched) << n;
          continue;
        }
        Real sum = 0;
        for (std::size_t k = 0; k <= j; ++k) sum += static_cast<Real>(l[k * stride + i]) * l[k * stride + j];
        // |A - L L'| <= (n + 1) u |L| |L'| entry by entry (Higham, Theorem 10.3); rows of |L| have
        // the length sqrt(a_ii).
        const double size = std::sqrt(a[i * stride + i] * a[j * stride + j]);
        ASSERT_LE(std::abs(static_cast<double>(sum - a[j * stride + i])), (static_cast<double>(n) + 10) * eps * size)
            << n << ": " << i << ", " << j;
      }
  }
}

TEST(Cholesky, SolvesUndoTheFactorAndItsTranspose) {
  Random random(919);
  for (const std::size_t n : cholesky_sizes) {
    const std::size_t stride = n + padding;
    const Vector l = factor_of(positive_definite(random, n, 1), n), b = random.normal_vector(n);
    Vector x = b, y = b;
    solve_lower(l.data(), n, stride, x.data());
    solve_lower_transposed(l.data(), n, stride, y.data());
    for (std::size_t i = 0; i < n; ++i) {
      Real lower = 0, transposed = 0, lower_size = 0, transposed_size = 0;
      for (std::size_t k = 0; k <= i; ++k) {
        lower += static_cast<Real>(l[k * stride + i]) * x[k];
        lower_size += std::abs(static_cast<Real>(l[k * stride + i]) * x[k]);
      }
      for (std::size_t k = i; k < n; ++k) {
        transposed += static_cast<Real>(l[i * stride + k]) * y[k];
        transposed_size += std::abs(static_cast<Real>(l[i * stride + k]) * y[k]);
      }
      const Real unit = (static_cast<Real>(n) + 10) * eps;
      ASSERT_LE(std::abs(lower - b[i]), unit * lower_size) << n;
      ASSERT_LE(std::abs(transposed - b[i]), unit * transposed_size) << n;
    }
  }
}

TEST(Cholesky, HasTheSameBitsForEveryInstructionSetAndNumberOfThreads) {
  Random random(929);
  const int before = threads();
  for (const std::size_t n : {30, 64, 150, 333}) {
    const Vector a = positive_definite(random, n, 1e-2);
    with_each_instruction_set(
        [&] {
          set_threads(1);
          const Vector alone = factor_of(a, n);
          set_threads(3);
          EXPECT_EQ(factor_of(a, n), alone) << n;
          return alone;
        },
        [&](const Vector& first, const Vector& got) { EXPECT_EQ(first, got) << n; });
  }
  set_threads(before);
}

TEST(Cholesky, RefusesWhatIsNotPositiveDefinite) {
  Random random(937);
  for (const std::size_t n : {1, 8, 64, 65, 200})
    for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
      for (const std::size_t place : {std::size_t{0}, n / 2, n - 1}) {
        Vector a = positive_definite(random, n, 1);
        a[place * (n + padding) + place] = bad;
        EXPECT_FALSE(Cholesky(n).factorize(a.data(), n, n + padding)) << n << ", " << bad << ", " << place;
      }
}

}  // namespace
}  // namespace geodescent::testing
