#include "peers/choice.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "comparison/infinity.hpp"

namespace geodescent::lab {
namespace {

const std::vector<Trial> trials = {
    {{"fast", 1e-1}, 1.0, 1e-2},
    {{"fast", 1e-2}, 1.5, 1e-5},
    {{"fast", 1e-3}, 2.0, 1e-7},
    {{"slow", 1e-1}, 2.0, 1e-3},
    {{"slow", 1e-2}, 2.5, 1e-6},
    {{"slow", 1e-3}, 9.0, 1e-10},
    {{"broken", 1e-1}, 0.1, infinity, "exit code 1"},
};

TEST(PeersChoice, TheLoosestThatReachesTheAccuracy) {
  EXPECT_EQ(loosest_qualifying(trials, "fast", 1e-4), 1u);
  EXPECT_EQ(loosest_qualifying(trials, "fast", 1e-6), 2u);
  EXPECT_EQ(loosest_qualifying(trials, "fast", 1e-9), std::nullopt);
  EXPECT_EQ(loosest_qualifying(trials, "slow", 1e-6), 4u) << "exactly the accuracy is reached";
  EXPECT_EQ(loosest_qualifying(trials, "broken", 1), std::nullopt);
}

TEST(PeersChoice, WhatCannotBeTheBestIsNotRepeated) {
  using Settings = std::vector<PeerSetting>;
  EXPECT_EQ(worth_repeating(trials, std::vector{1e-4}, 2), (Settings{{"fast", 1e-2}, {"slow", 1e-2}}));
  EXPECT_EQ(worth_repeating(trials, std::vector{1e-4}, 1.5), (Settings{{"fast", 1e-2}}));
  EXPECT_EQ(worth_repeating(trials, std::vector{1e-9}, 2), (Settings{{"slow", 1e-3}}))
      << "the only one to get there is the best, however slow";
  EXPECT_EQ(worth_repeating(trials, std::vector{1e-4, 1e-6, 1e-9}, 2),
            (Settings{{"fast", 1e-2}, {"fast", 1e-3}, {"slow", 1e-2}, {"slow", 1e-3}}));
  EXPECT_TRUE(worth_repeating(trials, std::vector{1e-12}, 2).empty());
}

TEST(PeersChoice, TheFastestThatReachesTheAccuracy) {
  const std::vector<Timing> timings = {{.setting = {"a", 1}, .total = 1, .accuracy = 1e-3},
                                       {.setting = {"b", 1}, .total = 3, .accuracy = 1e-7},
                                       {.setting = {"c", 1}, .total = 2, .accuracy = 1e-7},
                                       {.setting = {"d", 1}, .total = infinity, .accuracy = 0, .trouble = "failed"}};
  EXPECT_EQ(best_qualifying(timings, 1e-2, Clocked::total)->setting.solver, "a");
  EXPECT_EQ(best_qualifying(timings, 1e-6, Clocked::total)->setting.solver, "c");
  EXPECT_EQ(best_qualifying(timings, 1e-9, Clocked::total), nullptr) << "what failed has reached nothing";
}

TEST(PeersChoice, TheFastestTrainingNeedNotBeTheFastestCommand) {
  const std::vector<Timing> timings = {
      {.setting = {"reads fast", 1}, .load = 1, .train = 2, .total = 3, .accuracy = 1e-7},
      {.setting = {"trains fast", 1}, .load = 3, .train = 1, .total = 4, .accuracy = 1e-7},
      {.setting = {"cannot be divided", 1}, .total = 2, .accuracy = 1e-7},
      {.setting = {"failed", 1}, .load = 0, .train = 0, .total = infinity, .accuracy = 0}};
  EXPECT_EQ(best_qualifying(timings, 1e-6, Clocked::total)->setting.solver, "cannot be divided");
  EXPECT_EQ(best_qualifying(timings, 1e-6, Clocked::train)->setting.solver, "trains fast");
  EXPECT_EQ(seconds_of(timings[2], Clocked::train), infinity) << "nothing is known about its training";
  EXPECT_EQ(seconds_of(timings[3], Clocked::train), infinity);
}

TEST(PeersChoice, TolerancesAreDecimalNumbers) {
  EXPECT_EQ(powers_of_ten(1, 1e-3), (std::vector{1.0, 0.1, 0.01, 0.001}));
  EXPECT_EQ(half_powers_of_ten(10, 0.1), (std::vector{10.0, 3.0, 1.0, 0.3, 0.1}));
}

}  // namespace
}  // namespace geodescent::lab
