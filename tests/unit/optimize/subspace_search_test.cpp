#include "optimize/search/subspace_search.hpp"

#include <gtest/gtest.h>

#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

Basis random_basis(Random& random, Oracle& f, std::size_t size) {
  Basis basis(f.dimension(), f.image_size(), size);
  while (basis.size() < size) {
    Point p(f.dimension(), f.image_size());
    p.x = random.normal_vector(f.dimension());
    f.lift(p);
    basis.add(p);
  }
  return basis;
}

TEST(SubspaceSearch, EndsWhereTheGradientOnTheSpanIsSmall) {
  Random random(397);
  for (const LossInfo& loss : losses())
    for (const std::size_t size : {1u, 3u, 8u}) {
      const Problem p = risk_problem(random, loss.name, 1e-3, {.rows = 60, .columns = 8});
      const auto oracle = p.objective->oracle();
      Oracle& f = *oracle;
      const Basis basis = random_basis(random, f, size);
      SubspaceSearch search(f, size);
      Point x(8, 60);
      x.x = random.normal_vector(8);
      f.lift(x);
      Vector g(8), z(size);
      const double before = f.gradient(x, g).value, goal = 1e-6 * norm(g);
      const auto found = search.minimize(f, basis, x, before, goal);
      EXPECT_TRUE(found.finite && found.able);
      EXPECT_LE(found.value, before);
      EXPECT_NEAR(f.gradient(x, g).value, found.value, 1e-12 * (1 + before));
      Point gradient(8, 60);
      gradient.x = g;
      basis.coordinates(gradient, z);
      EXPECT_LE(norm(z), 1.001 * goal) << loss.name << ", " << size << " directions";
    }
}

TEST(SubspaceSearch, OverTheWholeSpaceFindsTheMinimum) {
  Random random(401);
  const Problem p = risk_problem(random, "smoothed-hinge", 1e-3, {.rows = 80, .columns = 6});
  const auto oracle = p.objective->oracle();
  Oracle& f = *oracle;
  SubspaceSearch search(f, 6);
  Point x(6, 80);
  Vector g(6);
  const double before = f.gradient(x, g).value;
  const auto found = search.minimize(f, random_basis(random, f, 6), x, before, 1e-9);
  EXPECT_NEAR(found.value, static_cast<double>(newton(p.truth).value), 1e-12);
}

TEST(SubspaceSearch, SaysWhenAFunctionHasNoSubspace) {
  Random random(409);
  const Problem p = user_problem("log-sum-exp", log_sum_exp(random, 10, 4, 0.1));
  const auto f = p.objective->oracle();
  SubspaceSearch search(*f, 2);
  Point x(4, 0);
  const auto found = search.minimize(*f, random_basis(random, *f, 2), x, 5, 0);
  EXPECT_FALSE(found.able);
  EXPECT_EQ(found.value, 5);
}

}  // namespace
}  // namespace geodescent::testing
