#include "base/crc32c.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace geodescent {
namespace {

constexpr std::uint32_t polynomial = 0x82f63b78;  // The bits of 0x1edc6f41 in reverse order.
constexpr std::size_t word = 8;

/// tables[k][b]: the contribution of byte b when k more bytes follow it in its word.
using Tables = std::array<std::array<std::uint32_t, 256>, word>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t remainder = b;
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ (remainder & 1 ? polynomial : 0);
    tables[0][b] = remainder;
  }
  for (std::size_t k = 1; k < word; ++k)
    for (std::size_t b = 0; b < 256; ++b) tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
  return tables;
}

constexpr Tables tables = make_tables();

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(std::span<const std::byte> bytes,
                                                                      std::uint32_t before) {
  std::uint64_t crc = before ^ 0xffffffffU;
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= word; left -= word, p += word) {
    std::uint64_t next = 0;
    std::memcpy(&next, p, word);
    crc = __builtin_ia32_crc32di(crc, next);
  }
  auto rest = static_cast<std::uint32_t>(crc);
  for (; left > 0; --left, ++p) rest = __builtin_ia32_crc32qi(rest, static_cast<std::uint8_t>(*p));
  return rest ^ 0xffffffffU;
}
#endif

}  // namespace

std::uint32_t crc32c_by_tables(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t crc = before ^ 0xffffffffU;
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= word; left -= word, p += word) {
    std::uint32_t next = 0;
    for (std::size_t k = 0; k < word; ++k) {
      const std::uint32_t byte = static_cast<std::uint32_t>(p[k]) ^ (k < 4 ? (crc >> (8 * k)) & 0xff : 0);
      next ^= tables[word - 1 - k][byte];
    }
    crc = next;
  }
  for (; left > 0; --left, ++p) crc = (crc >> 8) ^ tables[0][(crc ^ static_cast<std::uint32_t>(*p)) & 0xff];
  return crc ^ 0xffffffffU;
}

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) {
#if defined(__x86_64__) && defined(__GNUC__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2");
  if (has_instruction) return crc32c_by_instruction(bytes, before);
#endif
  return crc32c_by_tables(bytes, before);
}

}  // namespace geodescent
