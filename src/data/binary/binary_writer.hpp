// Writing a binary data file from its first byte to its last. Internal to the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/binary/binary_layout.hpp"
#include "files/output_file.hpp"

namespace geodescent {

/// Adds up the checksums on the way. Sections come in the order of the layout.
class BinaryWriter {
 public:
  /// `header` needs neither magic nor checksum.
  BinaryWriter(const std::string& path, BinaryHeader header);

  const BinaryLayout& layout() const { return layout_; }
  /// Fills up to the offset of the next section.
  void go_to(std::uint64_t offset);
  template <class T>
  void write(std::span<const T> numbers) {
    add(std::as_bytes(numbers));
  }
  /// The checksums; then the file is in its place.
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
