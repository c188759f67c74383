// The layout of a binary data file (docs/reference/data-format.md). Internal to the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace geodescent {

using std::string_view_literals::operator""sv;
/// No text starts with these bytes. The line ends detect a transfer in text mode, as in PNG.
inline constexpr std::string_view binary_magic = "\x89GDM\r\n\x1a\n"sv;
inline constexpr std::string_view binary_start = binary_magic.substr(0, 4);
inline constexpr std::uint32_t binary_version = 1;
inline constexpr std::uint32_t byte_order_mark = 0x01020304;
inline constexpr std::uint64_t checksum_block = std::uint64_t{1} << 20;
inline constexpr std::uint64_t section_alignment = 64;

struct BinaryHeader {
  std::array<char, 8> magic{};
  std::uint32_t byte_order = byte_order_mark;
  std::uint32_t version = binary_version;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;      ///< stored entries; all of them if dense
  std::uint64_t nonzeros = 0;     ///< entries in the text
  std::uint32_t dense = 0;        ///< 1: dense rows, 0: compressed rows
  std::uint32_t index_bytes = 0;  ///< 2 or 4; 0 if dense
  std::uint32_t value_bytes = 0;  ///< 4 or 8; 0 if all entries equal `repeated`
  std::uint32_t zero_based = 0;   ///< the numbering of features in the text
  double repeated = 0;
  std::array<std::uint64_t, 6> reserved{};  ///< zero
  std::uint32_t more = 0;                   ///< zero
  std::uint32_t checksum = 0;               ///< of all preceding bytes
};
static_assert(sizeof(BinaryHeader) == 128 && std::is_trivially_copyable_v<BinaryHeader>);

/// Offsets of the sections. A section ends where the padding before the next begins.
struct BinaryLayout {
  std::uint64_t targets = 0;
  std::uint64_t offsets = 0;  ///< of rows; absent if dense
  std::uint64_t indices = 0;  ///< absent if dense
  std::uint64_t values = 0;   ///< empty if values are repeated
  std::uint64_t checksums = 0;
  std::uint64_t blocks = 0;  ///< number of blocks of checksum_block bytes, from 0 to `checksums`
  std::uint64_t size = 0;    ///< of the file, which ends with a checksum of the checksums
};

/// Nothing if the numbers are too large for any file, or describe a form that does not exist.
std::optional<BinaryLayout> layout_of(const BinaryHeader& header);
std::uint32_t checksum_of(const BinaryHeader& header);

}  // namespace geodescent
