#include "optimize/models/convexity_estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/information.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

TEST(ConvexityEstimate, NeedsTwoPoints) {
  Random random(307);
  const Problem p = random_quadratic(random, spectrum(4, 1e-2, 1));
  ConvexityEstimate estimate(4, 5);
  EXPECT_EQ(estimate.alpha(), std::numeric_limits<double>::infinity());
  const Information i = at(*p.objective, random.normal_vector(4));
  EXPECT_FALSE(estimate.add(i.x, i.g, i.e));
  EXPECT_EQ(estimate.alpha(), std::numeric_limits<double>::infinity());
  EXPECT_FALSE(estimate.add(i.x, i.g, i.e)) << "the same point says nothing new";
  const Information j = at(*p.objective, random.normal_vector(4));
  EXPECT_TRUE(estimate.add(j.x, j.g, j.e));
  EXPECT_TRUE(std::isfinite(estimate.alpha()));
}

TEST(ConvexityEstimate, OfAQuadraticIsTheCurvatureBetweenTwoPoints) {
  const Vector q{4, 0, 0, 0.25};
  const Problem p = quadratic_problem("axes", q, Vector{1, 2}, 0, 0.25, 4, false);
  ConvexityEstimate estimate(2, 5);
  const auto add = [&](const Vector& x) {
    const Information i = at(*p.objective, x);
    return estimate.add(i.x, i.g, i.e);
  };
  add({0, 0});
  EXPECT_TRUE(add({1, 0}));
  EXPECT_NEAR(estimate.alpha(), 4, 1e-12);
  add({2, 0});
  EXPECT_NEAR(estimate.alpha(), 4, 1e-12) << "nothing contradicts 4";
  EXPECT_TRUE(add({2, 1}));
  EXPECT_NEAR(estimate.alpha(), 0.25, 1e-12);
}

TEST(ConvexityEstimate, IsNeverBelowTheTruthAndNeverRises) {
  Random random(311);
  for (int k = 0; k < 100; ++k) {
    const double alpha = random.log_uniform(1e-8, 1);
    const Problem p = k % 2 ? user_problem("log-sum-exp", log_sum_exp(random, 8, 4, alpha))
                            : random_quadratic(random, spectrum(5, alpha, 1));
    ConvexityEstimate estimate(p.truth.dimension, 10);
    double last = std::numeric_limits<double>::infinity();
    for (int step = 0; step < 30; ++step) {
      // Close together, too, where all differences are rounding.
      const Information i = at(*p.objective, random.normal_vector(p.truth.dimension, random.log_uniform(1e-9, 10)));
      estimate.add(i.x, i.g, i.e);
      EXPECT_LE(estimate.alpha(), last);
      EXPECT_GE(estimate.alpha(), static_cast<double>(p.truth.alpha) * (1 - 1e-6)) << p.name;
      last = estimate.alpha();
    }
  }
}

TEST(ConvexityEstimate, KeepsTheLastPointsInTheirOrder) {
  const Problem p = quadratic_problem("line", Vector{1}, Vector{0}, 0, 1, 1, false);
  ConvexityEstimate estimate(1, 3);
  for (int k = 0; k < 5; ++k) {
    const Information i = at(*p.objective, Vector{static_cast<double>(k)});
    estimate.add(i.x, i.g, i.e);
  }
  ASSERT_EQ(estimate.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(estimate.sample(k).x.x[0], 2.0 + static_cast<double>(k));
}

TEST(ConvexityEstimate, OfAConcaveFunctionIsNothing) {
  ConvexityEstimate estimate(1, 3);
  for (const double t : {0.0, 1.0}) {
    Point x(1, 0), g(1, 0);
    x.x[0] = t;
    g.x[0] = -2 * t;
    estimate.add(x, g, {.value = -t * t});
  }
  EXPECT_GT(estimate.alpha(), 0);
  EXPECT_LT(estimate.alpha(), 1e-300);
}

}  // namespace
}  // namespace geodescent::testing
