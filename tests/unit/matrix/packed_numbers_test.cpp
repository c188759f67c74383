// Vectors with many zeros, packed for a message.
#include "matrix/packed_numbers.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace geodescent::testing {
namespace {

TEST(PackedNumbers, KeepEveryBit) {
  const std::vector<double> special{-0.0, std::numeric_limits<double>::infinity(), -1.5,
                                    std::numeric_limits<double>::quiet_NaN(), 5e-324};
  for (const std::size_t size : {31u, 32u, 33u, 1000u})
    for (const std::size_t every : {3u, 40u}) {
      std::vector<double> numbers(size), unpacked(size, 99);
      for (std::size_t i = 0; i < size; i += every) numbers[i] = special[i / every % special.size()];
      const std::vector<double> shorter = packed(numbers);
      ASSERT_FALSE(shorter.empty());
      unpack(shorter, unpacked);
      for (std::size_t i = 0; i < size; ++i)
        EXPECT_EQ(std::bit_cast<std::uint64_t>(unpacked[i]), std::bit_cast<std::uint64_t>(numbers[i])) << i;
    }
}

TEST(PackedNumbers, AreShorterOrEmpty) {
  std::vector<double> numbers(3200, 1);
  EXPECT_TRUE(packed(numbers).empty());
  EXPECT_TRUE(packed(std::vector<double>{}).empty());
  EXPECT_TRUE(packed(std::vector<double>{0}).empty()) << "a word is as long";
  for (std::size_t i = 0; i < 100; ++i) numbers[2 * i] = 0;
  EXPECT_TRUE(packed(numbers).empty()) << "as long";
  for (std::size_t i = 0; i < 1600; ++i) numbers[2 * i] = 0;
  EXPECT_EQ(packed(numbers).size(), 1700u);
}

}  // namespace
}  // namespace geodescent::testing
