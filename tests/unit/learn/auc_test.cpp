// The area under the ROC curve against its definition.
#include "geodescent/learn/auc.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace geodescent {
namespace {

struct Example {
  double decision;
  bool positive;
};

double by_definition(const std::vector<Example>& examples) {
  double won = 0;
  double pairs = 0;
  for (const Example& p : examples) {
    for (const Example& n : examples) {
      if (!p.positive || n.positive) continue;
      ++pairs;
      if (p.decision > n.decision) ++won;
      if (p.decision == n.decision) won += 0.5;
    }
  }
  return won / pairs;
}

std::optional<Interval> area(const std::vector<Example>& examples, std::size_t kept = RocArea::default_most_kept) {
  RocArea result(kept);
  for (const Example& e : examples) result.add(e.decision, e.positive);
  return result.value();
}

/// Values that often repeat, of every size and sign, and a class that has to do with them.
std::vector<Example> random_examples(std::mt19937_64& random, std::size_t count, int different) {
  std::uniform_int_distribution<int> step(-different, different);
  std::normal_distribution<double> normal;
  std::vector<Example> examples;
  for (std::size_t k = 0; k < count; ++k) {
    const int s = step(random);
    const double decision = std::copysign(std::exp2(0.7 * std::abs(s)) - 1, s);
    examples.push_back({decision, s + 2 * normal(random) > 0});
  }
  examples.push_back({0.0, true});
  examples.push_back({-0.0, false});
  return examples;
}

TEST(RocArea, IsThePartOfPairsInOrder) {
  std::mt19937_64 random(1);
  for (const int different : {1, 3, 10, 1000}) {
    for (int round = 0; round < 20; ++round) {
      const auto examples = random_examples(random, 100, different);
      const auto found = area(examples);
      ASSERT_TRUE(found);
      EXPECT_DOUBLE_EQ(found->low, by_definition(examples));
      EXPECT_EQ(found->low, found->high);
    }
  }
}

TEST(RocArea, BinsContainTheExactValue) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 20; ++round) {
    std::vector<Example> examples;
    for (int k = 0; k < 1000; ++k) {
      const double decision = normal(random);
      examples.push_back({decision, decision + normal(random) > 0});
    }
    const auto found = area(examples, 100);
    const double exact = by_definition(examples);
    ASSERT_TRUE(found);
    EXPECT_LE(found->low, exact * (1 + 1e-15));
    EXPECT_GE(found->high, exact * (1 - 1e-15));
    EXPECT_GT(found->half_width(), 0);
    EXPECT_LT(found->half_width(), 1e-3);
    EXPECT_NEAR(found->middle(), exact, 1e-3);
  }
}

TEST(RocArea, TiesInABinAreHonestlyUnknown) {
  std::vector<Example> examples(10, {1.0, true});
  examples.resize(20, {1.0, false});
  EXPECT_EQ(area(examples)->middle(), 0.5);
  const auto binned = area(examples, 5);
  EXPECT_EQ(binned->low, 0);
  EXPECT_EQ(binned->high, 1);
}

TEST(RocArea, KeepsRowsUpToItsLimit) {
  std::mt19937_64 random(3);
  const auto examples = random_examples(random, 50, 1000);
  EXPECT_EQ(area(examples, examples.size())->half_width(), 0);
  EXPECT_EQ(area(examples, examples.size())->low, area(examples)->low);
}

TEST(RocArea, ExtremesAndWhatHasNone) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(area({{infinity, true}, {1e308, false}, {-infinity, false}})->low, 1);
  EXPECT_EQ(area({{-5e-324, true}, {5e-324, false}})->low, 0);
  EXPECT_EQ(area({{0.0, true}, {-0.0, false}})->low, 0.5);
  EXPECT_FALSE(area({}));
  EXPECT_FALSE(area({{1, true}, {2, true}}));
  EXPECT_FALSE(area({{1, false}}));
  EXPECT_FALSE(area({{std::nan(""), true}, {2, false}}));
}

}  // namespace
}  // namespace geodescent
