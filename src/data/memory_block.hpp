// Memory that goes back to the system when it is freed. Internal to the library.
#pragma once

#include <cstddef>

namespace geodescent {

/// Bytes that nobody has written yet, aligned for every number. Large blocks are mapped one by one: those of malloc
/// stay with the process when they are freed, and what is freed while a matrix is put together shall not count twice.
class MemoryBlock {
 public:
  MemoryBlock() = default;
  explicit MemoryBlock(std::size_t size);  ///< throws std::bad_alloc
  ~MemoryBlock();
  MemoryBlock(MemoryBlock&& other) noexcept;
  MemoryBlock& operator=(MemoryBlock&& other) noexcept;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace geodescent
