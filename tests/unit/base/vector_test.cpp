// The operations on vectors and lifted points.
#include "geodescent/vector.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "geodescent/optimize/oracle.hpp"
#include "geodescent/optimize/point.hpp"
#include "support/numbers.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

TEST(VectorOperations, DotIsRightToItsRounding) {
  Random random(239);
  for (const std::size_t size : {0u, 1u, 7u, 8u, 9u, 100u, 5000u}) {
    const Vector a = random.normal_vector(size), b = random.normal_vector(size);
    Real exact = 0, magnitude = 0;
    for (std::size_t i = 0; i < size; ++i)
      exact += static_cast<Real>(a[i]) * b[i], magnitude += std::abs(static_cast<Real>(a[i]) * b[i]);
    EXPECT_LE(std::abs(dot(a, b) - exact), (static_cast<Real>(size) / 8 + 8) * eps * magnitude);
    EXPECT_EQ(squared_norm(a), dot(a, a));
    EXPECT_EQ(norm(a), std::sqrt(dot(a, a)));
  }
}

TEST(VectorOperations, CombineWorksInPlace) {
  for (const std::size_t size : {0u, 3u, 5000u}) {
    Vector a(size), b(size), expected(size);
    for (std::size_t i = 0; i < size; ++i) {
      a[i] = static_cast<double>(i);
      b[i] = static_cast<double>(i % 7);
      expected[i] = 2 * a[i] - 3 * b[i];
    }
    Vector out(size), left = a, right = b;
    combine(std::span<double>(out), 2, a, -3, b);
    combine(std::span<double>(left), 2, left, -3, b);
    combine(std::span<double>(right), 2, a, -3, right);
    EXPECT_EQ(out, expected);
    EXPECT_EQ(left, expected);
    EXPECT_EQ(right, expected);
  }
}

TEST(VectorOperations, CombineOfPointsActsOnBothParts) {
  Point a(2, 3), b(2, 3), out(2, 3);
  a.x = {1, 2};
  a.image = {1, 2, 3};
  b.x = {10, 20};
  b.image = {-1, -2, -3};
  combine(out, 1, a, 0.5, b);
  EXPECT_EQ(out.x, (Vector{6, 12}));
  EXPECT_EQ(out.image, (Vector{0.5, 1, 1.5}));
}

TEST(LineGeometry, NormsAlongTheLineAreThoseOfItsPoints) {
  Random random(241);
  for (int k = 0; k < 20; ++k) {
    Point x(6, 0), d(6, 0);
    x.x = random.normal_vector(6);
    d.x = random.normal_vector(6);
    Line line(6);
    line.set(x, d);
    for (const double t : {0.0, 1.0, -2.5, 1e-3, 100.0}) {
      Vector p(6);
      combine(std::span<double>(p), 1, x.x, t, d.x);
      const double size = squared_norm(x.x) + t * t * squared_norm(d.x);
      EXPECT_NEAR(line.squared_norm(t), squared_norm(p), 16 * eps * size);
      EXPECT_NEAR(line.half_slope(t), dot(p, d.x), 16 * eps * (norm(x.x) + std::abs(t) * norm(d.x)) * norm(d.x));
    }
    EXPECT_EQ(line.direction_squared_norm(), squared_norm(d.x));
  }
}

}  // namespace
}  // namespace geodescent::testing
