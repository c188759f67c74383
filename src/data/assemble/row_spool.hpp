// Chunks of rows on the disk. Internal to the library.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "data/assemble/row_chunk.hpp"
#include "files/scratch_file.hpp"

namespace geodescent {

/// Takes the place of a list of chunks where that may be too large for the memory.
class RowSpool {
 public:
  explicit RowSpool(const std::string& beside) : file_(beside) {}

  void add(const RowChunk& chunk);
  /// In the order they were added; each is valid during its call only. What a call does not look at is not read.
  void for_each(const std::function<void(const RowChunk&)>& body) const;

 private:
  ScratchFile file_;
};

}  // namespace geodescent
