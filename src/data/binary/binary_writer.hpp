// Sequential writer of a binary data file. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/binary/binary_layout.hpp"
#include "files/output_file.hpp"

namespace geodescent {

/// Accumulates the checksums. Sections are written in the order of the layout.
class BinaryWriter {
 public:
  /// `header` needs no magic number and no checksum.
  BinaryWriter(const std::string& path, BinaryHeader header);

  const BinaryLayout& layout() const { return layout_; }
  /// Writes padding up to the offset of the next section.
  void go_to(std::uint64_t offset);
  template <class T>
  void write(std::span<const T> numbers) {
    add(std::as_bytes(numbers));
  }
  /// Writes the checksums and renames the file.
  void commit();

 private:
  void add(std::span<const std::byte> bytes);
  void put(std::span<const std::byte> bytes);

  OutputFile file_;
  BinaryLayout layout_;
  std::uint64_t position_ = 0;
  std::uint32_t block_checksum_ = 0;
  std::vector<std::uint32_t> checksums_;
};

}  // namespace geodescent
