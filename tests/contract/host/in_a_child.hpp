// Runs work in a child process, so that a crash or a hang is a failed test.
#pragma once

#include <functional>

namespace geodescent::testing {

/// Runs `work` in a child of fork(), which calls std::exit with 0 for true and 1 for false or an
/// exception. Returns the exit code, or -1 if a signal ended the child. After two minutes SIGALRM
/// ends it.
int in_a_child(const std::function<bool()>& work);

}  // namespace geodescent::testing
