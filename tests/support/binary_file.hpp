// Binary data files for tests, with deliberate errors.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>

#include "base/crc32c.hpp"
#include "data/binary/binary_layout.hpp"

namespace geodescent::testing {

inline BinaryHeader header_of(const std::string& file) {
  BinaryHeader header;
  std::memcpy(&header, file.data(), sizeof header);
  return header;
}

/// Writes the header and correct checksums, so that only the deliberate error remains.
inline void seal(std::string& file, BinaryHeader header) {
  header.checksum = checksum_of(header);
  std::memcpy(file.data(), &header, sizeof header);
  const auto layout = layout_of(header);
  if (!layout || layout->size != file.size()) return;
  const auto bytes = std::as_bytes(std::span(file.data(), file.size()));
  for (std::uint64_t b = 0; b < layout->blocks; ++b) {
    const std::uint64_t begin = b * checksum_block, end = std::min(begin + checksum_block, layout->checksums);
    const std::uint32_t checksum = crc32c(bytes.subspan(begin, end - begin));
    std::memcpy(file.data() + layout->checksums + 4 * b, &checksum, 4);
  }
  const std::uint32_t of_table = crc32c(bytes.subspan(layout->checksums, 4 * layout->blocks));
  std::memcpy(file.data() + layout->size - 4, &of_table, 4);
}
inline void seal(std::string& file) { seal(file, header_of(file)); }

}  // namespace geodescent::testing
