#include "data/memory_block.hpp"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace geodescent {
namespace {

constexpr std::size_t mapped_from = std::size_t{1} << 15;

}  // namespace

MemoryBlock::MemoryBlock(std::size_t size) : size_(size) {
  if (size == 0) return;
  if (size < mapped_from) {
    data_ = static_cast<std::byte*>(::operator new(size));
    return;
  }
  void* const mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  data_ = static_cast<std::byte*>(mapped);
}

MemoryBlock::~MemoryBlock() {
  if (data_ == nullptr) return;
  if (size_ < mapped_from)
    ::operator delete(data_);
  else
    ::munmap(data_, size_);
}

MemoryBlock::MemoryBlock(MemoryBlock&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MemoryBlock& MemoryBlock::operator=(MemoryBlock&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace geodescent
