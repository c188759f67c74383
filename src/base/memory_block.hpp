// Memory that goes back to the system when it is freed. Internal to the library.
#pragma once

#include <cstddef>
#include <memory>

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

/// Hands out the parts of large blocks, one behind the other, since large blocks are cheap to touch. A block is freed
/// with the last of its parts. For one thread.
class BlockSupply {
 public:
  /// Bytes that nobody has written yet, aligned for every number; throws std::bad_alloc.
  std::shared_ptr<std::byte> take(std::size_t size);

 private:
  std::shared_ptr<const MemoryBlock> block_;
  std::size_t used_ = 0;
};

}  // namespace geodescent
