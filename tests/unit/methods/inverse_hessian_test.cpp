#include "methods/inverse_hessian.hpp"

#include <gtest/gtest.h>

#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

TEST(InverseHessian, OfAQuadraticIsExactOnceItHasSeenTheSpace) {
  // Steps along conjugate directions teach BFGS the whole inverse: on the axes of a diagonal matrix
  // they are.
  const Vector diagonal{4, 0.5, 10};
  InverseHessian<Vector> h(5, Vector(3));
  EXPECT_TRUE(h.empty());
  for (std::size_t j = 0; j < 3; ++j) {
    h.next_s() = Vector(3);
    h.next_y() = Vector(3);
    h.next_s()[j] = 0.7;
    h.next_y()[j] = 0.7 * diagonal[j];
    h.remember();
  }
  Vector d(3);
  h.direction({1, 2, 3}, d);
  EXPECT_NEAR(d[0], -1 / 4.0, 1e-14);
  EXPECT_NEAR(d[1], -2 / 0.5, 1e-14);
  EXPECT_NEAR(d[2], -3 / 10.0, 1e-14);
}

TEST(InverseHessian, StartsFromTheOneThatIsGiven) {
  const Vector diagonal{4, 0.5, 10};
  InverseHessian<Vector> h(5, Vector(3));
  const auto initial = [](Vector& v) {
    for (double& e : v) e *= 0.125;
  };
  Vector d(3);
  h.direction({1, 2, 3}, d, initial);
  EXPECT_EQ(d, (Vector{-0.125, -0.25, -0.375}));
  h.next_s() = {0, 0.7, 0};
  h.next_y() = {0, 0.7 * diagonal[1], 0};
  h.remember();
  h.direction({1, 2, 3}, d, initial);
  EXPECT_NEAR(d[0], -0.125, 1e-15);
  EXPECT_NEAR(d[1], -2 / 0.5, 1e-14) << "learned";
  EXPECT_NEAR(d[2], -0.375, 1e-15);
}

TEST(InverseHessian, CarriesImagesAlong) {
  Random random(419);
  const Problem p = risk_problem(random, "logistic", 1e-3, {.rows = 30, .columns = 6});
  const auto oracle = p.objective->oracle();
  Oracle& f = *oracle;
  const auto lifted = [&] {
    Point q(6, 30);
    q.x = random.normal_vector(6);
    f.lift(q);
    return q;
  };
  InverseHessian<Point> h(4, Point(6, 30));
  InverseHessian<Vector> without(4, Vector(6));
  for (int k = 0; k < 7; ++k) {  // the memory is filled and overwritten
    const Point s = lifted();
    Point y(6, 30);
    combine(y, 2, s, 0.1, lifted());
    if (dot(s.x, y.x) <= 0) continue;
    h.next_s() = s;
    h.next_y() = y;
    h.remember();
    without.next_s() = s.x;
    without.next_y() = y.x;
    without.remember();
  }
  const Point g = lifted();
  Point d(6, 30);
  Vector alone(6);
  h.direction(g, d);
  without.direction(g.x, alone);
  EXPECT_EQ(d.x, alone);
  Point fresh = d;
  f.lift(fresh);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_NEAR(d.image[i], fresh.image[i], 1e-10 * (1 + norm(fresh.image)));
}

TEST(InverseHessian, RefusesAPairWithoutCurvature) {
  InverseHessian<Vector> h(2, Vector(2));
  h.next_s() = {1, 0};
  h.next_y() = {0, 1};
  h.remember();
  EXPECT_TRUE(h.empty());
}

}  // namespace
}  // namespace geodescent::testing
