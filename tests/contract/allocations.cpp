#include "contract/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::uint64_t> count{0}, bytes{0}, failing{0};
std::atomic<bool> has_failed{false};

/// Counts an allocation. Returns false if it must fail.
bool allowed(std::size_t size) {
  bytes.fetch_add(size, std::memory_order_relaxed);
  if (count.fetch_add(1, std::memory_order_relaxed) + 1 != failing.load(std::memory_order_relaxed)) return true;
  has_failed.store(true);
  return false;
}

void* allocate(std::size_t size) {
  if (!allowed(size)) return nullptr;
  return std::malloc(size == 0 ? 1 : size);
}

void* allocate(std::size_t size, std::align_val_t alignment) {
  if (!allowed(size)) return nullptr;
  const auto a = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(a, (size + a - 1) / a * a);
}

void* or_throw(void* p) {
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace

namespace geodescent::testing {
std::uint64_t allocations() { return count.load(std::memory_order_relaxed); }
std::uint64_t allocated_bytes() { return bytes.load(std::memory_order_relaxed); }
void fail_allocation(std::uint64_t n) { failing.store(n == 0 ? 0 : count.load() + n); }
bool allocation_has_failed() { return has_failed.exchange(false); }
}  // namespace geodescent::testing

void* operator new(std::size_t size) { return or_throw(allocate(size)); }
void* operator new[](std::size_t size) { return or_throw(allocate(size)); }
void* operator new(std::size_t size, std::align_val_t a) { return or_throw(allocate(size, a)); }
void* operator new[](std::size_t size, std::align_val_t a) { return or_throw(allocate(size, a)); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
