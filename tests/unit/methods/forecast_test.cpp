#include "methods/geod_memory/plan/forecast.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace geodescent::testing {
namespace {

TEST(Forecast, OfAGapThatFallsEvenlyIsRight) {
  for (const double factor : {0.5, 0.1, 0.99}) {
    Forecast forecast;
    double gap = 3;
    for (int k = 0; k < 100; ++k, gap *= factor) forecast.see(gap, 2.0 * k);
    const double now = gap / factor, goal = 1e-6 * now;
    EXPECT_NEAR(forecast.iterations_to(goal), 2 * std::log(1e-6) / std::log(factor),
                0.03 * 2 * std::log(1e-6) / std::log(factor) + 2);
    EXPECT_EQ(forecast.iterations_to(now), 0);
    EXPECT_EQ(forecast.iterations_to(2 * now), 0);
  }
}

TEST(Forecast, IsEndlessWhereNothingIsKnownOrNothingFalls) {
  Forecast forecast;
  EXPECT_EQ(forecast.iterations_to(1e-6), INFINITY);
  forecast.see(1, 0);
  EXPECT_EQ(forecast.iterations_to(1e-6), INFINITY);
  forecast.see(1, 1);
  EXPECT_EQ(forecast.iterations_to(1e-6), INFINITY);
  forecast.see(2, 2);
  EXPECT_EQ(forecast.iterations_to(1e-6), INFINITY);
}

TEST(Forecast, ForgetsHowTheRunBegan) {
  Forecast forecast;
  for (int k = 0; k < 10; ++k) forecast.see(std::ldexp(1, -10 * k), k);
  for (int k = 10; k < 40; ++k) forecast.see(std::ldexp(1, -90 - k), k);
  EXPECT_NEAR(forecast.iterations_to(std::ldexp(1, -139)), 10, 1e-9);
}

}  // namespace
}  // namespace geodescent::testing
