// Where everything is in a binary data file (docs/reference/data-format.md). Internal to the library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace geodescent {

using std::string_view_literals::operator""sv;
/// No text starts so. The ends of lines show what a transfer "as text" does to a file, as in PNG.
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
  std::uint64_t entries = 0;      ///< stored: all of them when dense
  std::uint64_t nonzeros = 0;     ///< written in the text
  std::uint32_t dense = 0;        ///< 1: rows in full, 0: compressed rows
  std::uint32_t index_bytes = 0;  ///< 2 or 4; 0 when dense
  std::uint32_t value_bytes = 0;  ///< 4 or 8; 0 when all entries are `repeated`
  std::uint32_t zero_based = 0;   ///< how the text numbered its features
  double repeated = 0;
  std::array<std::uint64_t, 6> reserved{};  ///< zero
  std::uint32_t more = 0;                   ///< zero
  std::uint32_t checksum = 0;               ///< of all bytes before it
};
static_assert(sizeof(BinaryHeader) == 128 && std::is_trivially_copyable_v<BinaryHeader>);

/// Offsets of the sections; each one ends where the padding before the next begins.
struct BinaryLayout {
  std::uint64_t targets = 0;
  std::uint64_t offsets = 0;  ///< of rows, not when dense
  std::uint64_t indices = 0;  ///< not when dense
  std::uint64_t values = 0;   ///< nothing there when they are repeated
  std::uint64_t checksums = 0;
  std::uint64_t blocks = 0;  ///< of checksum_block bytes, from 0 to `checksums`
  std::uint64_t size = 0;    ///< of the file: one checksum of the checksums ends it
};

/// Nothing when the numbers are too large for any file, or no form that exists.
std::optional<BinaryLayout> layout_of(const BinaryHeader& header);
std::uint32_t checksum_of(const BinaryHeader& header);

}  // namespace geodescent
