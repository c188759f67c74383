// The orthonormal basis of a run's directions, and the images it carries along.
#include "optimize/search/basis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

constexpr std::size_t vector_size = 30, image_size = 50;

class BasisTest : public ::testing::Test {
 protected:
  /// A point with its image under a fixed matrix.
  Point lifted(const Vector& x) const {
    Point p(vector_size, image_size);
    p.x = x;
    for (std::size_t i = 0; i < image_size; ++i)
      p.image[i] = dot(std::span<const double>(matrix).subspan(i * vector_size, vector_size), x);
    return p;
  }
  Point somewhere(double size = 1) { return lifted(random.normal_vector(vector_size, size)); }
  /// How far the columns are from orthonormal, and their images from true.
  double orthogonality_error(const Basis& v) const {
    double worst = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        worst = std::max(worst, std::abs(dot(v.vector(i), v.vector(j)) - (i == j ? 1 : 0)));
    return worst;
  }
  double image_error(const Basis& v) const {
    double worst = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const Point p = lifted(Vector(v.vector(i).begin(), v.vector(i).end()));
      for (std::size_t k = 0; k < image_size; ++k) worst = std::max(worst, std::abs(p.image[k] - v.image(i)[k]));
    }
    return worst;
  }
  double distance_to_span(const Basis& v, const Vector& x) const {
    Vector z(v.capacity());
    Point p(vector_size, image_size);
    p.x = x;
    v.coordinates(p, z);
    v.combine(z, p);
    combine(std::span<double>(p.x), 1, p.x, -1, x);
    return norm(p.x);
  }

  Random random{211};
  Vector matrix = random.normal_vector(image_size * vector_size);
};

TEST_F(BasisTest, ColumnsAreOrthonormalAndTheirImagesTrue) {
  Basis v(vector_size, image_size, vector_size);
  for (std::size_t k = 0; k < vector_size; ++k)
    EXPECT_TRUE(v.add(somewhere(std::pow(10.0, static_cast<double>(k % 7) - 3))));
  EXPECT_TRUE(v.full());
  EXPECT_LE(orthogonality_error(v), 1e-14);
  EXPECT_LE(image_error(v), 1e-12);
  EXPECT_FALSE(v.add(somewhere())) << "no room";
}

TEST_F(BasisTest, WhatLiesInTheSpanIsNotAdded) {
  Basis v(vector_size, image_size, 10);
  const Point a = somewhere(), b = somewhere();
  Point c(vector_size, image_size);
  combine(c, 2, a, -3, b);
  EXPECT_TRUE(v.add(a));
  EXPECT_TRUE(v.add(b));
  EXPECT_FALSE(v.add(c));
  EXPECT_FALSE(v.add(Point(vector_size, image_size))) << "zero is no direction";
  combine(c, 1, c, 1e-9, somewhere());
  EXPECT_FALSE(v.add(c)) << "what is left would be mostly rounding";
  combine(c, 1, c, 1e-3, somewhere());
  EXPECT_TRUE(v.add(c));
  EXPECT_LE(orthogonality_error(v), 1e-14);
  EXPECT_LE(image_error(v), 1e-10);
}

TEST_F(BasisTest, CombineAndCoordinatesAreInverse) {
  Basis v(vector_size, image_size, 6);
  for (int k = 0; k < 6; ++k) v.add(somewhere());
  const Vector z{1, -2, 3, 0.5, 0, 7};
  Point p(vector_size, image_size);
  v.combine(z, p);
  Vector back(6);
  v.coordinates(p, back);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(back[i], z[i], 1e-13);
  const Point truth = lifted(p.x);
  for (std::size_t i = 0; i < image_size; ++i) EXPECT_NEAR(p.image[i], truth.image[i], 1e-12);
}

TEST_F(BasisTest, KeepReducesToTheSpanOfThePoints) {
  Basis v(vector_size, image_size, 12);
  for (int k = 0; k < 12; ++k) v.add(somewhere());
  std::vector<Vector> kept(3, Vector(12));
  std::vector<Vector> points;
  for (Vector& z : kept) {
    z = random.normal_vector(12);
    Point p(vector_size, image_size);
    v.combine(z, p);
    points.push_back(p.x);
  }
  kept.push_back(kept[0]);  // adds nothing
  v.keep(kept);
  EXPECT_EQ(v.size(), 3u);
  EXPECT_LE(orthogonality_error(v), 1e-14);
  EXPECT_LE(image_error(v), 1e-12);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LE(distance_to_span(v, points[k]), 1e-13);
    Point p(vector_size, image_size);
    v.combine(kept[k], p);
    for (std::size_t i = 0; i < vector_size; ++i)
      EXPECT_NEAR(p.x[i], points[k][i], 1e-13) << "the coordinates are the new ones";
  }
  EXPECT_TRUE(v.add(somewhere())) << "there is room again";
}

TEST_F(BasisTest, PopTakesTheLastColumn) {
  Basis v(vector_size, image_size, 3);
  const Point a = somewhere();
  v.add(a);
  v.add(somewhere());
  v.pop();
  EXPECT_EQ(v.size(), 1u);
  EXPECT_LE(distance_to_span(v, a.x), 1e-13);
}

}  // namespace
}  // namespace geodescent::testing
