// The checker must find wrong gradients and wrong alphas, and must not accuse right ones, whatever
// the unit of f and x.
#include "geodescent/optimize/gradient_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "geodescent/optimize/function.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

/// scale * sum (log cosh(x_i - i) + 1/2 x_i^2), with its gradient spoiled by `spoil`.
template <class Spoil>
FunctionObjective function(double scale, Spoil spoil, double alpha = 1) {
  return FunctionObjective({.dimension = 5, .strong_convexity = alpha * scale},
                           [=](std::span<const double> x, std::span<double> g) {
                             double value = 0;
                             for (std::size_t i = 0; i < x.size(); ++i) {
                               const double r = x[i] - static_cast<double>(i);
                               value += scale * (std::log(std::cosh(r)) + 0.5 * x[i] * x[i]);
                               g[i] = scale * (std::tanh(r) + x[i]);
                             }
                             spoil(g);
                             return value;
                           });
}

const auto nothing = [](std::span<double>) {};

TEST(GradientCheck, PassesARightGradientAtEveryScale) {
  Random random(223);
  for (const double scale : {1e-12, 1e-6, 1.0, 1e6, 1e12})
    for (const double size : {0.0, 1e-3, 1.0, 30.0}) {
      const GradientCheck check = check_gradient(function(scale, nothing), random.normal_vector(5, size));
      EXPECT_TRUE(check.passed) << scale << " " << size << ": " << check.message;
      EXPECT_TRUE(check.strongly_convex) << scale << " " << size;
      EXPECT_LE(check.error, 1e-6);
      EXPECT_FALSE(check.message.empty());
    }
}

TEST(GradientCheck, FindsAWrongCoordinateAtEveryScale) {
  for (const double scale : {1e-12, 1e-6, 1.0, 1e6, 1e12})
    for (std::size_t wrong = 0; wrong < 5; ++wrong) {
      const auto f = function(scale, [=](std::span<double> g) { g[wrong] += 1e-3 * scale; });
      const GradientCheck check = check_gradient(f, Vector{1, -2, 0.5, 3, 1});
      EXPECT_FALSE(check.passed) << "scale " << scale << ": " << check.message;
      EXPECT_EQ(check.worst_coordinate, wrong);
      EXPECT_NEAR(check.gradient - check.difference_quotient, 1e-3 * scale, 1e-5 * scale);
      EXPECT_NE(check.message.find("coordinate " + std::to_string(wrong)), std::string::npos) << check.message;
    }
}

TEST(GradientCheck, FindsAWrongSignAWrongFactorAndZero) {
  const Vector x{1, -2, 0.5, 3, 1};
  EXPECT_FALSE(check_gradient(function(1,
                                       [](std::span<double> g) {
                                         for (double& v : g) v = -v;
                                       }),
                              x)
                   .passed);
  EXPECT_FALSE(check_gradient(function(1,
                                       [](std::span<double> g) {
                                         for (double& v : g) v *= 2;
                                       }),
                              x)
                   .passed);
  EXPECT_FALSE(check_gradient(function(1,
                                       [](std::span<double> g) {
                                         for (double& v : g) v *= 1 + 1e-5;
                                       }),
                              x)
                   .passed);
  EXPECT_FALSE(check_gradient(function(1,
                                       [](std::span<double> g) {
                                         for (double& v : g) v = 0;
                                       }),
                              x)
                   .passed);
}

TEST(GradientCheck, FindsAGradientOrValueThatIsNoNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Vector x(5, 1);
  const GradientCheck check = check_gradient(function(1, [=](std::span<double> g) { g[3] = nan; }), x);
  EXPECT_FALSE(check.passed);
  EXPECT_EQ(check.worst_coordinate, 3u);
  const FunctionObjective bad({.dimension = 5, .strong_convexity = 1},
                              [=](std::span<const double>, std::span<double>) { return nan; });
  EXPECT_FALSE(check_gradient(bad, x).passed);
}

TEST(GradientCheck, FindsAnAlphaThatIsTooLarge) {
  // The curvature is between 1 and 2.
  const Vector x{1, -2, 0.5, 3, 1};
  for (const double scale : {1e-6, 1.0, 1e6}) {
    const GradientCheck wrong = check_gradient(function(scale, nothing, 3), x);
    EXPECT_FALSE(wrong.strongly_convex) << scale;
    EXPECT_NE(wrong.message.find("strong_convexity"), std::string::npos);
    EXPECT_TRUE(wrong.passed) << "the gradient is right";
    EXPECT_TRUE(check_gradient(function(scale, nothing, 1), x).strongly_convex) << scale;
  }
}

TEST(GradientCheck, KeepsItsTolerance) {
  const auto f = function(1, [](std::span<double> g) { g[0] *= 1 + 1e-3; });
  const Vector x{3, -2, 0.5, 3, 1};
  EXPECT_FALSE(check_gradient(f, x, 1e-4).passed);
  EXPECT_TRUE(check_gradient(f, x, 1e-2).passed);
}

TEST(GradientCheck, PassesAtAMinimumWhereTheGradientVanishes) {
  Random random(227);
  const Problem p = random_quadratic(random, spectrum(8, 0.1, 10));
  const GradientCheck check = check_gradient(*p.objective, rounded(newton(p.truth).x));
  EXPECT_TRUE(check.passed) << check.message;
  EXPECT_TRUE(check.strongly_convex);
}

TEST(GradientCheck, RefusesAPointOfTheWrongSize) {
  EXPECT_THROW(check_gradient(function(1, nothing), Vector(4)), std::invalid_argument);
}

}  // namespace
}  // namespace geodescent::testing
