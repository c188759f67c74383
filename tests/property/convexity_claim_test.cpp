// A false strong convexity invalidates every certificate. If values contradict it, the run must
// report that.
#include <gtest/gtest.h>

#include <cmath>

#include "geodescent/optimize/function.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "geodescent/optimize/quadratic.hpp"
#include "support/problems.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {
namespace {

class ConvexityClaim : public ::testing::TestWithParam<std::string_view> {};

/// User functions whose claimed alpha is too large by this factor.
std::vector<Problem> overclaimed(double factor) {
  Random random(103);
  std::vector<Problem> all;
  for (SmoothFunction f : {random_quadratic(random, spectrum(6, 0.1, 10)).truth, log_sum_exp(random, 12, 5, 0.1),
                           pseudo_huber(random, 12, 5, 0.1)}) {
    const SmoothFunction truth = f;
    f.alpha *= factor;
    f.beta = std::max(f.beta, f.alpha);
    Problem p = user_problem("", f, false);
    p.truth = truth;
    all.push_back(std::move(p));
  }
  return all;
}

TEST_P(ConvexityClaim, ContradictedByValuesIsReportedAndNoBoundIsGiven) {
  for (const double factor : {30.0, 1e3}) {
    for (const Problem& p : overclaimed(factor)) {
      const Vector x0 = Random(5).normal_vector(p.truth.dimension, 3);
      const Result r = minimize_with(GetParam(), *p.objective, x0, {.gap_tolerance = 1e-9, .max_iterations = 2000});
      SCOPED_TRACE(::testing::Message() << "factor " << factor << ", dimension " << p.truth.dimension << ": "
                                        << r.message);
      EXPECT_EQ(r.status, Status::not_strongly_convex);
      EXPECT_EQ(r.lower_bound, -std::numeric_limits<double>::infinity());
      EXPECT_EQ(r.gap(), std::numeric_limits<double>::infinity());
      EXPECT_NE(r.message.find("strongly convex"), std::string::npos);
      const Real truth = p.truth.at(real(r.x)).value;
      EXPECT_LE(std::abs(r.value - truth), 1e-14L * std::abs(truth)) << "the point is still returned with its value";
    }
  }
}

TEST_P(ConvexityClaim, NeverGivesASilentlyWrongGapWhenTheBestValueLiesBelowTheBound) {
  for (const double factor : {1.5, 3.0, 10.0}) {
    for (const Problem& p : overclaimed(factor)) {
      const Optimum optimum = newton(p.truth);
      for (const std::uint64_t limit : {1u, 2u, 3u, 5u, 20u, 500u}) {
        double highest_bound = -std::numeric_limits<double>::infinity();
        double lowest_value = std::numeric_limits<double>::infinity();
        const Vector x0 = Random(5).normal_vector(p.truth.dimension, 3);
        const Result r = minimize_with(GetParam(), *p.objective, x0, {.gap_tolerance = 0, .max_iterations = limit},
                                       [&](const Progress& at) {
                                         highest_bound = std::max(highest_bound, at.method->iterate().lower_bound);
                                         lowest_value = std::min(lowest_value, at.value);
                                         return true;
                                       });
        // The values of the run contradict the claim by more than rounding.
        if (highest_bound > lowest_value + 1e-12 * std::abs(lowest_value)) {
          EXPECT_EQ(r.status, Status::not_strongly_convex) << r.message;
        }
        EXPECT_GE(r.gap(), 0);
      }
    }
  }
}

TEST_P(ConvexityClaim, ThatIsTrueIsNeverCalledFalse) {
  Random random(107);
  for (int k = 0; k < 8; ++k) {
    // True claims: alpha is the smallest eigenvalue, so the bounds are tight.
    const double alpha = random.log_uniform(1e-6, 1);
    const Problem p = random_quadratic(random, spectrum(2 + random.below(8), alpha, 1));
    const Problem f = user_problem("", p.truth, false);
    for (const Objective* objective : {p.objective.get(), f.objective.get()}) {
      const Result r = minimize_with(GetParam(), *objective, random.normal_vector(p.truth.dimension, 10),
                                     {.gap_tolerance = 0, .max_iterations = 500});
      EXPECT_NE(r.status, Status::not_strongly_convex) << r.message;
    }
  }
}

TEST_P(ConvexityClaim, OfAQuadraticIsCheckedToo) {
  const Quadratic f(rows_of({1, 0, 0, 1}, 2, false), {1, 2}, 5);  // the smallest eigenvalue is 1
  const Result r = minimize_with(GetParam(), f, Vector{10, 10}, {.max_iterations = 1000});
  EXPECT_EQ(r.status, Status::not_strongly_convex) << r.message;
}

INSTANTIATE_TEST_SUITE_P(All, ConvexityClaim, ::testing::ValuesIn(method_variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace geodescent::testing
