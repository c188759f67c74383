#include "methods/geod_memory/remembered_span.hpp"

#include <gtest/gtest.h>

#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

/// A run that remembers gradients, as geod-memory does, and nothing else.
struct Descent {
  std::unique_ptr<Oracle> oracle;
  Oracle& f;
  RememberedSpan span;
  Point x, g;
  double value;

  Descent(const Objective& objective, std::size_t directions, const Vector& x0)
      : oracle(objective.oracle()),
        f(*oracle),
        span(f, directions),
        x(f.dimension(), f.image_size()),
        g(f.dimension(), f.image_size()),
        value(0) {
    x.x = x0;
    f.lift(x);
    value = f.gradient(x, g.x).value;
    span.start(x);
  }
  void step(double tolerance) {
    f.lift(g);
    span.remember(g, x, {});
    EXPECT_TRUE(span.search(f, x, value, {}, tolerance * norm(g.x), 4));
    const double expected = value;
    value = f.gradient(x, g.x).value;
    EXPECT_NEAR(value, expected, 1e-10 * (1 + std::abs(value))) << "the value told is not that of x";
  }
};

TEST(RememberedSpan, MinimisesAQuadraticInAsManyStepsAsItHasDimensions) {
  Random random(347);
  const std::size_t d = 9;
  const Problem p = random_quadratic(random, spectrum(d, 1e-3, 1));
  Descent run(*p.objective, d, random.normal_vector(d));
  const double first = norm(run.g.x);
  for (std::size_t k = 0; k < d; ++k) run.step(1e-9);
  EXPECT_LE(norm(run.g.x), 1e-8 * first);
}

TEST(RememberedSpan, IsConjugateGradientsAlsoWhenItForgets) {
  // On a quadratic the last step conjugates the next one, so forgetting all before it costs
  // nothing.
  Random random(349);
  const std::size_t d = 40;
  const Problem p = random_quadratic(random, spectrum(d, 1e-2, 1));
  Descent all(*p.objective, d, Vector(d)), few(*p.objective, 4, Vector(d));
  for (int k = 0; k < 20; ++k) {
    all.step(1e-10);
    few.step(1e-10);
    EXPECT_NEAR(few.value, all.value, 1e-6 * (1 + std::abs(all.value))) << "step " << k;
  }
}

TEST(RememberedSpan, NeverRises) {
  Random random(353);
  for (const LossInfo& loss : losses())
    for (const std::size_t directions : {1u, 3u, 20u}) {
      const Problem p = risk_problem(random, loss.name, 1e-5, {.rows = 50, .columns = 12});
      Descent run(*p.objective, directions, random.normal_vector(12, 3));
      double last = run.value;
      for (int k = 0; k < 30; ++k) {
        run.step(0.05);
        EXPECT_LE(run.value, last + 1e-12 * (1 + std::abs(last))) << loss.name << ", " << directions << " directions";
        last = run.value;
      }
    }
}

}  // namespace
}  // namespace geodescent::testing
