// Lower models: Q(y) = offset + linear.y + alpha/2 |y|^2 and what they say about the minimum.
#include "optimize/models/lower_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/information.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

TEST(LowerModel, OfOnePointHasTheCentreAndMinimumOfThePaper) {
  // x = (1, 2), g = (4, -2), f = 10, alpha = 2: c = x - g/alpha = (-1, 3), v = f - |g|^2/(2 alpha)
  // = 5.
  Information i{Point(2, 0), Point(2, 0), {}};
  i.x.x = {1, 2};
  i.g.x = {4, -2};
  i.e.value = 10;
  i.e.offset = 10 - (4 * 1 - 2 * 2) + 0.5 * 2 * (1 + 4);
  LowerModel model(2, 0, 2);
  model.set(i.x, i.g, i.e);
  EXPECT_EQ(model.centre(), (Vector{-1, 3}));
  EXPECT_EQ(model.minimum(), 5);
  EXPECT_LT(model.lower_bound(), 5);
  EXPECT_GT(model.lower_bound(), 5 - 1e-12);
  Point d(2, 0);
  model.direction_to_centre(i.x, d);
  EXPECT_EQ(d.x, (Vector{-2, 1}));
}

TEST(LowerModel, AndTheSinglePointBoundAreTheSame) {
  Random random(181);
  for (int k = 0; k < 50; ++k) {
    const Problem p = risk_problem(random, "logistic", random.log_uniform(1e-8, 1), {.rows = 20, .columns = 5});
    const Information i = at(*p.objective, random.normal_vector(5));
    LowerModel model(5, 20, p.objective->strong_convexity());
    model.set(i.x, i.g, i.e);
    const LowerBound bound = single_point_bound(i.x.x, i.g.x, i.e, p.objective->strong_convexity());
    EXPECT_NEAR(model.lower_bound(), bound.value, 2 * bound.error);
    EXPECT_GT(bound.error, 0);
    EXPECT_LE(bound.error, 10 * model.error());
  }
}

/// Information that is only known up to errors far above rounding, so that these decide.
Information rough(Random& random, std::size_t d, double alpha) {
  Information i{Point(d, 0), Point(d, 0), {}};
  i.x.x = random.normal_vector(d);
  i.g.x = random.normal_vector(d);
  i.e.value = random.normal();
  i.e.offset = i.e.value - dot(i.g.x, i.x.x) + 0.5 * alpha * squared_norm(i.x.x);
  i.e.offset_error = random.log_uniform(1e-6, 1e-2);
  i.e.linear_error = random.log_uniform(1e-6, 1e-2);
  return i;
}

/// The same as it may really be: slope and intercept moved by all that their errors allow, towards
/// a lower minimum.
struct TrueModel {
  RealVector slope;
  Real intercept;
  TrueModel(const Information& i, Real alpha)
      : slope(i.x.x.size()), intercept(static_cast<Real>(i.e.offset) - i.e.offset_error) {
    for (std::size_t j = 0; j < slope.size(); ++j) slope[j] = i.g.x[j] - alpha * i.x.x[j];
  }
  void lengthen(Real error) {
    const Real length = std::sqrt(squared_length(slope));
    for (Real& e : slope) e *= 1 + error / length;
  }
};

TEST(LowerModel, BoundIsLoweredByAllThatTheErrorsOfItsInformationAllow) {
  Random random(251);
  for (int k = 0; k < 200; ++k) {
    const std::size_t d = 1 + random.below(6);
    const double alpha = random.log_uniform(1e-3, 10);
    const Information first = rough(random, d, alpha), second = rough(random, d, alpha);
    TrueModel a(first, alpha), b(second, alpha);
    const auto minimum = [&](const TrueModel& m) { return m.intercept - squared_length(m.slope) / (2 * alpha); };

    LowerModel model(d, 0, alpha);
    model.set(first.x, first.g, first.e);
    TrueModel worst = a;
    worst.lengthen(first.e.linear_error);
    EXPECT_LE(model.lower_bound(), minimum(worst));
    EXPECT_LE(single_point_bound(first.x.x, first.g.x, first.e, alpha).value, minimum(worst));

    // The average with the weight that was chosen, which the new centre shows; its errors average
    // too.
    model.enclose(second.x, second.g, second.e);
    const Vector c = model.centre();
    Real along_axis = 0, axis2 = 0;
    for (std::size_t j = 0; j < d; ++j) {
      along_axis += (-alpha * static_cast<Real>(c[j]) - a.slope[j]) * (b.slope[j] - a.slope[j]);
      axis2 += (b.slope[j] - a.slope[j]) * (b.slope[j] - a.slope[j]);
    }
    const Real w = along_axis / axis2;
    TrueModel average = a;
    for (std::size_t j = 0; j < d; ++j) average.slope[j] = (1 - w) * a.slope[j] + w * b.slope[j];
    average.intercept = (1 - w) * a.intercept + w * b.intercept;
    average.lengthen((1 - w) * first.e.linear_error + w * second.e.linear_error);
    EXPECT_LE(model.lower_bound(),
              minimum(average) + 1e-14L * (std::abs(average.intercept) + std::abs(minimum(average))));
  }
}

TEST(LowerModel, DirectionToTheCentreIsLiftedWithItsImage) {
  Random random(191);
  const Problem p = risk_problem(random, "squared", 1e-3, {.rows = 20, .columns = 5});
  LowerModel model(5, 20, 1e-3);
  Information i = at(*p.objective, random.normal_vector(5));
  model.set(i.x, i.g, i.e);
  for (int k = 0; k < 10; ++k) {
    i = at(*p.objective, random.normal_vector(5));
    model.enclose(i.x, i.g, i.e);
    Point d(5, 20);
    model.direction_to_centre(i.x, d);
    Point fresh = d;
    p.objective->oracle()->lift(fresh);
    const Vector c = model.centre();
    for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(d.x[j], c[j] - i.x.x[j], 1e-12 * (std::abs(c[j]) + 1));
    for (std::size_t r = 0; r < 20; ++r)
      EXPECT_NEAR(d.image[r], fresh.image[r], 1e-12 * (norm(fresh.image) + norm(fresh.x) + 1));
  }
}

TEST(LowerModel, StaysBelowTheMinimumAfterThousandsOfPointsAtEveryAlpha) {
  Random random(193);
  for (const double alpha : {1.0, 1e-4, 1e-8}) {
    for (const LossInfo& loss : losses()) {
      const Problem p = risk_problem(random, loss.name, alpha, {.rows = 25, .columns = 6});
      const Optimum optimum = newton(p.truth);
      LowerModel model(6, 25, alpha);
      const Information first = at(*p.objective, Vector(6));
      model.set(first.x, first.g, first.e);
      double before = model.minimum();
      for (int k = 0; k < 1000; ++k) {
        // Points near the optimum, so that the bound is tight and an error would show.
        const Information i =
            at(*p.objective, rounded(along(optimum.x, random.log_uniform(1e-12, 1), real(random.unit_vector(6)))));
        model.enclose(i.x, i.g, i.e);
        ASSERT_LE(model.lower_bound(), optimum.lower) << loss.name << " " << alpha << " " << k;
        ASSERT_GE(model.minimum(), before - 2 * model.error());
        before = model.minimum();
      }
      EXPECT_LE(model.error(), 1e-9 * static_cast<double>(optimum.value))
          << "an error bound of no use, alpha " << alpha;
      EXPECT_LE(optimum.lower - model.lower_bound(), 1e-6L * optimum.value) << "a bound of no use";
    }
  }
}

TEST(LowerModel, ThatAddsNothingIsLeftAlone) {
  // The new model lies below the old one everywhere: weight 0.
  LowerModel model(1, 0, 1);
  Information better{Point(1, 0), Point(1, 0), {}}, worse = better;
  better.e = {.value = 5, .offset = 5};
  worse.e = {.value = 1, .offset = 1};
  model.set(better.x, better.g, better.e);
  model.enclose(worse.x, worse.g, worse.e);
  EXPECT_EQ(model.minimum(), 5);
  EXPECT_EQ(model.centre(), (Vector{0}));
}

TEST(LowerModel, ThatIsBetterEverywhereReplacesTheOld) {
  LowerModel model(1, 0, 1);
  Information low{Point(1, 0), Point(1, 0), {}}, high = low;
  low.e = {.value = 1, .offset = 1};
  high.x.x = {0.5};
  high.e = {.value = 5, .offset = 5 + 0.125};
  model.set(low.x, low.g, low.e);
  model.enclose(high.x, high.g, high.e);
  EXPECT_EQ(model.minimum(), 5);
  EXPECT_EQ(model.centre(), (Vector{0.5}));
}

}  // namespace
}  // namespace geodescent::testing
