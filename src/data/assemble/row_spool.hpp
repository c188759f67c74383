// Chunks of rows in a temporary file. Internal to the library.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "data/assemble/row_chunk.hpp"
#include "files/scratch_file.hpp"

namespace geodescent {

/// Replaces a list of chunks that may not fit the memory.
class RowSpool {
 public:
  explicit RowSpool(const std::string& beside) : file_(beside) {}

  void add(const RowChunk& chunk);
  /// Calls body for each chunk in order of addition; the chunk is valid only during the call. Bytes
  /// that the call does not access are not read.
  void for_each(const std::function<void(const RowChunk&)>& body) const;

 private:
  ScratchFile file_;
};

}  // namespace geodescent
