// Work in a process of its own: what crashes or hangs there is a failed test here.
#pragma once

#include <functional>

namespace geodescent::testing {

/// Runs `work` in a child of fork(), which then calls std::exit with 0 for true and 1 for false or an exception.
/// Returns its exit code, or -1 when a signal ended it. A child that takes longer than two minutes is ended by SIGALRM.
int in_a_child(const std::function<bool()>& work);

}  // namespace geodescent::testing
