// Quadratics, and the worst case of section 4.2.
#include "geodescent/optimize/quadratic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

Point lifted(const Objective& f, const Vector& x) {
  const auto oracle = f.oracle();
  Point p(oracle->dimension(), oracle->image_size());
  p.x = x;
  oracle->lift(p);
  return p;
}

TEST(Quadratic, ValueGradientAndLineAreExactOnSmallIntegers) {
  for (const bool sparse : {false, true}) {
    const Quadratic f(rows_of({2, 1, 1, 3}, 2, sparse), {1, -1}, 1, 4, 10);
    const Point x = lifted(f, {1, 2}), d = lifted(f, {-1, 1});
    EXPECT_EQ(x.image, (Vector{4, 7}));
    Vector g(2);
    const Evaluation e = f.oracle()->gradient(x, g);
    EXPECT_EQ(e.value, 0.5 * 18 - (1 - 2) + 10);
    EXPECT_EQ(g, (Vector{3, 8}));
    EXPECT_EQ(e.offset, e.value - (3 + 16) + 0.5 * 5);
    Line line(2);
    line.set(x, d);
    const LineValue at = f.oracle()->on(line, 2);  // x = (-1, 4): Qx = (2, 11), f = 0.5 * 42 + 5 + 10
    EXPECT_EQ(at.value, 36);
    EXPECT_EQ(at.slope, -(2 - 1) + (11 + 1));
    EXPECT_EQ(at.curvature, 3);
  }
}

TEST(Quadratic, TakesTheGradientFromThePointAndNotFromADriftedImage) {
  const Quadratic f(rows_of({2, 1, 1, 3}, 2, false), {1, -1}, 1);
  Point x = lifted(f, {1, 2});
  x.image = {100, -100};
  Vector g(2);
  f.oracle()->gradient(x, g);
  EXPECT_EQ(g, (Vector{3, 8}));
}

TEST(Quadratic, RefusesWhatIsNoQuadratic) {
  const double none = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
  const auto identity = rows_of({1, 0, 0, 1}, 2, false);
  EXPECT_THROW(Quadratic(rows_of({1, 0}, 2, false), {1}, 1), std::invalid_argument);
  EXPECT_THROW(Quadratic(identity, {1}, 1), std::invalid_argument);
  EXPECT_THROW(Quadratic(identity, {1, 2, 3}, 1), std::invalid_argument);
  for (const double alpha : {0.0, -1.0, none, endless})
    EXPECT_THROW(Quadratic(identity, {1, 2}, alpha), std::invalid_argument) << alpha;
  for (const double beta : {0.5, -1.0, none})
    EXPECT_THROW(Quadratic(identity, {1, 2}, 1, beta), std::invalid_argument) << beta;
}

/// Section 4.2, literally.
Real formula(const RealVector& x, Real beta) {
  const std::size_t n = x.size();
  Real sum = (1 - x[0]) * (1 - x[0]) + x[n - 1] * x[n - 1], squares = 0;
  for (std::size_t i = 0; i + 1 < n; ++i) sum += (x[i] - x[i + 1]) * (x[i] - x[i + 1]);
  for (const Real e : x) squares += e * e;
  return beta / 2 * sum + squares / 2;
}

TEST(WorstCase, IsTheFormulaOfThePaper) {
  Random random(211);
  for (const std::size_t n : {1u, 2u, 3u, 10u, 200u})
    for (const double beta : {1e-3, 1.0, 1e4, 1e8}) {
      const Quadratic f = worst_case(n, beta);
      for (int k = 0; k < 3; ++k) {
        const Vector x = k == 0 ? Vector(n) : random.normal_vector(n);
        const Point at = lifted(f, x);
        Vector g(n);
        const Evaluation e = f.oracle()->gradient(at, g);
        EXPECT_LE(std::abs(e.value - formula(real(x), beta)), e.value_error) << n << " " << beta;
        // A quadratic's difference quotient over 1 is its derivative exactly.
        for (const std::size_t j : {std::size_t{0}, n / 2, n - 1}) {
          RealVector up = real(x), down = real(x);
          up[j] += 0.5L;
          down[j] -= 0.5L;
          EXPECT_LE(std::abs(g[j] - (formula(up, beta) - formula(down, beta))),
                    1e-13L * (beta + 1) * (1 + std::sqrt(squared_length(real(x)))));
        }
      }
    }
}

TEST(WorstCase, KnowsItsExtremeEigenvalues) {
  for (const std::size_t n : {1u, 2u, 3u, 20u, 60u})
    for (const double beta : {0.1, 1e4}) {
      const Quadratic f = worst_case(n, beta);
      RealMatrix q(n, n);
      for (std::size_t j = 0; j < n; ++j) {
        Vector unit(n);
        unit[j] = 1;
        const Point column = lifted(f, unit);
        for (std::size_t i = 0; i < n; ++i) q(i, j) = column.image[i];
      }
      const Real largest = largest_eigenvalue(q);
      EXPECT_NEAR(*f.smoothness() / static_cast<double>(largest), 1, 1e-13);
      EXPECT_EQ(f.strong_convexity(), 1);
      EXPECT_GE(smallest_eigenvalue(q), 1);
    }
}

TEST(WorstCase, RefusesSizesAndConstantsThatMakeNoSense) {
  EXPECT_THROW(worst_case(0, 1), std::invalid_argument);
  for (const double beta :
       {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(worst_case(3, beta), std::invalid_argument) << beta;
}

}  // namespace
}  // namespace geodescent::testing
