// A small pool of threads. The caller works too and never waits for a thread that has not taken a
// block. On a busy machine a sleeping thread may take milliseconds to wake; the caller then does
// all blocks itself. A barrier at the end of every region, as in OpenMP, was ten times slower
// there.
#include "base/parallel.hpp"

#include <fmt/core.h>
#include <pthread.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/machine/processors.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace geodescent {
namespace {

using Body = void (*)(void*, std::size_t);

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

// True inside a block of a job. Nested parallel work runs on the same thread, because the pool is
// busy.
thread_local bool inside = false;

// The number of fork() calls between the process that loaded the library and this one.
std::atomic<int> generation{0};

/// For a block that called fork() and has returned in the child. The other threads of the job do
/// not exist there, so the blocks they have taken are never done. The exception leaves the job as
/// it is. On a thread of the pool nothing can catch it, because the caller's stack does not exist
/// in the child: std::terminate ends the child.
void refuse_child_of(int parent) {
  if (generation.load(std::memory_order_relaxed) == parent) return;
  throw std::logic_error(
      "a function that geodescent called from several threads has returned in a child of fork(); "
      "end the child inside of the function, by _exit or exec");
}

/// Used only by the holder of a Turn (below).
class Pool {
 public:
  Pool* older = nullptr;  ///< in a child of fork(): the next pool inherited from an ancestor
  ~Pool() {
    stop_.store(true);
    epoch_.fetch_add(1);
    epoch_.notify_all();
    for (std::thread& w : workers_) w.join();
  }

  void run(std::size_t blocks, int team, Body body, void* context) {
    grow(team);
    helpers_.store(team - 1, std::memory_order_relaxed);

    body_.store(body, std::memory_order_relaxed);
    context_.store(context, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    claim_.store(Claim{claim().job + 1, static_cast<std::uint16_t>(blocks), 0}, std::memory_order_release);
    epoch_.fetch_add(1, std::memory_order_release);
    epoch_.notify_all();

    take_blocks();
    // A thread that has taken a block may be preempted, perhaps by this one.
    for (int i = 0; done_.load(std::memory_order_acquire) < blocks; ++i)
      i < spins ? relax() : std::this_thread::yield();
    // All blocks have ended, so their captures may be destroyed: the exception can leave.
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

  /// Starts the threads of a team. If the system refuses one, the other threads do all the blocks.
  void grow(int team) {
    while (static_cast<int>(workers_.size()) + 1 < team) {
      try {
        workers_.emplace_back([this, index = static_cast<int>(workers_.size())] { work(index); });
      } catch (const std::system_error&) {
        return;
      }
    }
  }

 private:
  // The state that decides whether a block may be taken is one atomic word. A thread that has read
  // an old job then cannot take a block of a new one: its compare-exchange fails.
  struct alignas(8) Claim {
    std::uint32_t job;
    std::uint16_t blocks;
    std::uint16_t next;
  };
  static_assert(std::atomic<Claim>::is_always_lock_free);
  static constexpr int spins = 2000;  // about 40 microseconds, the time between two passes of an iteration

  Claim claim() const { return claim_.load(std::memory_order_acquire); }

  void take_blocks() {
    for (Claim c = claim(); c.next < c.blocks;) {
      // The job cannot end before this block is done, so body and context belong to it if the
      // exchange succeeds.
      const Body body = body_.load(std::memory_order_relaxed);
      void* const context = context_.load(std::memory_order_relaxed);
      const Claim taken{c.job, c.blocks, static_cast<std::uint16_t>(c.next + 1)};
      if (!claim_.compare_exchange_weak(c, taken, std::memory_order_acq_rel, std::memory_order_acquire)) continue;
      const int before = generation.load(std::memory_order_relaxed);
      inside = true;
      try {
        body(context, c.next);
        refuse_child_of(before);
      } catch (...) {
        if (generation.load(std::memory_order_relaxed) != before) throw;
        keep(std::current_exception(), c.next);
      }
      inside = false;
      done_.fetch_add(1, std::memory_order_release);
      c = claim();
    }
  }

  /// That of the first block, as if the blocks had been done one after the other.
  void keep(std::exception_ptr thrown, std::size_t block) {
    const std::scoped_lock lock(thrown_guard_);
    if (thrown_ && thrown_by_ < block) return;
    thrown_ = std::move(thrown);
    thrown_by_ = block;
  }

  void work(int index) {
    std::fesetenv(FE_DFL_ENV);  // not inherited: results must not depend on which thread started the worker
    std::uint32_t seen = epoch_.load(std::memory_order_acquire) - 1;
    while (!stop_.load(std::memory_order_relaxed)) {
      for (int i = 0; i < spins && epoch_.load(std::memory_order_acquire) == seen; ++i) relax();
      epoch_.wait(seen, std::memory_order_acquire);
      seen = epoch_.load(std::memory_order_acquire);
      if (index < helpers_.load(std::memory_order_relaxed)) take_blocks();
    }
  }

  std::mutex thrown_guard_;
  std::exception_ptr thrown_;
  std::size_t thrown_by_ = 0;
  std::vector<std::thread> workers_;
  std::atomic<Body> body_{nullptr};
  std::atomic<void*> context_{nullptr};
  std::atomic<int> helpers_{0};  // workers with a larger index skip the job
  std::atomic<std::size_t> done_{0};
  std::atomic<Claim> claim_{Claim{0, 0, 0}};
  std::atomic<std::uint32_t> epoch_{0};
  std::atomic<bool> stop_{false};
};

std::atomic<int>& configured_threads() {
  static std::atomic<int> count{std::min(available_processors(), most_threads)};
  return count;
}

// The pool of this process. These three are initialised at compile time and never destroyed,
// because static objects of the host may call the library in their constructors and destructors.
std::atomic<bool> taken{false};  // whether a caller has the pool; one at a time
Pool* pool = nullptr;            // created at first use
Pool* inherited_pools = nullptr;

/// The exclusive right to use the pool, if it is free. Callers without it are part of a parallel
/// program and work alone.
class Turn {
 public:
  Turn() : ours_(!taken.exchange(true, std::memory_order_acquire)) {}
  /// In a child of fork() the parent's turn has ended, and another thread may hold a new one.
  ~Turn() {
    if (ours_ && generation_ == generation.load(std::memory_order_relaxed))
      taken.store(false, std::memory_order_release);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  explicit operator bool() const { return ours_; }
  Pool& its_pool() const {
    if (pool == nullptr) pool = new Pool;
    return *pool;
  }

 private:
  bool ours_;
  int generation_ = generation.load(std::memory_order_relaxed);
};

/// A child of fork() has none of its parent's threads, so it gets a pool of its own. The inherited
/// pool is only memory: threads that do not exist cannot be joined. It is kept reachable, so that
/// leak checkers do not report it.
extern "C" void geodescent_leave_pool_to_parent() {
  if (Pool* const inherited = std::exchange(pool, nullptr)) {
    inherited->older = inherited_pools;
    inherited_pools = inherited;
  }
  generation.fetch_add(1, std::memory_order_relaxed);
  taken.store(false);  // possibly taken by a thread of the parent
  inside = false;      // a block that called fork() continues in the child, but not as a block of the child's pool
}

/// Joins the threads when the program ends or dlclose() unloads the library, so that no thread runs
/// unmapped code. It keeps the turn, so that no threads start afterwards: destructors that still
/// call the library work alone.
///
/// If the turn is taken, a thread is inside a parallel block while another thread, or the block
/// itself, calls exit(). Waiting for the block could take forever, so the pool stays as it is: its
/// threads end with the process. With dlclose() this means that the host unloads code that it is
/// running.
const struct PoolEnd {
  PoolEnd() { ::pthread_atfork(nullptr, nullptr, geodescent_leave_pool_to_parent); }
  ~PoolEnd() {
    if (!taken.exchange(true, std::memory_order_acquire)) delete std::exchange(pool, nullptr);
  }
} pool_end;

}  // namespace

int threads() { return configured_threads().load(std::memory_order_relaxed); }

void set_threads(int count) {
  if (count < 1 || count > most_threads)
    throw std::invalid_argument(
        fmt::format("the number of threads must be from 1 to {}, but is {}", most_threads, count));
  configured_threads().store(count, std::memory_order_relaxed);
}

namespace parallel {

void start_threads() {
  if (threads() <= 1 || inside) return;
  if (const Turn turn; turn) turn.its_pool().grow(threads());
}

void run(std::size_t blocks, void (*body)(void* context, std::size_t block), void* context) {
  const int team = static_cast<int>(std::min<std::size_t>(blocks, static_cast<std::size_t>(threads())));
  const bool fits = blocks <= std::numeric_limits<std::uint16_t>::max();
  if (team > 1 && fits && !inside) {
    if (const Turn turn; turn) return turn.its_pool().run(blocks, team, body, context);
  }
  for (std::size_t b = 0; b < blocks; ++b) body(context, b);
}

// Members count up `joined` until the first of them closes the team. A thread that comes later does
// nothing.
struct Team::Shared {
  static constexpr std::uint32_t closed = std::uint32_t{1} << 31;
  static constexpr int spins = 2000;
  static constexpr int usual_long_rounds = 16, rounds_for_one_more = 64;
  static constexpr std::chrono::microseconds longest_muster{2000};

  std::atomic<std::uint32_t> joined{0};
  std::atomic<std::uint32_t> waiting{0};
  std::atomic<std::uint32_t> round{0};
  std::atomic<bool> waited_long{false};
  int rounds = 0, long_rounds = 0;  // of the member that comes last
  std::atomic<bool> dissolved{false};
  std::atomic<bool> failed{false};
  const int parent = generation.load(std::memory_order_relaxed);

  /// Until done(). True if that took long: the thread waited for may have lost its processor,
  /// perhaps to this one.
  template <class Done>
  static bool wait_until(Done done) {
    int i = 0;
    for (; !done(); ++i) i < spins ? relax() : std::this_thread::yield();
    return i > spins;
  }

  /// The number of members, for the one that was the `member`-th to join.
  std::uint32_t close(std::uint32_t member, std::uint32_t most) {
    if (member == 0) {
      // Outside of the pool this thread does all the blocks, one after the other.
      if (!inside) joined.fetch_or(closed);
      const auto latest = std::chrono::steady_clock::now() + longest_muster;
      wait_until([&] { return !inside || joined.load() >= most || std::chrono::steady_clock::now() > latest; });
      joined.fetch_or(closed);
    }
    wait_until([&] { return (joined.load() & closed) != 0; });
    return joined.load() & ~closed;
  }
};

bool Team::wait() {
  if (size_ == 1) return true;
  refuse_child_of(shared_.parent);
  const std::uint32_t round = shared_.round.load(std::memory_order_acquire);
  if (shared_.waiting.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
    shared_.waiting.store(0, std::memory_order_relaxed);
    shared_.long_rounds += shared_.waited_long.exchange(false, std::memory_order_relaxed);
    const int most = Shared::usual_long_rounds + ++shared_.rounds / Shared::rounds_for_one_more;
    if (shared_.long_rounds > most) shared_.dissolved.store(true);
    shared_.round.store(round + 1, std::memory_order_release);
  } else {
    const bool was_long = Shared::wait_until([&] {
      refuse_child_of(shared_.parent);  // the others may have been behind
      return shared_.round.load(std::memory_order_acquire) != round || shared_.failed.load(std::memory_order_relaxed);
    });
    if (was_long) shared_.waited_long.store(true, std::memory_order_relaxed);
  }
  if (shared_.failed.load(std::memory_order_relaxed)) return false;
  if (!shared_.dissolved.load(std::memory_order_relaxed)) return true;
  size_ = 1;
  return is_first();
}

bool run_team(std::size_t most, void (*body)(void* context, Team& team), void* context) {
  const std::size_t blocks = inside ? 1 : std::clamp<std::size_t>(static_cast<std::size_t>(threads()), 1, most);
  Team::Shared shared;
  for_each({blocks, 1, blocks}, [&](std::size_t, std::size_t) {
    std::uint32_t joined = shared.joined.load();
    do {
      if (joined & Team::Shared::closed) return;
    } while (!shared.joined.compare_exchange_weak(joined, joined + 1));
    Team team(shared, joined, shared.close(joined, static_cast<std::uint32_t>(blocks)));
    try {
      body(context, team);
    } catch (...) {
      shared.failed.store(true);
      throw;
    }
  });
  return !shared.dissolved.load();
}

}  // namespace parallel
}  // namespace geodescent
