// Many balls at once.
#include "core/bundle.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

struct Information {
  Point x, g;
  Evaluation e;
};

Information at(const Objective& f, const Vector& x) {
  Information i{Point(f.dimension(), f.image_size()), Point(f.dimension(), f.image_size()), {}};
  i.x.x = x;
  f.lift(i.x);
  i.e = f.gradient(i.x, i.g.x);
  f.lift(i.g);
  return i;
}

TEST(Bundle, IsNeverBelowTheTwoBallRuleAndNeverAboveTheMinimum) {
  Random random(233);
  for (const std::size_t capacity : {0u, 1u, 5u, 30u})
    for (int k = 0; k < 30; ++k) {
      const Problem p = risk_problem(random, k % 2 ? "logistic" : "smoothed-hinge", random.log_uniform(1e-6, 1e-1),
                                     {.rows = 30, .columns = 6});
      const Objective& f = *p.objective;
      const Optimum optimum = newton(p.truth);
      Bundle bundle(f.dimension(), f.image_size(), f.strong_convexity(), capacity);
      double bound = 0;
      for (int step = 0; step < 25; ++step) {
        Vector x = random.normal_vector(f.dimension(), 0.3);
        for (std::size_t j = 0; j < x.size(); ++j) x[j] += static_cast<double>(optimum.x[j]);
        const Information i = at(f, x);
        if (step == 0) {
          bundle.enclose(i.x, i.g, i.e);
        } else {
          LowerModel two = bundle.model();
          two.enclose(i.x, i.g, i.e);
          bundle.enclose(i.x, i.g, i.e);
          EXPECT_GE(bundle.model().lower_bound(), two.lower_bound());
          EXPECT_GE(bundle.model().lower_bound(), bound) << "it never falls";
        }
        bound = bundle.model().lower_bound();
        EXPECT_LE(bound, static_cast<double>(optimum.value));
        // Its image is that of its slope.
        bundle.set_images(i.x, i.g);
        Point slope = bundle.slope();
        f.lift(slope);
        for (std::size_t r = 0; r < slope.image.size(); ++r)
          EXPECT_NEAR(slope.image[r], bundle.slope().image[r], 1e-10 * (1 + norm(slope.image)));
      }
    }
}

TEST(Bundle, ManyBallsProveMoreThanTwo) {
  Random random(239);
  double gained = 0;
  for (int k = 0; k < 20; ++k) {
    const Problem p = risk_problem(random, "logistic", 1e-3, {.rows = 40, .columns = 8});
    const Objective& f = *p.objective;
    Bundle many(f.dimension(), f.image_size(), f.strong_convexity(), 20),
        none(f.dimension(), f.image_size(), f.strong_convexity(), 0);
    for (int step = 0; step < 20; ++step) {
      const Information i = at(f, random.normal_vector(f.dimension(), 1));
      for (Bundle* b : {&many, &none}) b->enclose(i.x, i.g, i.e);
    }
    EXPECT_GE(many.model().minimum(), none.model().minimum() - 1e-9 * std::abs(none.model().minimum()));
    gained += many.model().minimum() - none.model().minimum();
  }
  EXPECT_GT(gained, 0);
}

}  // namespace
}  // namespace geodescent::testing
