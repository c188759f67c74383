// Memory that returns to the system when it is freed. Internal to the library.
#pragma once

#include <cstddef>
#include <memory>

namespace geodescent {

/// Uninitialised bytes, aligned for every number type. Large blocks are mapped one by one. Freed
/// blocks of malloc stay with the process; while a matrix is assembled they would count twice.
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

/// Hands out consecutive parts of large blocks, because the first touch of a large block is cheap.
/// A block is freed with the last of its parts. Not thread-safe.
class BlockSupply {
 public:
  /// Uninitialised bytes, aligned for every number type; throws std::bad_alloc.
  std::shared_ptr<std::byte> take(std::size_t size);

 private:
  std::shared_ptr<const MemoryBlock> block_;
  std::size_t used_ = 0;
};

}  // namespace geodescent
