// A function whose strong convexity nobody has told.
#include <gtest/gtest.h>

#include <stdexcept>
#include <tuple>

#include "geodescent/optimize/function.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

/// The same function, keeping its alpha for itself.
FunctionObjective secretive(const SmoothFunction& f) {
  return FunctionObjective({.dimension = f.dimension}, [f](std::span<const double> x, std::span<double> g) {
    const Sample s = f.at(real(x));
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = static_cast<double>(s.gradient[i]);
    return static_cast<double>(s.value);
  });
}

TEST(UnknownConvexity, IsEstimatedAndSaidToBe) {
  Random random(359);
  for (const double alpha : {1e-1, 1e-3, 1e-5}) {
    const SmoothFunction truth = log_sum_exp(random, 20, 8, alpha);
    const Optimum optimum = newton(truth);
    const Result r = minimize(secretive(truth), Vector(8, 1.0), {.gap_tolerance = 1e-6});
    EXPECT_EQ(r.status, Status::converged) << r.message;
    EXPECT_FALSE(r.proven());
    ASSERT_TRUE(r.estimated_strong_convexity.has_value());
    EXPECT_GE(*r.estimated_strong_convexity, alpha * (1 - 1e-6)) << "the points allow at least the truth";
    EXPECT_NE(r.message.find("estimate"), std::string::npos) << r.message;
    EXPECT_NE(r.message.find("not a proof"), std::string::npos) << r.message;
    EXPECT_EQ(r.message.find("proven"), std::string::npos) << r.message;
    const double possible = r.reference_value - static_cast<double>(optimum.value);
    EXPECT_LE(r.value - static_cast<double>(optimum.value), 1e-5 * possible);
  }
}

// Rounding does not explain it: no step lowers the value because the gradient points the wrong way.
TEST(UnknownConvexity, AWrongSignOfTheGradientIsNotBlamedOnPrecision) {
  for (const char* method : {"geod-memory", "lbfgs", "sd"}) {
    const auto run = [&](double sign) {
      return minimize(
          [sign](std::span<const double> x, std::span<double> g) {
            for (std::size_t j = 0; j < g.size(); ++j) g[j] = sign * x[j];
            return 0.5 * squared_norm(x);
          },
          method, Vector(5, 1.0));
    };
    const Result wrong = run(-1), zero = run(0);
    EXPECT_EQ(wrong.status, Status::precision_limit);
    EXPECT_EQ(
        wrong.message.find("no step from the start lowers the value; the gradient norm is 2.24, so this is rounding "
                           "or the gradient is wrong: compare it by check_gradient()"),
        0u)
        << wrong.message;
    EXPECT_EQ(zero.message.find("no step from the start lowers the value; the gradient is 0"), 0u) << zero.message;
  }
}

TEST(UnknownConvexity, OfAKnownOneNothingIsSaid) {
  Random random(367);
  const Problem p = user_problem("log-sum-exp", log_sum_exp(random, 20, 8, 1e-2));
  const Result r = minimize(*p.objective, Vector(8, 1.0));
  EXPECT_TRUE(r.proven());
  EXPECT_FALSE(r.estimated_strong_convexity.has_value());
  EXPECT_NE(r.message.find("proven"), std::string::npos) << r.message;
}

TEST(UnknownConvexity, LeavesLbfgsWithoutABound) {
  Random random(373);
  const SmoothFunction truth = log_sum_exp(random, 20, 8, 1e-2);
  const Result r =
      minimize(secretive(truth), "lbfgs", Vector(8, 1.0), {.gap_tolerance = 1e-3, .gradient_tolerance = 1e-6});
  EXPECT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LE(r.gradient_norm, 1e-6);
  EXPECT_FALSE(r.proven());
  EXPECT_EQ(r.lower_bound, -std::numeric_limits<double>::infinity());
  EXPECT_NE(r.message.find("unknown"), std::string::npos) << r.message;
}

TEST(UnknownConvexity, IsRefusedByTheMethodsThatStandOnIt) {
  Random random(379);
  const FunctionObjective f = secretive(log_sum_exp(random, 20, 8, 1e-2));
  for (const char* method : {"geod", "geod-fixed", "ball"})
    EXPECT_THROW(std::ignore = minimize(f, method), std::invalid_argument);
}

TEST(UnknownConvexity, MayBeNone) {
  // x^4 is flat at its minimum: no alpha > 0 holds.
  const FunctionObjective quartic({.dimension = 1}, [](std::span<const double> x, std::span<double> g) {
    g[0] = 4 * x[0] * x[0] * x[0];
    return x[0] * x[0] * x[0] * x[0];
  });
  const Result r = minimize(quartic, Vector{3}, {.gap_tolerance = 1e-8});
  EXPECT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LE(r.value, 1e-6 * 81);
}

TEST(UnknownConvexity, OfASphereIsFoundInNoTime) {
  const FunctionObjective sphere({.dimension = 3}, [](std::span<const double> x, std::span<double> g) {
    double value = 0;
    for (std::size_t i = 0; i < 3; ++i) g[i] = 2 * (x[i] - 1), value += (x[i] - 1) * (x[i] - 1);
    return value;
  });
  const Result r = minimize(sphere, Vector{5, 6, 7});
  EXPECT_EQ(r.status, Status::converged) << r.message;
  EXPECT_LE(r.value, 1e-12);
  EXPECT_LE(r.iterations, 10u);
}

TEST(UnknownConvexity, AtTheMinimumAlreadyIsNoTrouble) {
  const FunctionObjective sphere({.dimension = 2}, [](std::span<const double> x, std::span<double> g) {
    g[0] = x[0], g[1] = x[1];
    return 0.5 * squared_norm(x);
  });
  const Result r = minimize(sphere, Vector{0, 0});
  EXPECT_EQ(r.value, 0);
  EXPECT_EQ(r.message.find("nan"), std::string::npos) << r.message;
}

TEST(UnknownConvexity, OfAFunctionThatIsNotConvexProvesNothing) {
  // Two valleys: it ends in one of them, and says no more than that.
  const FunctionObjective valleys({.dimension = 1}, [](std::span<const double> x, std::span<double> g) {
    const double u = x[0] * x[0] - 1;
    g[0] = 4 * u * x[0];
    return u * u;
  });
  const Result r = minimize(valleys, Vector{0.3}, {.gap_tolerance = 1e-6, .max_iterations = 200});
  EXPECT_FALSE(r.proven());
  EXPECT_LE(r.value, 1);
  EXPECT_NE(r.status, Status::not_finite);
}

TEST(UnknownConvexity, IsSaidWhileTheRunGoesOn) {
  Random random(431);
  bool proven = true, known = false;
  std::ignore = minimize(secretive(log_sum_exp(random, 20, 8, 1e-2)), Vector(8, 1.0), {}, [&](const Progress& at) {
    proven = at.proven;
    EXPECT_FALSE(at.method->ball().has_value()) << "no ball is known to hold the minimiser";
    return true;
  });
  std::ignore = minimize(*user_problem("", log_sum_exp(random, 20, 8, 1e-2)).objective, Vector(8, 1.0), {},
                         [&](const Progress& at) {
                           known = at.proven;
                           return true;
                         });
  EXPECT_FALSE(proven);
  EXPECT_TRUE(known);
}

}  // namespace
}  // namespace geodescent::testing
