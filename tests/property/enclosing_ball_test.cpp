// Lemma 1 and Algorithm 1 of the paper, tested by sampling, and their implementation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geodescent/optimize/ball.hpp"
#include "optimize/models/lower_model.hpp"
#include "support/random.hpp"

namespace geodescent::testing {
namespace {

bool contains(const Ball& b, const RealVector& p, Real slack = 0) {
  return squared_distance(real(b.centre), p) <= b.squared_radius + slack;
}

/// The distance from p, a point of the ball, to the boundary in the unit direction u.
Real distance_to_boundary(const Ball& b, const RealVector& p, const RealVector& u) {
  const RealVector from_centre = along(p, -1, real(b.centre));
  const Real half = real_dot(from_centre, u);
  return -half + std::sqrt(std::max<Real>(0, half * half + b.squared_radius - squared_length(from_centre)));
}

/// A unit vector orthogonal to a - b.
RealVector orthogonal_to_axis(Random& random, const Ball& a, const Ball& b) {
  RealVector u = real(random.unit_vector(a.centre.size()));
  const RealVector axis = along(real(a.centre), -1, real(b.centre));
  for (int again = 0; again < 2; ++again)
    if (squared_length(axis) > 0) u = along(u, -real_dot(u, axis) / squared_length(axis), axis);
  const Real length = std::sqrt(squared_length(u));
  for (Real& e : u) e /= length;
  return u;
}

/// The effect of rounding on a squared distance, for centres and radii of this size.
Real rounding(const Ball& a, const Ball& b) {
  const Real size =
      std::abs(a.squared_radius) + std::abs(b.squared_radius) + squared_distance(real(a.centre), real(b.centre));
  return 1e-14L * (size + squared_length(real(a.centre)) + squared_length(real(b.centre)));
}

Ball shifted(const Ball& a, double distance, const Vector& direction, double squared_radius) {
  Ball b{a.centre, squared_radius};
  combine(std::span<double>(b.centre), 1, a.centre, distance, direction);
  return b;
}

enum class Which { crossing, a_covers_half_of_b, b_covers_half_of_a };

/// Two intersecting balls in the given case of Algorithm 1.
std::pair<Ball, Ball> random_pair(Random& random, std::size_t dimension, Which which) {
  const double scale = random.log_uniform(1e-3, 1e3);
  const double r_a = scale * random.log_uniform(0.1, 10), r_b = scale * random.log_uniform(0.1, 10);
  const double larger = std::max(r_a, r_b), smaller = std::min(r_a, r_b);
  const double least =
      // at this distance the centre of the smaller ball is just covered
      std::sqrt(larger * larger - smaller * smaller);
  const double distance = which == Which::crossing ? random.uniform(least, r_a + r_b) : random.uniform(0, least);
  const Ball a{random.normal_vector(dimension, scale),
               which == Which::b_covers_half_of_a ? smaller * smaller : larger * larger};
  const double other = which == Which::b_covers_half_of_a ? larger : smaller;
  return {a, shifted(a, distance, random.unit_vector(dimension), other * other)};
}

class Algorithm1 : public ::testing::TestWithParam<Which> {};

TEST_P(Algorithm1, BallContainsEveryPointOfTheIntersection) {
  Random random(41);
  for (int k = 0; k < 300; ++k) {
    const std::size_t dimension = 1 + random.below(6);
    const auto [a, b] = random_pair(random, dimension, GetParam());
    const Ball c = smallest_ball_around_intersection(a, b);
    const RealVector centre = real(c.centre);  // a point of the intersection
    ASSERT_TRUE(contains(a, centre, rounding(a, b)) && contains(b, centre, rounding(a, b)));
    for (int s = 0; s < 20; ++s) {
      const RealVector u = real(random.unit_vector(dimension));
      const Real reach = std::min(distance_to_boundary(a, centre, u), distance_to_boundary(b, centre, u));
      EXPECT_LE(reach * reach, c.squared_radius + rounding(a, b));
    }
  }
}

TEST_P(Algorithm1, NoSmallerBallWouldDo) {
  Random random(43);
  for (int k = 0; k < 300; ++k) {
    const auto [a, b] = random_pair(random, 2 + random.below(5), GetParam());
    const Ball c = smallest_ball_around_intersection(a, b);
    ASSERT_GE(c.squared_radius, 0);
    // Two opposite points of its boundary lie in the intersection, so a ball that contains both is
    // not smaller.
    const RealVector u = orthogonal_to_axis(random, a, b);
    for (const Real side : {1, -1}) {
      const RealVector p = along(real(c.centre), side * std::sqrt(static_cast<Real>(c.squared_radius)), u);
      EXPECT_TRUE(contains(a, p, rounding(a, b)));
      EXPECT_TRUE(contains(b, p, rounding(a, b)));
    }
  }
}

TEST_P(Algorithm1, BallIsTheSmallerOneOrSmallerThanBoth) {
  Random random(47);
  for (int k = 0; k < 300; ++k) {
    const auto [a, b] = random_pair(random, 1 + random.below(6), GetParam());
    const Ball c = smallest_ball_around_intersection(a, b);
    if (GetParam() == Which::crossing) {
      EXPECT_LE(c.squared_radius, std::min(a.squared_radius, b.squared_radius) + rounding(a, b));
    } else {
      const Ball& smaller = GetParam() == Which::a_covers_half_of_b ? b : a;
      EXPECT_EQ(c.centre, smaller.centre);
      EXPECT_EQ(c.squared_radius, smaller.squared_radius);
    }
  }
}

TEST_P(Algorithm1, DoesNotDependOnTheOrderOfItsArguments) {
  Random random(53);
  for (int k = 0; k < 300; ++k) {
    const auto [a, b] = random_pair(random, 1 + random.below(6), GetParam());
    const Ball one = smallest_ball_around_intersection(a, b), other = smallest_ball_around_intersection(b, a);
    EXPECT_LE(std::abs(one.squared_radius - other.squared_radius), rounding(a, b));
    EXPECT_LE(squared_distance(real(one.centre), real(other.centre)),
              rounding(a, b) * rounding(a, b) + rounding(a, b) * 1e-14L);
  }
}

std::string case_name(const ::testing::TestParamInfo<Which>& test) {
  constexpr const char* names[] = {"crossing", "a_covers_half_of_b", "b_covers_half_of_a"};
  return names[static_cast<int>(test.param)];
}

INSTANTIATE_TEST_SUITE_P(Cases, Algorithm1,
                         ::testing::Values(Which::crossing, Which::a_covers_half_of_b, Which::b_covers_half_of_a),
                         case_name);

// Lemma 1: |a| >= g and any delta > 0 give
//   B(0, 1 - eps g^2 - delta) and B(a, g^2 (1 - eps) - delta) meet inside B(c, 1 - sqrt(eps) - delta).
TEST(Lemma1, IntersectionLiesInTheBallOfItsProofAndTheSmallestBallIsNoLarger) {
  Random random(59);
  int met = 0, large_g = 0;
  for (int k = 0; k < 20000; ++k) {
    const std::size_t dimension = 2 + random.below(4);
    const double eps = random.chance(0.5) ? random.log_uniform(1e-8, 1) : random.uniform(0, 1);
    const double g = random.chance(0.5) ? random.uniform(0, 1) : random.log_uniform(0.7, 100);
    const double length = g * (random.chance(0.3) ? 1 : random.uniform(1, 1.5));
    const double delta = random.chance(0.5) ? random.log_uniform(1e-9, 1e-2) : random.uniform(0, 0.5);
    Vector a = random.unit_vector(dimension);
    for (double& e : a) e *= length;
    const double length2 = squared_norm(a);
    if (length2 < g * g) continue;  // by rounding
    const Ball first{Vector(dimension), 1 - eps * g * g - delta}, second{a, g * g * (1 - eps) - delta};
    if (first.squared_radius < 0 || second.squared_radius < 0) continue;
    if (length > std::sqrt(first.squared_radius) + std::sqrt(second.squared_radius)) continue;  // no intersection
    ++met;

    // The ball of the paper's proof.
    const Real promised = 1 - std::sqrt(static_cast<Real>(eps)) - delta;
    RealVector c = real(a);
    if (g * g > 0.5) {
      ++large_g;
      const Real x_over_length =
          (1 + static_cast<Real>(length2) - static_cast<Real>(g) * g) / (2 * static_cast<Real>(length2));
      for (Real& e : c) e *= x_over_length;
    }
    const Ball smallest = smallest_ball_around_intersection(first, second);
    const Real slack = rounding(first, second);
    EXPECT_LE(smallest.squared_radius, promised + slack);
    for (int s = 0; s < 5; ++s) {
      const RealVector u = real(random.unit_vector(dimension)), from = real(smallest.centre);
      const Real reach = std::min(distance_to_boundary(first, from, u), distance_to_boundary(second, from, u));
      EXPECT_LE(squared_distance(along(from, reach, u), c), promised + slack);
    }
  }
  EXPECT_GT(met, 2000);
  EXPECT_GT(large_g, 500);
}

// The model form: with v_i = f_i - |g_i|^2/(2 alpha) and c_i = x_i - g_i/alpha the balls are B(c_i,
// (2/alpha) (f+ - v_i)).
struct Information {
  Point x, g;
  Evaluation e;

  Information(Random& random, std::size_t d, double alpha, double value) : x(d, 0), g(d, 0) {
    x.x = random.normal_vector(d);
    g.x = random.normal_vector(d);
    e.value = value;
    e.offset = value - dot(g.x, x.x) + 0.5 * alpha * squared_norm(x.x);
  }
  Ball ball(double alpha, double f_plus) const {
    Ball b{x.x, 2 / alpha * (f_plus - e.value) + squared_norm(g.x) / (alpha * alpha)};
    combine(std::span<double>(b.centre), 1, x.x, -1 / alpha, g.x);
    return b;
  }
};

TEST(LowerModelEnclose, IsAlgorithm1InAllThreeCases) {
  Random random(61);
  int cases[3] = {};
  for (int k = 0; k < 3000; ++k) {
    const std::size_t d = 1 + random.below(8);
    const double alpha = random.log_uniform(0.1, 10);
    const Information b(random, d, alpha, random.normal()),
        a(random, d, alpha, random.normal() * random.log_uniform(1, 30));
    const double f_plus = random.normal();
    LowerModel model(d, 0, alpha);
    model.set(b.x, b.g, b.e);
    model.enclose(a.x, a.g, a.e);

    const Ball ball_a = a.ball(alpha, f_plus), ball_b = b.ball(alpha, f_plus);
    const Ball expected = smallest_ball_around_intersection(ball_a, ball_b);
    const Real slack = 10 * rounding(ball_a, ball_b);
    EXPECT_LE(std::abs(2 / alpha * (f_plus - model.minimum()) - expected.squared_radius), slack);
    EXPECT_LE(squared_distance(real(model.centre()), real(expected.centre)), slack * 1e-12L);
    ++cases[expected.centre == ball_a.centre ? 0 : expected.centre == ball_b.centre ? 1 : 2];
  }
  for (const int seen : cases) EXPECT_GT(seen, 100);
}

TEST(LowerModelEnclose, NeverLowersTheMinimumAndStaysBelowBothModelsAveraged) {
  Random random(67);
  for (int k = 0; k < 500; ++k) {
    const std::size_t d = 1 + random.below(8);
    const double alpha = random.log_uniform(1e-8, 10);
    LowerModel model(d, 0, alpha);
    const Information first(random, d, alpha, random.normal());
    model.set(first.x, first.g, first.e);
    for (int i = 0; i < 5; ++i) {
      const double before = model.minimum(), error = model.error();
      const Information next(random, d, alpha, random.normal());
      model.enclose(next.x, next.g, next.e);
      const LowerBound alone = single_point_bound(next.x.x, next.g.x, next.e, alpha);
      EXPECT_GE(model.minimum(), before - error - model.error());
      EXPECT_GE(model.minimum() + model.error(), alone.value);
      EXPECT_GT(model.error(), 0);
      EXPECT_LT(model.lower_bound(), model.minimum());
    }
  }
}

}  // namespace
}  // namespace geodescent::testing
