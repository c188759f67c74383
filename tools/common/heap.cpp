#include "common/heap.hpp"

#include <cstdint>
#include <cstdlib>

#if defined(__GLIBC__) && defined(__linux__) && !defined(GEODESCENT_SANITIZE)
#define GEODESCENT_TUNES_HEAP
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#endif

namespace geodescent::cli {

#ifdef GEODESCENT_TUNES_HEAP
namespace {

/// The limit is on addresses, not only on memory that is written.
bool addresses_are_limited() {
  const auto limited = [](auto resource) {
    rlimit limit{};
    return ::getrlimit(resource, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
  };
  return limited(RLIMIT_DATA) || limited(RLIMIT_AS);
}

}  // namespace

void keep_short_vectors() {
  constexpr int longest = 4 << 20, kept = 64 << 20, most_mapped = 65536;  // the last as it is by default
  constexpr std::uintptr_t huge_page = std::uintptr_t{1} << 21;
  if (addresses_are_limited()) return;
  mallopt(M_MMAP_THRESHOLD, longest);
  mallopt(M_TRIM_THRESHOLD, 2 * kept);
  // At the end of the heap. Addresses alone: a page takes memory when it is written to.
  mallopt(M_MMAP_MAX, 0);
  void* const room = std::malloc(kept);
  mallopt(M_MMAP_MAX, most_mapped);
  if (room == nullptr) return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(room) + huge_page - 1) / huge_page * huge_page;
  const auto end = (reinterpret_cast<std::uintptr_t>(room) + kept) / huge_page * huge_page;
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  std::free(room);
}
#else
void keep_short_vectors() {}
#endif

}  // namespace geodescent::cli
