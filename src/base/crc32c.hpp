// The checksum of the blocks of a binary file. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace geodescent {

/// CRC-32C (Castagnoli) of `bytes`. `before` is the checksum of the bytes that precede them.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);
/// The same result without the CRC instruction of SSE4.2.
std::uint32_t crc32c_by_tables(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace geodescent
