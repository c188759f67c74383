#include "base/crc32c.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

namespace geodescent {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(Crc32c, HasTheValuesOfTheStandard) {
  EXPECT_EQ(crc32c(bytes_of("123456789")), 0xe3069283U);
  EXPECT_EQ(crc32c_by_tables(bytes_of("123456789")), 0xe3069283U);
  const std::vector<std::byte> zeros(32), ones(32, std::byte{0xff});  // RFC 3720, B.4
  EXPECT_EQ(crc32c(zeros), 0x8a9136aaU);
  EXPECT_EQ(crc32c(ones), 0x62a8ab43U);
  EXPECT_EQ(crc32c({}), 0U);
}

TEST(Crc32c, IsTheSameByTablesAndInPieces) {
  std::mt19937_64 random(1);
  std::vector<std::byte> bytes(300);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto all = std::span(bytes).first(size);
    const std::size_t cut = size == 0 ? 0 : random() % size;
    EXPECT_EQ(crc32c(all), crc32c_by_tables(all));
    EXPECT_EQ(crc32c(all), crc32c(all.subspan(cut), crc32c(all.first(cut))));
    EXPECT_EQ(crc32c(all), crc32c_by_tables(all.subspan(cut), crc32c_by_tables(all.first(cut))));
  }
}

}  // namespace
}  // namespace geodescent
