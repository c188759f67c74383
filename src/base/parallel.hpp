// Division of work into blocks. Blocks depend on the size of the data alone, and partial sums are
// added in order, so a result has the same bits for every number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "geodescent/threads.hpp"

// For sums that are not kernels (src/kernels). They are compiled twice, for AVX2 and for any
// x86-64, with the same bits, because lanes fix the order of the additions. Clang cannot clone
// templates; sanitizers and C libraries other than glibc do not support the dispatch.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GEODESCENT_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define GEODESCENT_VECTOR_CLONES
#endif

namespace geodescent {

namespace parallel {

inline constexpr std::size_t max_blocks = 256;

/// The items from `first` to `size` cut into `count` consecutive blocks of equal length (the last
/// may be shorter).
struct Blocks {
  std::size_t size;
  std::size_t length;
  std::size_t count;
  std::size_t first = 0;

  std::size_t begin(std::size_t block) const { return first + block * length; }
  std::size_t end(std::size_t block) const { return std::min(size, begin(block) + length); }
  /// The block that begins there.
  std::size_t index(std::size_t begin) const { return (begin - first) / length; }
};

/// At most `most` blocks, each of at least `grain` items.
inline Blocks cut(std::size_t size, std::size_t grain = 2048, std::size_t most = max_blocks) {
  const std::size_t length = std::max({grain, (size + most - 1) / most, std::size_t{1}});
  return {size, length, (size + length - 1) / length};
}

/// Starts the threads that `run` may need, so that later calls allocate nothing.
void start_threads();

/// Runs body(context, block) for every block, on several threads if there are several blocks. After
/// all blocks have ended it rethrows the exception of the first block that threw. Uses fewer
/// threads if the system refuses to start them. Throws std::logic_error in a child of fork() in
/// which a block of several threads returned.
void run(std::size_t blocks, void (*body)(void* context, std::size_t block), void* context);

/// Threads that work at the same time and wait for one another, for steps too short to be blocks of
/// their own. Shares of the work are checked again after each wait: on a busy machine the first
/// member to come goes on alone.
class Team {
 public:
  /// This member's part of so many items: from .first to .second.
  std::pair<std::size_t, std::size_t> share(std::size_t items) const {
    return {items * member_ / size_, items * (member_ + 1) / size_};
  }
  bool is_first() const { return member_ == 0; }
  std::size_t size() const { return size_; }
  /// Returns when every member has called it. False when this member is to leave: it returns, too.
  [[nodiscard]] bool wait();

 private:
  friend bool run_team(std::size_t, void (*)(void*, Team&), void*);
  struct Shared;
  Team(Shared& shared, std::size_t member, std::size_t size) : shared_(shared), member_(member), size_(size) {}

  Shared& shared_;
  std::size_t member_, size_;
};

/// Runs body(context, team) on at most `most` threads: those that begin within a moment, at least
/// one. Results must not depend on their number. Exceptions are treated as those of `run`. False if
/// threads had to wait so often for one that had no processor that the first member went on alone.
bool run_team(std::size_t most, void (*body)(void* context, Team& team), void* context);

template <class Body>
bool with_team(std::size_t most, Body&& body) {
  return run_team(
      most, [](void* b, Team& team) { (*static_cast<std::remove_reference_t<Body>*>(b))(team); }, &body);
}

/// body(begin, end) for every block.
template <class Body>
void for_each(const Blocks& blocks, Body&& body) {
  struct Context {
    const Blocks& blocks;
    std::remove_reference_t<Body>& body;
  } context{blocks, body};
  run(
      blocks.count,
      [](void* c, std::size_t block) {
        auto& in = *static_cast<Context*>(c);
        in.body(in.blocks.begin(block), in.blocks.end(block));
      },
      &context);
}

/// The sum, in order, of body(begin, end) over all blocks. Sum is a small default-constructible
/// type with operator+=.
template <class Sum, class Body>
Sum sum(const Blocks& blocks, Body&& body) {
  std::array<Sum, max_blocks> partial;
  for_each(blocks, [&](std::size_t begin, std::size_t end) { partial[blocks.index(begin)] = body(begin, end); });
  Sum total{};
  for (std::size_t b = 0; b < blocks.count; ++b) total += partial[b];
  return total;
}

/// K sums that are computed together.
template <std::size_t K>
struct Sums {
  std::array<double, K> of;

  Sums& operator+=(const Sums& other) {
    for (std::size_t k = 0; k < K; ++k) of[k] += other.of[k];
    return *this;
  }
};

inline constexpr std::size_t lanes = 8;

/// The K sums of term(i) = {t_1, ..., t_K} over begin <= i < end. Eight running sums each fix the
/// order of additions for every register width. Each sum is only (end - begin) / 8 + 3 roundings
/// deep.
template <std::size_t K, class Term>
GEODESCENT_VECTOR_CLONES Sums<K> sum_in_lanes(std::size_t begin, std::size_t end, Term&& term) {
  Sums<K> total{};
  if (end - begin < lanes) {  // the same result as the loop below, without its overhead
    for (std::size_t i = begin; i < end; ++i) {
      const std::array<double, K> t = term(i);
      for (std::size_t k = 0; k < K; ++k) total.of[k] += t[k];
    }
    return total;
  }
  double lane[K][lanes] = {};
  std::size_t i = begin;
  for (; i + lanes <= end; i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const std::array<double, K> t = term(i + l);
      for (std::size_t k = 0; k < K; ++k) lane[k][l] += t[k];
    }
  for (; i < end; ++i) {
    const std::array<double, K> t = term(i);
    for (std::size_t k = 0; k < K; ++k) lane[k][0] += t[k];
  }
  for (std::size_t k = 0; k < K; ++k) {
    const double* s = lane[k];
    total.of[k] = ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]));
  }
  return total;
}

}  // namespace parallel
}  // namespace geodescent
