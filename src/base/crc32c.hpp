// The checksum of blocks of a file. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace geodescent {

/// CRC-32C (Castagnoli) of `bytes`, going on from that of the bytes before them.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);
/// The same without the instructions that some processors have for it.
std::uint32_t crc32c_by_tables(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace geodescent
