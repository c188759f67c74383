// If double precision is not enough for the tolerance, a method must end, report that, and not
// claim a gap below the true one. Results are true for every start, also at the optimum or
// extremely far from it.
#include <gtest/gtest.h>

#include <limits>

#include "geodescent/optimize/minimize.hpp"
#include "support/numbers.hpp"
#include "support/problems.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

class Precision : public ::testing::TestWithParam<std::string_view> {};

std::vector<Problem> problems(double alpha) {
  Random random(101);
  std::vector<Problem> all{random_quadratic(random, spectrum(10, alpha, 1)),
                           user_problem("log-sum-exp", log_sum_exp(random, 15, 6, alpha)),
                           user_problem("pseudo-Huber", pseudo_huber(random, 15, 6, alpha), false)};
  for (const LossInfo& loss : losses()) {
    all.push_back(risk_problem(random, loss.name, alpha, {.rows = 30, .columns = 6}));
    all.push_back(risk_problem(random, loss.name, alpha, {.rows = 8, .columns = 15, .density = 0.5}));
    all.push_back(risk_problem(random, loss.name, alpha, {.rows = 20, .columns = 1}));
    all.push_back(risk_problem(random, loss.name, alpha, {.rows = 3, .columns = 2}));
  }
  return all;
}

/// Conditions that hold for every result.
void expect_honest(const Problem& p, const Optimum& optimum, const Result& r) {
  const Sample truth = p.truth.at(real(r.x));
  EXPECT_LE(r.lower_bound, optimum.lower);
  EXPECT_GE(r.gap(), truth.value - optimum.lower) << "a gap below the true one";
  EXPECT_GE(r.gap(), 0);
  EXPECT_LE(std::abs(r.value - truth.value), 4 * eps * truth.magnitude) << "the value reported is not f(x)";
  EXPECT_NEAR(r.gradient_norm, static_cast<double>(std::sqrt(squared_length(truth.gradient))),
              1e-9 * r.gradient_norm +
                  1e-14 * static_cast<double>(p.truth.beta * std::sqrt(squared_length(real(r.x))) + truth.magnitude))
      << "the gradient norm reported is not that at x";
  EXPECT_FALSE(r.message.empty());
}

TEST_P(Precision, ToleranceZeroEndsAtThePrecisionLimitWithAnHonestGap) {
  for (const double alpha : {1.0, 1e-2, 1e-5}) {
    for (const Problem& p : problems(alpha)) {
      SCOPED_TRACE(::testing::Message() << p.name << ", alpha " << alpha << ", dimension " << p.truth.dimension);
      const Optimum optimum = newton(p.truth);
      const Vector x0 = Random(3).normal_vector(p.truth.dimension);
      const Result r = minimize_with(GetParam(), *p.objective, x0, {.gap_tolerance = 0, .max_iterations = 1000});
      SCOPED_TRACE(r.message);
      expect_honest(p, optimum, r);
      EXPECT_TRUE(r.status == Status::precision_limit || r.status == Status::iteration_limit) << to_string(r.status);
      if (r.status == Status::precision_limit) {
        // Rounding must be the real obstacle: of the values, relative to the sum of the magnitudes
        // of their terms, or of the gradient, whose square over 2 alpha is the gap of a single
        // point.
        const Real magnitude = std::max(p.truth.at(real(x0)).magnitude, p.truth.at(optimum.x).magnitude);
        EXPECT_LE(r.gap(), 1e-12L * magnitude * std::max(1.0L, 1 / p.truth.alpha)) << "stopped too early";
      }
    }
  }
}

TEST_P(Precision, WarmStartAtTheOptimumEndsSoonAndHonestly) {
  for (const double alpha : {1.0, 1e-4, 1e-8}) {
    for (const Problem& p : problems(alpha)) {
      SCOPED_TRACE(::testing::Message() << p.name << ", alpha " << alpha << ", dimension " << p.truth.dimension);
      const Optimum optimum = newton(p.truth);
      const Result r =
          minimize_with(GetParam(), *p.objective, rounded(optimum.x), {.gap_tolerance = 0, .max_iterations = 50});
      SCOPED_TRACE(r.message);
      expect_honest(p, optimum, r);
      EXPECT_NE(r.status, Status::not_finite);
      EXPECT_NE(r.status, Status::not_strongly_convex);
    }
  }
}

TEST_P(Precision, WarmStartFarAwayStillConvergesWithAnHonestGap) {
  for (const double distance : {1e3, 1e6, 1e8}) {
    for (const Problem& p : problems(1e-2)) {
      SCOPED_TRACE(::testing::Message() << p.name << ", from " << distance << ", dimension " << p.truth.dimension);
      const Optimum optimum = newton(p.truth);
      const Vector x0 = Random(9).normal_vector(p.truth.dimension, distance);
      // Relative to f(0), so that the large distance does not make the task trivial.
      const double f_of_zero = static_cast<double>(p.truth.at(RealVector(p.truth.dimension)).value);
      Options options{.gap_tolerance = 1e-6, .reference_value = f_of_zero, .max_iterations = 5000};
      const Result r = minimize_with(GetParam(), *p.objective, x0, options);
      SCOPED_TRACE(r.message);
      expect_honest(p, optimum, r);
      EXPECT_TRUE(r.status == Status::converged) << to_string(r.status) << " after " << r.iterations;
    }
  }
}

TEST_P(Precision, ConvergedMeansThatTheReportedGapIsWithinTheTolerance) {
  for (const double tolerance : {1e-3, 1e-8, 1e-12, 1e-14, 1e-15, 1e-16}) {
    for (const Problem& p : problems(0.1)) {
      SCOPED_TRACE(::testing::Message() << p.name << ", tolerance " << tolerance);
      const Result relative =
          minimize_with(GetParam(), *p.objective, {}, {.gap_tolerance = tolerance, .max_iterations = 500});
      EXPECT_TRUE(relative.status != Status::converged || relative.relative_gap() <= tolerance)
          << relative.relative_gap() << ": " << relative.message;
      Options options{.gap_tolerance = 0, .absolute_gap_tolerance = tolerance, .max_iterations = 500};
      const Result absolute = minimize_with(GetParam(), *p.objective, {}, options);
      EXPECT_TRUE(absolute.status != Status::converged || absolute.gap() <= tolerance)
          << absolute.gap() << ": " << absolute.message;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Precision, ::testing::ValuesIn(method_variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace geodescent::testing
