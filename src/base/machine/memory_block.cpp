#include "base/machine/memory_block.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

namespace geodescent {
namespace {

constexpr std::size_t mapped_from = std::size_t{1} << 15;
constexpr std::size_t huge_page = std::size_t{1} << 21;

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

std::byte* map(std::size_t size) {
  void* const mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(mapped);
}

/// A block that starts at a multiple of the huge page size, with a request for huge pages. The
/// first touch of 2 MB then costs about a quarter of the time. Without huge pages it is an ordinary
/// block.
std::byte* map_huge(std::size_t size) {
  std::byte* const mapped = map(size + huge_page);
  const std::size_t before = (huge_page - reinterpret_cast<std::uintptr_t>(mapped) % huge_page) % huge_page;
  std::byte* const block = mapped + before;
  const std::size_t page = page_size(), kept = (size + page - 1) / page * page;
  if (before > 0) ::munmap(mapped, before);
  if (before + kept < size + huge_page) ::munmap(block + kept, size + huge_page - before - kept);
#ifdef MADV_HUGEPAGE
  ::madvise(block, size, MADV_HUGEPAGE);
#endif
  return block;
}

}  // namespace

MemoryBlock::MemoryBlock(std::size_t size) : size_(size) {
  if (size == 0) return;
  if (size < mapped_from) {
    data_ = static_cast<std::byte*>(::operator new(size));
    return;
  }
  data_ = size < huge_page ? map(size) : map_huge(size);
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

std::shared_ptr<std::byte> BlockSupply::take(std::size_t size) {
  constexpr std::size_t alignment = 64;
  if (block_ == nullptr || block_->size() - used_ < size) {
    // The first block has small pages, and only touched pages count as memory. Most files do not
    // fill it.
    block_ = std::make_shared<const MemoryBlock>(std::max(size, block_ == nullptr ? huge_page / 2 : huge_page));
    used_ = 0;
  }
  std::byte* const part = block_->data() + used_;
  used_ = std::min(block_->size(), (used_ + size + alignment - 1) / alignment * alignment);
  return {block_, part};
}

}  // namespace geodescent
