#include "data/binary/binary_writer.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <stdexcept>

#include "base/crc32c.hpp"

namespace geodescent {

BinaryWriter::BinaryWriter(const std::string& path, BinaryHeader header) : file_(path) {
  std::ranges::copy(binary_magic, header.magic.begin());
  header.checksum = checksum_of(header);
  const auto layout = layout_of(header);
  if (!layout) throw std::invalid_argument("the data do not fit the binary format");
  layout_ = *layout;
  add(std::as_bytes(std::span(&header, 1)));
}

void BinaryWriter::go_to(std::uint64_t offset) {
  static constexpr std::array<std::byte, section_alignment> padding{};
  assert(offset >= position_ && offset - position_ <= padding.size());
  add(std::span(padding).first(offset - position_));
}

void BinaryWriter::add(std::span<const std::byte> bytes) {
  put(bytes);
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min<std::uint64_t>(bytes.size(), checksum_block - position_ % checksum_block));
    block_checksum_ = crc32c(part, block_checksum_);
    position_ += part.size();
    bytes = bytes.subspan(part.size());
    if (position_ % checksum_block != 0) continue;
    checksums_.push_back(block_checksum_);
    block_checksum_ = 0;
  }
}

void BinaryWriter::put(std::span<const std::byte> bytes) {
  file_.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void BinaryWriter::commit() {
  go_to(layout_.checksums);
  if (position_ % checksum_block != 0) checksums_.push_back(block_checksum_);
  const auto table = std::as_bytes(std::span(checksums_));
  const std::uint32_t of_table = crc32c(table);
  put(table);
  put(std::as_bytes(std::span(&of_table, 1)));
  file_.commit();
}

}  // namespace geodescent
