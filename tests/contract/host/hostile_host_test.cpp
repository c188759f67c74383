// The library in programs that throw exceptions and fork at any time.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <thread>

#include "contract/host/in_a_child.hpp"
#include "geodescent/geodescent.hpp"
#include "support/problems.hpp"

namespace geodescent::testing {
namespace {

class HostileHost : public ::testing::Test {
 protected:
  HostileHost() { set_threads(3); }
  ~HostileHost() override { set_threads(before_); }

  Vector minimum() const { return minimize(*make_risk("logistic", data.data, 1e-3)).x; }

  int before_ = threads();
  Random random{89};
  RandomData data = random_data(random, Task::classification, {.rows = 20000, .columns = 5, .density = 0.6});
};

/// A parabola that throws outside its domain.
struct Narrow {
  static constexpr std::string_view name = "narrow";
  static constexpr Task task = Task::regression;

  LossValue operator()(double z, double y) const {
    if (std::abs(z) > 0.01) throw std::domain_error("the loss ends here");
    return {(z - y) * (z - y) / 2, z - y, 1};
  }
  double conjugate(double s, double y) const { return s * s / 2 + s * y; }
  double curvature_bound() const { return 1; }
};

TEST_F(HostileHost, AnExceptionOfALossPassesThroughAndTheThreadsGoOn) {
  const Vector before = minimum();
  const RandomData targets = random_data(random, Task::regression, {.rows = 20000, .columns = 5, .density = 0.6});
  for (int round = 0; round < 20; ++round)
    for (const char* method : {"geod", "lbfgs", "geod-memory"})
      EXPECT_THROW((void)minimize(RegularizedRisk<Narrow>(targets.data, 1e-3), method), std::domain_error);
  EXPECT_EQ(minimum(), before);
}

TEST_F(HostileHost, AChildOfAForkWorksAndEnds) {
  const Vector before = minimum();  // the threads are running now
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(in_a_child([] { return true; }), 0) << "a child that only ends";
    EXPECT_EQ(in_a_child([&] { return minimum() == before; }), 0) << "a child with threads of its own";
    EXPECT_EQ(in_a_child([&] { return minimum() == before && in_a_child([&] { return minimum() == before; }) == 0; }),
              0)
        << "and its child";
  }
  EXPECT_EQ(minimum(), before);
}

/// Forks once inside a block, on the chosen thread. Both processes return from the block.
struct Forking {
  static constexpr std::string_view name = "forking";
  static constexpr Task task = Task::regression;
  static inline std::thread::id caller;
  static inline bool on_caller = true;
  static inline bool throws = false;  // the child throws instead of returning
  static inline std::atomic<bool> forked{false};
  static inline std::atomic<pid_t> child{-1};

  LossValue operator()(double z, double y) const {
    if ((std::this_thread::get_id() == caller) == on_caller && !forked.exchange(true)) {
      child = ::fork();
      if (child == 0) ::alarm(120);
      if (child == 0 && throws) throw std::domain_error("in the child");
    }
    return {(z - y) * (z - y) / 2, z - y, 1};
  }
  double conjugate(double s, double y) const { return s * s / 2 + s * y; }
  double curvature_bound() const { return 1; }
};

class ForkInsideABlock : public HostileHost {
 protected:
  static constexpr int refused = 7, thrown = 8, unexpected = 9;

  static int code_of(const std::exception_ptr& exception) {
    try {
      std::rethrow_exception(exception);
    } catch (const std::domain_error&) {
      return thrown;
    } catch (const std::logic_error&) {
      return refused;
    } catch (...) {
      return unexpected;
    }
  }

  Vector forking_minimum() const { return minimize(RegularizedRisk<Forking>(targets.data, 1e-3), "geod").x; }

  /// The exit code of a child that ends in the block. Parent and grandparent must be unaffected.
  int child_code(bool on_caller, bool throws) const {
    const Vector before = minimum();
    Forking::forked = true;  // does not fork yet
    const Vector alone = forking_minimum();
    const int code = in_a_child([&] {
      Forking::caller = std::this_thread::get_id();
      Forking::on_caller = on_caller;
      Forking::throws = throws;
      Forking::forked = false;
      std::set_terminate([] { ::_exit(code_of(std::current_exception())); });
      try {
        while (!Forking::forked)
          if (forking_minimum() != alone) return false;
      } catch (...) {
        if (Forking::child != 0) return false;
        const bool works = minimum() == before && forking_minimum() == alone;
        ::_exit(works ? code_of(std::current_exception()) : unexpected);
      }
      int status = 0;
      const bool ended = ::waitpid(Forking::child, &status, 0) == Forking::child && WIFEXITED(status);
      std::exit(ended && minimum() == before ? WEXITSTATUS(status) : unexpected);
      return false;
    });
    EXPECT_EQ(minimum(), before);
    return code;
  }

  RandomData targets = random_data(random, Task::regression, {.rows = 20000, .columns = 5, .density = 0.6});
};

TEST_F(ForkInsideABlock, ReturnsInTheChildAndIsRefused) {
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(child_code(true, false), refused) << "on the thread of the caller, who gets the exception";
    EXPECT_EQ(child_code(false, false), refused) << "on a thread of the pool, where std::terminate gets it";
  }
}

TEST_F(ForkInsideABlock, ThrowsInTheChild) {
  EXPECT_EQ(child_code(true, true), thrown) << "on the thread of the caller";
  EXPECT_EQ(child_code(false, true), thrown) << "on a thread of the pool";
}

}  // namespace
}  // namespace geodescent::testing
