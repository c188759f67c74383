// Algorithm 1 of the paper on examples that can be worked out by hand. Random ones:
// property/enclosing_ball_test.cpp.
#include "geodescent/optimize/ball.hpp"

#include <gtest/gtest.h>

namespace geodescent::testing {
namespace {

TEST(Algorithm1Example, TheSameBallTwiceIsThatBall) {
  const Ball a{{1, -2, 3}, 4};
  const Ball c = smallest_ball_around_intersection(a, a);
  EXPECT_EQ(c.centre, a.centre);
  EXPECT_EQ(c.squared_radius, 4);
}

TEST(Algorithm1Example, ConcentricBallsGiveTheSmaller) {
  const Ball a{{1, 2}, 4}, b{{1, 2}, 1};
  EXPECT_EQ(smallest_ball_around_intersection(a, b).squared_radius, 1);
  EXPECT_EQ(smallest_ball_around_intersection(b, a).squared_radius, 1);
  EXPECT_EQ(smallest_ball_around_intersection(b, a).centre, b.centre);
}

TEST(Algorithm1Example, TouchingBallsGiveThePointBetween) {
  const Ball c = smallest_ball_around_intersection({{0, 0}, 1}, {{3, 0}, 4});
  EXPECT_EQ(c.squared_radius, 0);
  EXPECT_EQ(c.centre, (Vector{1, 0}));
}

TEST(Algorithm1Example, EqualBallsMeetInTheMiddle) {
  const Ball c = smallest_ball_around_intersection({{0, 0}, 4}, {{2, 0}, 4});
  EXPECT_EQ(c.centre, (Vector{1, 0}));
  EXPECT_EQ(c.squared_radius, 3);
}

TEST(Algorithm1Example, APointInsideIsItself) {
  const Ball c = smallest_ball_around_intersection({{0, 0}, 4}, {{1, 0}, 0});
  EXPECT_EQ(c.centre, (Vector{1, 0}));
  EXPECT_EQ(c.squared_radius, 0);
}

TEST(Algorithm1Example, CasesAgreeWhereTheyMeet) {
  // |x_A - x_B|^2 = R_A^2 - R_B^2: the first case and the second give the same ball.
  const Ball c = smallest_ball_around_intersection({{0, 0}, 25}, {{3, 0}, 16});
  EXPECT_EQ(c.centre, (Vector{3, 0}));
  EXPECT_EQ(c.squared_radius, 16);
}

TEST(Algorithm1Example, TheThirdCaseIsTheSecondWithBallsExchanged) {
  const Ball small{{0.5, 0}, 1}, large{{0, 0}, 9};
  EXPECT_EQ(smallest_ball_around_intersection(small, large).centre, small.centre);
  EXPECT_EQ(smallest_ball_around_intersection(large, small).centre, small.centre);
}

TEST(Algorithm1Example, TheFormulaOfThePaper) {
  // x_A = (0, 0), R_A^2 = 4, x_B = (2, 0), R_B^2 = 3: c = (x_A + x_B)/2 - 1/8 (x_A - x_B) and R^2 =
  // 3 - (4 + 3 - 4)^2/16.
  const Ball c = smallest_ball_around_intersection({{0, 0}, 4}, {{2, 0}, 3});
  EXPECT_EQ(c.centre, (Vector{1.25, 0}));
  EXPECT_EQ(c.squared_radius, 3 - 9.0 / 16);
}

}  // namespace
}  // namespace geodescent::testing
