// The library in a process that denies threads and memory, unloads code, or exits at any time.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <new>
#include <system_error>
#include <thread>

#include "contract/allocations.hpp"
#include "contract/host/in_a_child.hpp"
#include "data/text/text_chunks.hpp"
#include "geodescent/geodescent.hpp"
#include "support/problems.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

/// The number of threads of this process.
long running_threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator());
}

/// Whether the process comes to have so many threads. The kernel lists a thread for a moment after
/// it was joined.
bool has_threads(long expected) {
  using std::chrono::steady_clock;
  for (const auto limit = steady_clock::now() + std::chrono::seconds(30); steady_clock::now() < limit;) {
    if (running_threads() == expected) return true;
    std::this_thread::yield();
  }
  return false;
}

class HostileProcess : public ::testing::Test {
 protected:
  HostileProcess() { set_threads(3); }
  ~HostileProcess() override { set_threads(before_); }

  Vector minimum() const { return minimize(*make_risk("logistic", data.data, 1e-3)).x; }

  int before_ = threads();
  Random random{97};
  RandomData data = random_data(random, Task::classification, {.rows = 20000, .columns = 5, .density = 0.6});
};

// Threads ----------------------------------------------------------------------------------------

/// Prevents new threads in the current scope by a stack size that cannot be allocated.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    ::pthread_getattr_default_np(&usual_);
    pthread_attr_t huge;
    ::pthread_attr_init(&huge);
    ::pthread_attr_setstacksize(&huge, std::size_t{1} << 60);
    ::pthread_setattr_default_np(&huge);
    ::pthread_attr_destroy(&huge);
  }
  ~NoMoreThreads() {
    ::pthread_setattr_default_np(&usual_);
    ::pthread_attr_destroy(&usual_);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

  /// Whether the limit has an effect here.
  static bool holds() {
    try {
      std::thread([] {}).join();
    } catch (const std::system_error&) {
      return true;
    }
    return false;
  }

 private:
  pthread_attr_t usual_;
};

TEST_F(HostileProcess, ThreadsThatCannotBeStartedAreDoneWithout) {
  const std::string compressed = std::string(GEODESCENT_TEST_DATA) + "/compressed/sample.svm.gz";
  const Vector before = minimum();
  const std::size_t rows = read_dataset(compressed).rows->rows();
  const int code = in_a_child([&] {
    const NoMoreThreads none;
    if (!NoMoreThreads::holds()) return false;
    const bool alone = minimum() == before && has_threads(1);
    return alone && read_dataset(compressed).rows->rows() == rows;
  });
  EXPECT_EQ(code, 0) << "none of them";
  const int some = in_a_child([&] {
    set_threads(2);
    if (minimum() != before || !has_threads(2)) return false;
    set_threads(4);
    {
      const NoMoreThreads none;
      if (minimum() != before || !has_threads(2)) return false;
    }
    return minimum() == before && has_threads(4);
  });
  EXPECT_EQ(some, 0) << "some of them, and all when the system allows them again";
}

// Memory -----------------------------------------------------------------------------------------

/// Calls `work` repeatedly, and lets a later allocation fail each time, until none fails. `work`
/// must either throw std::bad_alloc or succeed, and `intact` must hold after each call.
bool survives_failing_allocations(const std::function<void()>& work, const std::function<bool()>& intact) {
  for (std::uint64_t n = 1;; ++n) {
    fail_allocation(n);
    try {
      work();
    } catch (const std::bad_alloc&) {
    }
    fail_allocation(0);
    if (!intact()) return false;
    if (!allocation_has_failed()) return n > 10;  // some allocation has failed before
  }
}

TEST_F(HostileProcess, AFailingAllocationIsABadAllocAndThePoolGoesOn) {
  const RandomData few = random_data(random, Task::classification, {.rows = 3000, .columns = 5, .density = 0.6});
  const auto train_on_few = [&] {
    return train(few.data, {.loss = "logistic", .l2 = 1e-3}, {.minimize = {.gap_tolerance = 1e-3}}).model.weights;
  };
  const Vector before = train_on_few();
  const int trained = in_a_child([&] {
    const Vector ones(10000, 1.0);
    const auto intact = [&] { return squared_norm(ones) == 10000; };
    return survives_failing_allocations([&] { (void)train_on_few(); }, intact) && train_on_few() == before;
  });
  EXPECT_EQ(trained, 0) << "training";
}

// Each block of the gradient allocates memory, in a user's loss.
struct Allocating {
  static constexpr std::string_view name = "allocating";
  static constexpr Task task = Task::regression;

  LossValue operator()(double z, double y) const {
    ::operator delete(::operator new(sizeof(double)));  // explicit calls, which a compiler must not remove
    return {(z - y) * (z - y) / 2, z - y, 1};
  }
  double conjugate(double s, double y) const { return s * s / 2 + s * y; }
  double curvature_bound() const { return 1; }
};

TEST_F(HostileProcess, AFailingAllocationInsideABlockIsABadAlloc) {
  const RandomData targets = random_data(random, Task::regression, {.rows = 20000, .columns = 5, .density = 0.6});
  const auto minimize_it = [&] { return minimize(RegularizedRisk<Allocating>(targets.data, 1e-3), "geod").x; };
  const Vector before = minimize_it();
  const int code = in_a_child([&] {
    for (std::uint64_t n = 1; n < 200000; n = 2 * n + 1) {
      fail_allocation(n);
      try {
        (void)minimize_it();
        return false;
      } catch (const std::bad_alloc&) {
      }
      fail_allocation(0);
    }
    return minimize_it() == before;
  });
  EXPECT_EQ(code, 0);
}

TEST_F(HostileProcess, AFailingAllocationWhileReadingIsABadAlloc) {
  for (const char* const name : {"sample.svm", "sample.svm.gz", "sample.svm.xz"}) {
    const std::string path = std::string(GEODESCENT_TEST_DATA) + "/compressed/" + name;
    const std::size_t rows = read_dataset(path).rows->rows();
    const int code = in_a_child([&] {
      return survives_failing_allocations([&] { (void)read_dataset(path); },
                                          [&] { return read_dataset(path).rows->rows() == rows; });
    });
    EXPECT_EQ(code, 0) << name;
  }
}

TEST_F(HostileProcess, AFailingAllocationOfTheReadingThreadIsABadAlloc) {
  const TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 500000; ++i) text += "1 1:1\n";  // more chunks than a block of the queue holds
  put(folder / "text", text);
  const auto bytes_read = [&] {
    TextSource source(folder / "text");
    ChunksOfSource chunks(source, source.read(), 1 << 16, 12);
    std::size_t bytes = 0;
    for (TextChunk chunk; chunks.next(chunk); bytes += chunk.text.size())
      if (chunk.error) std::rethrow_exception(chunk.error);
    return bytes;
  };
  const int code = in_a_child([&] {
    return survives_failing_allocations([&] { (void)bytes_read(); }, [&] { return bytes_read() == text.size(); });
  });
  EXPECT_EQ(code, 0);
}

// Unloading --------------------------------------------------------------------------------------

TEST_F(HostileProcess, APluginCanBeUnloadedAndLoadedAgain) {
  const int code = in_a_child([] {
    double first = 0;
    static double at_unload = 0;  // with gcc it is written at the end of the process
    for (int round = 0; round < 5; ++round) {
      const long others = running_threads();
      void* const module = ::dlopen(GEODESCENT_HOST_MODULE, RTLD_NOW | RTLD_LOCAL);
      if (module == nullptr) return false;
      auto* const minimize_there = reinterpret_cast<double (*)(int)>(::dlsym(module, "minimize_in_module"));
      auto* const also_at_unload = reinterpret_cast<void (*)(double*)>(::dlsym(module, "minimize_at_unload"));
      if (minimize_there == nullptr || also_at_unload == nullptr) return false;
      also_at_unload(&at_unload);
      const double value = minimize_there(3);
      if (round == 0) first = value;
      if (value < 0 || value != first) return false;
      if (round == 0 && !has_threads(others + 2)) return false;  // the module has its own pool
      if (::dlclose(module) != 0) return false;
      // gcc marks symbols as unique in the process; the loader then keeps the module.
      void* const kept = ::dlopen(GEODESCENT_HOST_MODULE, RTLD_NOW | RTLD_NOLOAD);
#ifdef __clang__
      if (kept != nullptr) return false;
#endif
      if (kept == nullptr && (!has_threads(others) || at_unload != first)) return false;
    }
    return true;
  });
  EXPECT_EQ(code, 0);
}

// The end of the process -------------------------------------------------------------------------

/// Ends the process with the result of a function that its destructor runs.
class InDestructor {
 public:
  constexpr InDestructor() = default;
  explicit InDestructor(const std::function<bool()>* work) : work_(work) {}
  ~InDestructor() {
    if (work_ != nullptr) ::_exit((*work_)() ? 0 : 1);
  }
  InDestructor(const InDestructor&) = delete;
  InDestructor& operator=(const InDestructor&) = delete;

  void set(const std::function<bool()>* work) { work_ = work; }

 private:
  const std::function<bool()>* work_ = nullptr;
};

/// Constructed before the objects of the library, so destroyed after them.
__attribute__((init_priority(101))) InDestructor last_destructor;

TEST_F(HostileProcess, DestructorsOfStaticObjectsCanCallTheLibrary) {
  const Vector before = minimum();
  const std::function<bool()> with_the_pool = [&] { return minimum() == before && running_threads() > 1; };
  const std::function<bool()> without = [&] { return has_threads(1) && minimum() == before && has_threads(1); };
  for (const bool used : {false, true}) {
    const auto first = in_a_child([&] {
      if (used && minimum() != before) return false;
      static const InDestructor early(&with_the_pool);
      return true;
    });
    EXPECT_EQ(first, 0) << "before the pool ends" << (used ? "" : ", the first use in this process");
    const auto last = in_a_child([&] {
      if (used && minimum() != before) return false;
      last_destructor.set(&without);
      return true;
    });
    EXPECT_EQ(last, 0) << "after the pool has ended" << (used ? "" : ", the first use in this process");
  }
}

TEST_F(HostileProcess, ExitWhileAnotherThreadIsAtWork) {
  for (int round = 0; round < 20; ++round) {
    const int code = in_a_child([&] {
      std::atomic<int> runs{0};
      std::thread([&] {
        for (;; ++runs) (void)minimum();
      }).detach();
      while (runs < 1 + round % 3) std::this_thread::yield();
      // The thread must continue after the destructors of the library.
      const std::function<bool()> gets_on = [&runs] {
        for (const int before = runs; runs < before + 2;) std::this_thread::yield();
        return true;
      };
      last_destructor.set(&gets_on);
      std::exit(0);  // does not return, so the thread's data stay valid
      return false;
    });
    ASSERT_EQ(code, 0) << "round " << round;
  }
}

/// Ends the program inside a block.
struct Leaving {
  static constexpr std::string_view name = "leaving";
  static constexpr Task task = Task::regression;
  static inline std::atomic<bool> left{false};
  static inline std::thread::id stays;

  LossValue operator()(double z, double y) const {
    if (std::this_thread::get_id() != stays && !left.exchange(true)) std::exit(0);
    return {(z - y) * (z - y) / 2, z - y, 1};
  }
  double conjugate(double s, double y) const { return s * s / 2 + s * y; }
  double curvature_bound() const { return 1; }
};

TEST_F(HostileProcess, ExitInsideABlock) {
  const RandomData targets = random_data(random, Task::regression, {.rows = 20000, .columns = 5, .density = 0.6});
  const auto leave = [&](std::thread::id stays) {
    return in_a_child([&] {
      Leaving::stays = stays;
      for (;;) (void)minimize(RegularizedRisk<Leaving>(targets.data, 1e-3), "geod");
      return false;
    });
  };
  EXPECT_EQ(leave({}), 0) << "by the first thread that comes";
  EXPECT_EQ(leave(std::this_thread::get_id()), 0) << "by a thread of the pool";
}

}  // namespace
}  // namespace geodescent::testing
