#include "learn/risk/intercept_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace geodescent::testing {
namespace {

TEST(InterceptSearch, FindsTheMinimumOfAFunctionThatIsFlatAtFirst) {
  // |b - 1000| smoothed over an interval of length 1e-3: flat curvature elsewhere.
  InterceptSearch search(0);
  int evaluations = 1;
  for (;; ++evaluations) {
    const double r = (search.b() - 1000) / 1e-3;
    if (!search.improve(std::clamp(r, -1.0, 1.0), std::abs(r) < 1 ? 1e3 : 0, 1)) break;
  }
  EXPECT_NEAR(search.b(), 1000, 1e-12 * 1000);
  EXPECT_LT(evaluations, 60);
}

TEST(InterceptSearch, ComesBackFromWhereTheLossIsAlmostFlat) {
  // Two logistic losses around 90: at 0 their curvature is 1e-39, and a step of Newton's would lead
  // to 1e40.
  InterceptSearch search(0);
  int evaluations = 1;
  for (;; ++evaluations) {
    const double p = 1 / (1 + std::exp(search.b() - 89)), q = 1 / (1 + std::exp(91 - search.b()));
    if (!search.improve(q - p, p * (1 - p) + q * (1 - q), p + q)) break;
  }
  EXPECT_NEAR(search.b(), 90, 1e-9);
  EXPECT_LT(evaluations, 40);
}

TEST(InterceptSearch, ComesBackFromWhereAStepOfOneIsLost) {
  for (const double start : {-6.25e22, 6.25e22, 1e300}) {
    InterceptSearch search(start);
    int evaluations = 1;
    for (;; ++evaluations) {
      const double p = 1 / (1 + std::exp(search.b() - 1)), q = 1 / (1 + std::exp(2 - search.b()));
      if (!search.improve(q - p, p * (1 - p) + q * (1 - q), p + q)) break;
    }
    EXPECT_NEAR(search.b(), 1.5, 1e-9) << start;
    EXPECT_LT(evaluations, 40) << start;
  }
}

TEST(InterceptSearch, EndsWhateverItIsTold) {
  for (const double slope : {std::nan(""), 1.0, -1.0, 1e300, 0.0}) {
    InterceptSearch search(0);
    int evaluations = 1;
    while (search.improve(slope, 0, 1)) ++evaluations;
    EXPECT_LE(evaluations, 1100);
  }
}

}  // namespace
}  // namespace geodescent::testing
