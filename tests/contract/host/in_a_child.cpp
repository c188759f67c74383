#include "contract/host/in_a_child.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

/// The leak sanitizer stops all threads before it checks. In a child of a threaded program it
/// cannot find some of them, and would report their memory as leaked.
static bool in_child = false;
extern "C" int __lsan_is_turned_off() { return in_child ? 1 : 0; }

namespace geodescent::testing {

int in_a_child(const std::function<bool()>& work) {
  constexpr unsigned limit = 120;  // seconds, with sanitizers on a busy machine
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    in_child = true;
    ::alarm(limit);
    bool good = false;
    try {
      good = work();
    } catch (...) {  // must not reach the test's code, which belongs to the parent
    }
    std::exit(good ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace geodescent::testing
