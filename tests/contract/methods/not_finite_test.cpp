// User functions that are not finite everywhere, or throw. The run must return the last good point,
// or avoid the bad points if it can.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "geodescent/optimize/function.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "support/numbers.hpp"
#include "support/problems.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// sum (i + 1)/2 (x_i - 1)^2 + log cosh x_i, a well-behaved function.
double value_and_gradient(std::span<const double> x, std::span<double> g) {
  double value = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double weight = static_cast<double>(i + 1), r = x[i] - 1;
    value += 0.5 * weight * r * r + std::log(std::cosh(x[i]));
    g[i] = weight * r + std::tanh(x[i]);
  }
  return value;
}

constexpr std::size_t coordinates = 4;
const FunctionProperties known{.dimension = coordinates, .strong_convexity = 1};

double value_at(const Vector& x) {
  Vector g(x.size());
  return value_and_gradient(x, g);
}

class NotFinite : public ::testing::TestWithParam<std::string_view> {
 protected:
  Vector x0{3, -2, 0.5, 7};

  Result run(const FunctionObjective::ValueAndGradient& f) const {
    return minimize_with(GetParam(), FunctionObjective(known, f), x0, {.gap_tolerance = 1e-10, .max_iterations = 500});
  }

  static void expect_last_good_point(const Result& r) {
    EXPECT_EQ(r.status, Status::not_finite) << to_string(r.status) << ": " << r.message;
    ASSERT_TRUE(std::isfinite(r.value)) << r.message;
    for (const double v : r.x) ASSERT_TRUE(std::isfinite(v));
    EXPECT_NEAR(r.value, value_at(r.x), 1e-13 * std::abs(r.value)) << "the value is not that of the point";
    EXPECT_GE(r.gap(), 0);
    EXPECT_FALSE(std::isnan(r.lower_bound));
    EXPECT_FALSE(r.message.empty());
  }
};

TEST_P(NotFinite, AtTheStartIsReportedWithTheStart) {
  for (const double bad : {nan, infinity, -infinity}) {
    const Result value = run([=](std::span<const double> x, std::span<double> g) {
      value_and_gradient(x, g);
      return bad;
    });
    EXPECT_EQ(value.status, Status::not_finite);
    EXPECT_EQ(value.x, x0);
    EXPECT_EQ(value.iterations, 0u);
    EXPECT_NE(value.message.find("start"), std::string::npos) << value.message;
    EXPECT_FALSE(std::isnan(value.lower_bound));

    const Result gradient = run([=](std::span<const double> x, std::span<double> g) {
      const double v = value_and_gradient(x, g);
      g[2] = bad;
      return v;
    });
    EXPECT_EQ(gradient.status, Status::not_finite);
    EXPECT_EQ(gradient.x, x0);
    EXPECT_EQ(gradient.value, value_at(x0)) << "the value there is known";
    EXPECT_EQ(gradient.iterations, 0u);
    EXPECT_FALSE(std::isnan(gradient.lower_bound));
  }
}

TEST_P(NotFinite, FromSomeEvaluationOnReturnsTheLastGoodPointAndItsValue) {
  // From evaluation k on nothing is finite, at any point. So even the last good point cannot be
  // evaluated again.
  for (const double bad : {nan, infinity})
    for (std::uint64_t last_good = 1; last_good <= 30; ++last_good) {
      SCOPED_TRACE(::testing::Message() << last_good << " good evaluations, then " << bad);
      std::uint64_t evaluations = 0;
      double best = infinity;
      const Result r = run([&](std::span<const double> x, std::span<double> g) {
        const double v = value_and_gradient(x, g);
        if (++evaluations > last_good) {
          std::fill(g.begin(), g.end(), bad);
          return bad;
        }
        best = std::min(best, v);
        return v;
      });
      if (r.status == Status::converged) continue;  // converged before
      expect_last_good_point(r);
      EXPECT_LE(r.value, value_at(x0));
      EXPECT_GE(r.value, best);
    }
}

TEST_P(NotFinite, GradientFromSomeEvaluationOnReturnsTheLastGoodPointAndItsValue) {
  for (const double bad : {nan, infinity, -infinity})
    for (std::uint64_t last_good = 1; last_good <= 30; ++last_good) {
      SCOPED_TRACE(::testing::Message() << last_good << " good evaluations, then " << bad);
      std::uint64_t evaluations = 0;
      const Result r = run([&](std::span<const double> x, std::span<double> g) {
        const double v = value_and_gradient(x, g);
        if (++evaluations > last_good) g[1] = bad;
        return v;
      });
      if (r.status == Status::converged) continue;
      expect_last_good_point(r);
      EXPECT_LE(r.value, value_at(x0));
    }
}

TEST_P(NotFinite, ASingleBadEvaluationNeverCorruptsTheResult) {
  for (std::uint64_t which = 2; which <= 25; ++which) {
    SCOPED_TRACE(::testing::Message() << "evaluation " << which);
    std::uint64_t evaluations = 0;
    const Result r = run([&](std::span<const double> x, std::span<double> g) {
      const double v = value_and_gradient(x, g);
      if (++evaluations != which) return v;
      std::fill(g.begin(), g.end(), nan);
      return nan;
    });
    EXPECT_TRUE(r.status == Status::converged || r.status == Status::not_finite) << r.message;
    ASSERT_TRUE(std::isfinite(r.value));
    EXPECT_NEAR(r.value, value_at(r.x), 1e-13 * std::abs(r.value));
    EXPECT_FALSE(std::isnan(r.lower_bound));
    const double minimum = run(value_and_gradient).value;
    EXPECT_LE(r.lower_bound, minimum);
    EXPECT_GE(r.gap(), r.value - minimum);
  }
}

TEST_P(NotFinite, ExceptionsOfTheFunctionPassThrough) {
  struct Mine : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  for (std::uint64_t which = 1; which <= 8; ++which) {
    std::uint64_t evaluations = 0;
    EXPECT_THROW(run([&](std::span<const double> x, std::span<double> g) {
                   if (++evaluations == which) throw Mine("mine");
                   return value_and_gradient(x, g);
                 }),
                 Mine)
        << "evaluation " << which;
  }
}

TEST_P(NotFinite, ExceptionsOfTheObserverPassThrough) {
  EXPECT_THROW(minimize_with(GetParam(), FunctionObjective(known, value_and_gradient), x0, {},
                             [](const Progress& at) -> bool {
                               if (at.iteration == 2) throw std::logic_error("mine");
                               return true;
                             }),
               std::logic_error);
}

/// sum -log(1 - x_i^2) + 5/2 |x - a|^2: infinite outside the cube, with the minimum inside and a
/// curvature of at least 7.
double barrier(std::span<const double> x, std::span<double> g) {
  double value = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = static_cast<double>(i) - 1, r = x[i] - a, inside = 1 - x[i] * x[i];
    if (!(inside > 0)) {
      std::fill(g.begin(), g.end(), nan);
      return infinity;
    }
    value += 2.5 * r * r - std::log(inside);
    g[i] = 5 * r + 2 * x[i] / inside;
  }
  return value;
}

TEST_P(NotFinite, BeyondAWallIsNoObstacleForLineSearches) {
  const FunctionObjective f({.dimension = coordinates, .strong_convexity = 7}, barrier);
  const auto minimum_of = [](double a) {  // the root of 5 (x - a) (1 - x^2) + 2 x, by bisection
    double low = -1, high = 1;
    for (int k = 0; k < 200; ++k) {
      const double x = 0.5 * (low + high);
      (5 * (x - a) * (1 - x * x) + 2 * x < 0 ? low : high) = x;
    }
    return low;
  };
  double minimum = 0;
  for (std::size_t i = 0; i < coordinates; ++i) {
    const double a = static_cast<double>(i) - 1, x = minimum_of(a);
    minimum += 2.5 * (x - a) * (x - a) - std::log(1 - x * x);
  }
  for (const double start : {0.0, 0.9, -0.999, 0.9999999})
    for (const char* search : {"wolfe", "exact"}) {
      SCOPED_TRACE(::testing::Message() << "start " << start);
      const Result r = minimize(f, with_setting(method_of(GetParam()), "line-search", search),
                                Vector(coordinates, start), {.gap_tolerance = 1e-8, .max_iterations = 3000});
      EXPECT_LE(r.lower_bound, minimum + 1e-12);
      EXPECT_GE(r.value, minimum - 1e-12);
      EXPECT_GE(r.gap(), r.value - minimum - 1e-12);
      const bool line_searches =
          GetParam() == "geod" || GetParam() == "sd" || GetParam() == "afgwr" || GetParam() == "lbfgs";
      // The other methods step by 1/beta, which this function does not have. But they must report
      // the failure.
      EXPECT_TRUE(r.status == Status::converged || (!line_searches && r.status != Status::not_strongly_convex))
          << r.message;
    }
}

INSTANTIATE_TEST_SUITE_P(All, NotFinite, ::testing::ValuesIn(method_variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace geodescent::testing
