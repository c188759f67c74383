#include "base/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace geodescent {
namespace {

TEST(ExactSum, RoundsOnce) {
  EXPECT_EQ(exact_sum({}), 0);
  EXPECT_EQ(exact_sum(std::vector{0.1, 0.2, 0.3}), 0.6) << "0.1 + 0.2 + 0.3 is 0.6000000000000001 in doubles";
  EXPECT_EQ(exact_sum(std::vector<double>(10, 0.1)), 1);
  EXPECT_EQ(exact_sum(std::vector{1e100, 1.0, -1e100}), 1);
  EXPECT_EQ(exact_sum(std::vector{1e308, -1e308, 4.9e-324}), 4.9e-324);
}

TEST(ExactSum, HalvesOfTheLastPlaceGoWhereTheRestSays) {
  const double half = 0x1p-53, tiny = 0x1p-200;
  EXPECT_EQ(exact_sum(std::vector{1.0, half}), 1);
  EXPECT_EQ(exact_sum(std::vector{1.0, half, tiny}), 1 + 0x1p-52);
  EXPECT_EQ(exact_sum(std::vector{1.0, half, -tiny}), 1);
  EXPECT_EQ(exact_sum(std::vector{1 + 0x1p-52, half}), 1 + 0x1p-51);
  EXPECT_EQ(exact_sum(std::vector{1 + 0x1p-52, half, -tiny}), 1 + 0x1p-52);
  EXPECT_EQ(exact_sum(std::vector{-1.0, -half, -tiny}), -1 - 0x1p-52);
}

TEST(ExactSum, OrderDoesNotMatter) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> mantissa(0, 1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> numbers(100);
    for (double& x : numbers) x = std::ldexp(mantissa(random), static_cast<int>(random() % 200) - 100);
    const double sum = exact_sum(numbers);
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(exact_sum(numbers), sum);
    std::shuffle(numbers.begin(), numbers.end(), random);
    EXPECT_EQ(exact_sum(numbers), sum);
  }
}

TEST(ExactSum, AgreesWithWholeNumbers) {
  std::mt19937_64 random(6);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> numbers;
    __extension__ __int128 sum = 0;
    for (int k = 0; k < 1000; ++k) {
      const auto whole = static_cast<std::int64_t>(random() >> 11) << (random() % 10);
      numbers.push_back(static_cast<double>(whole));
      sum += whole;
    }
    EXPECT_EQ(exact_sum(numbers), static_cast<double>(sum));
  }
}

TEST(ExactSum, WhatOverflowsIsInfinite) {
  const double most = std::numeric_limits<double>::max();
  EXPECT_FALSE(std::isfinite(exact_sum(std::vector{most, most})));
  EXPECT_FALSE(std::isfinite(exact_sum(std::vector{1.0, std::numeric_limits<double>::infinity()})));
}

}  // namespace
}  // namespace geodescent
