#include "data/binary/binary_layout.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "base/crc32c.hpp"

namespace geodescent {
namespace {

bool is_known_form(const BinaryHeader& h) {
  const bool values = h.value_bytes == 4 || h.value_bytes == 8 || (h.value_bytes == 0 && h.dense == 0);
  const bool indices = h.dense == 1 ? h.index_bytes == 0 : h.index_bytes == 2 || h.index_bytes == 4;
  return h.dense <= 1 && h.zero_based <= 1 && values && indices;
}

}  // namespace

std::optional<BinaryLayout> layout_of(const BinaryHeader& h) {
  constexpr std::uint64_t most = std::uint64_t{1} << 56;  // for every count, so that no sum overflows
  if (!is_known_form(h) || h.rows == 0 || h.rows > most / 8 || h.entries > most / 8) return std::nullopt;
  constexpr std::uint64_t most_columns = std::numeric_limits<std::uint32_t>::max();  // the limit of text, too
  const bool reserved = h.more != 0 || std::ranges::any_of(h.reserved, [](std::uint64_t r) { return r != 0; });
  if (reserved || h.columns > most_columns || h.nonzeros > h.entries) return std::nullopt;
  if (h.dense == 1 && (h.columns == 0 || h.entries / h.columns != h.rows || h.entries % h.columns != 0))
    return std::nullopt;
  BinaryLayout layout;
  std::uint64_t end = sizeof(BinaryHeader);
  const auto section = [&end](std::uint64_t bytes) {
    const std::uint64_t begin = (end + section_alignment - 1) / section_alignment * section_alignment;
    end = begin + bytes;
    return begin;
  };
  layout.targets = section(8 * h.rows);
  if (h.dense == 0) {
    layout.offsets = section(8 * (h.rows + 1));
    layout.indices = section(h.index_bytes * h.entries);
  }
  layout.values = section(h.value_bytes * h.entries);
  layout.checksums = section(0);
  layout.blocks = (layout.checksums + checksum_block - 1) / checksum_block;
  layout.size = layout.checksums + 4 * layout.blocks + 4;
  return layout;
}

std::uint32_t checksum_of(const BinaryHeader& header) {
  std::array<std::byte, sizeof(BinaryHeader)> bytes{};
  std::memcpy(bytes.data(), &header, sizeof header);
  return crc32c(std::span(bytes).first(sizeof(BinaryHeader) - sizeof header.checksum));
}

}  // namespace geodescent
