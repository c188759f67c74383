// How many threads there are at first.
#include "base/machine/processors.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <thread>

namespace geodescent {
namespace {

TEST(Processors, AreAtLeastOneAndNotMoreThanTheMachineHas) {
  EXPECT_GE(available_processors(), 1);
  EXPECT_LE(available_processors(), static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

TEST(Processors, OfAControlGroup) {
  const auto quota = [](const char* text) {
    std::istringstream file(text);
    return processors_of_quota(file);
  };
  EXPECT_EQ(quota("200000 100000\n"), 2);
  EXPECT_EQ(quota("150000 100000\n"), 2);
  EXPECT_EQ(quota("10000 100000\n"), 1);
  EXPECT_EQ(quota("max 100000\n"), 0);
  EXPECT_EQ(quota(""), 0);
  EXPECT_EQ(quota("100000 0"), 0);
  EXPECT_EQ(quota("-1 100000"), 0);
}

}  // namespace
}  // namespace geodescent
