#include "report/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace geodescent::lab {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

TEST(Quantile, IsLinearBetweenNeighbours) {
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile({10, 20, 30, 40, 50}, 0.9), 46);
  EXPECT_EQ(quantile({5, 1, 3}, 0), 1);
  EXPECT_EQ(quantile({5, 1, 3}, 1), 5);
}

TEST(Quantile, OfOneValueIsThatValue) {
  for (const double p : {0.0, 0.3, 0.5, 0.9, 1.0}) {
    EXPECT_EQ(quantile({7}, p), 7);
    EXPECT_EQ(quantile({inf}, p), inf);
  }
}

TEST(Quantile, OfNothingIsNotANumber) { EXPECT_TRUE(std::isnan(quantile({}, 0.5))); }

TEST(Quantile, IsInfiniteAsSoonAsAnInfiniteValueCounts) {
  EXPECT_EQ(quantile({1, 2, inf}, 0.5), 2);
  EXPECT_EQ(quantile({1, inf, inf}, 0.5), inf);
  EXPECT_EQ(quantile({1, 2, 3, inf}, 0.5), 2.5);
  EXPECT_EQ(quantile({1, 2, inf, inf}, 0.5), inf) << "half way to infinity";
  EXPECT_EQ(quantile({1, 2, inf, inf}, 0.9), inf);
  EXPECT_EQ(quantile({inf, inf}, 0.25), inf);
}

TEST(Quantile, NeedsOneValueInTenInfiniteAndNoMore) {
  // Of 10 k + 1 values the 90th percentile is exactly one of them: rounding must not let its
  // neighbour in.
  for (std::size_t tenths = 1; tenths <= 400; ++tenths) {
    std::vector<double> values(9 * tenths + 1, 1.0);
    values.insert(values.end(), tenths, inf);
    EXPECT_EQ(quantile(values, 0.9), 1) << values.size();
    values.front() = inf;
    EXPECT_EQ(quantile(values, 0.9), inf) << values.size();
  }
}

TEST(Profile, OfAMethodThatIsAlwaysBest) {
  const auto p = performance_profiles({{1, 2, 3}, {2, 8, 3}});
  ASSERT_EQ(p.size(), 2u);
  EXPECT_EQ(p[0].ratio, (std::vector<double>{1}));
  EXPECT_EQ(p[0].share, (std::vector<double>{1}));
  EXPECT_EQ(p[1].ratio, (std::vector<double>{1, 2, 4}));
  EXPECT_EQ(p[1].share, (std::vector<double>{1.0 / 3, 2.0 / 3, 1}));
}

TEST(Profile, RisesOnceForTies) {
  const auto p = performance_profiles({{2, 4, 6, 5}, {1, 2, 3, 5}});
  EXPECT_EQ(p[0].ratio, (std::vector<double>{1, 2}));
  EXPECT_EQ(p[0].share, (std::vector<double>{0.25, 1}));
}

TEST(Profile, StartsAtOneWithNothingForAMethodThatIsNeverBest) {
  const auto p = performance_profiles({{1, 1}, {3, 2}});
  EXPECT_EQ(p[1].ratio, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(p[1].share, (std::vector<double>{0, 0.5, 1}));
}

TEST(Profile, ProblemSolvedByNobodyLowersTheShareOfAll) {
  const auto p = performance_profiles({{1, inf}, {2, inf}});
  EXPECT_EQ(p[0].share.back(), 0.5);
  EXPECT_EQ(p[1].share.back(), 0.5);
}

TEST(Profile, ProblemNotSolvedByOneIsMissingInItsShareOnly) {
  const auto p = performance_profiles({{1, inf, inf}, {2, 3, 4}});
  EXPECT_EQ(p[0].ratio, (std::vector<double>{1}));
  EXPECT_EQ(p[0].share, (std::vector<double>{1.0 / 3}));
  EXPECT_EQ(p[1].ratio, (std::vector<double>{1, 2}));
  EXPECT_EQ(p[1].share, (std::vector<double>{2.0 / 3, 1}));
}

TEST(Profile, OfAMethodThatSolvesNothingStaysAtZero) {
  const auto p = performance_profiles({{inf, inf}, {1, 1}});
  EXPECT_EQ(p[0].ratio, (std::vector<double>{1}));
  EXPECT_EQ(p[0].share, (std::vector<double>{0}));
}

TEST(Profile, NoMultipleOfNothingIsSomething) {
  const auto p = performance_profiles({{0, 0, 2}, {0, 5, 2}});
  EXPECT_EQ(p[0].share, (std::vector<double>{1}));
  EXPECT_EQ(p[1].ratio, (std::vector<double>{1}));
  EXPECT_EQ(p[1].share, (std::vector<double>{2.0 / 3})) << "5 is no multiple of 0";
}

TEST(Profile, OfNothing) {
  EXPECT_TRUE(performance_profiles({}).empty());
  const auto p = performance_profiles({{}, {}});
  EXPECT_EQ(p.size(), 2u);
  EXPECT_EQ(p[0].share, (std::vector<double>{0}));
}

}  // namespace
}  // namespace geodescent::lab
