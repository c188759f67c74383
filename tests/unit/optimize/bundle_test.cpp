// Many balls at once.
#include "optimize/models/bundle.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/information.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

TEST(Bundle, IsNeverBelowTheTwoBallRuleAndNeverAboveTheMinimum) {
  Random random(233);
  for (const std::size_t capacity : {0u, 1u, 5u, 30u})
    for (int k = 0; k < 30; ++k) {
      const Problem p = risk_problem(random, k % 2 ? "logistic" : "smoothed-hinge", random.log_uniform(1e-6, 1e-1),
                                     {.rows = 30, .columns = 6});
      const auto oracle = p.objective->oracle();
      Oracle& f = *oracle;
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
        // Its image is that of its linear term.
        bundle.set_images(i.x, i.g);
        Point linear = bundle.linear();
        f.lift(linear);
        for (std::size_t r = 0; r < linear.image.size(); ++r)
          EXPECT_NEAR(linear.image[r], bundle.linear().image[r], 1e-10 * (1 + norm(linear.image)));
      }
    }
}

TEST(Bundle, ManyBallsProveMoreThanTwo) {
  Random random(239);
  double gained = 0;
  for (int k = 0; k < 20; ++k) {
    const Problem p = risk_problem(random, "logistic", 1e-3, {.rows = 40, .columns = 8});
    const auto oracle = p.objective->oracle();
    Oracle& f = *oracle;
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

TEST(Bundle, OfFewBallsStillHoldsTheLastOnes) {
  // After many points far away, as many near the minimum as the bundle holds: it proves what these
  // alone would prove.
  Random random(241);
  for (int k = 0; k < 20; ++k) {
    const Problem p = risk_problem(random, "logistic", 1e-2, {.rows = 40, .columns = 4});
    const auto oracle = p.objective->oracle();
    Oracle& f = *oracle;
    const Optimum optimum = newton(p.truth);
    Bundle few(4, f.image_size(), f.strong_convexity(), 5), fresh(4, f.image_size(), f.strong_convexity(), 5);
    for (int step = 0; step < 40; ++step) {
      const Information i = at(f, random.normal_vector(4, 10));
      few.enclose(i.x, i.g, i.e);
    }
    for (int step = 0; step < 5; ++step) {
      Vector x = random.normal_vector(4, 0.1);
      for (std::size_t j = 0; j < 4; ++j) x[j] += static_cast<double>(optimum.x[j]);
      const Information i = at(f, x);
      few.enclose(i.x, i.g, i.e);
      fresh.enclose(i.x, i.g, i.e);
    }
    const double gap = static_cast<double>(optimum.value) - fresh.model().minimum();
    EXPECT_GE(few.model().minimum(), fresh.model().minimum() - 0.05 * gap);
  }
}

TEST(Bundle, OfUnknownConvexityWaitsForTwoPoints) {
  Random random(251);
  const Problem p = random_quadratic(random, spectrum(4, 1e-2, 1));
  const auto oracle = p.objective->oracle();
  Oracle& f = *oracle;
  Bundle bundle(4, f.image_size(), 0, 5);
  const Information i = at(f, random.normal_vector(4)), j = at(f, random.normal_vector(4));
  bundle.enclose(i.x, i.g, i.e);
  EXPECT_FALSE(bundle.exists());
  bundle.enclose(i.x, i.g, i.e);
  EXPECT_FALSE(bundle.exists()) << "the same point again says nothing";
  bundle.enclose(j.x, j.g, j.e);
  EXPECT_TRUE(bundle.exists());
  EXPECT_TRUE(std::isfinite(bundle.model().minimum()));
  EXPECT_GE(bundle.alpha(), 1e-2 * (1 - 1e-6));
}

TEST(Bundle, OfUnknownConvexityIsNeverAboveAValueSeen) {
  // The points of a run down a valley: each pair allows more than the truth, and many together
  // contradict that.
  Random random(257);
  for (int k = 0; k < 50; ++k) {
    const SmoothFunction truth = log_sum_exp(random, 10, 3, 1e-6);
    const Problem p = user_problem("log-sum-exp", truth);
    const auto f = p.objective->oracle();
    Bundle bundle(3, 0, 0, 10);
    double lowest = std::numeric_limits<double>::infinity();
    for (int step = 0; step < 30; ++step) {
      Point x(3, 0), g(3, 0);
      x.x = random.normal_vector(3, 3.0 / (1 + step));
      Evaluation e = f->gradient(x, g.x);
      e.offset -= 0.5e-6 * squared_norm(x.x);  // as of a function whose alpha is unknown
      bundle.enclose(x, g, e);
      lowest = std::min(lowest, e.value);
      if (!bundle.exists()) continue;
      EXPECT_LE(bundle.model().lower_bound(), lowest + 1e-12 * std::abs(lowest));
    }
  }
}

}  // namespace
}  // namespace geodescent::testing
