// Signals. Ctrl-C: the first asks for a clean end, the second ends the program at once.
#pragma once

namespace geodescent::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP only sets a flag; the next one has its usual effect. Signals
/// that the caller of the program ignores (nohup) stay ignored.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// The signal that came, or 0.
int interrupted();
/// "Ctrl-C", "SIGTERM" or "SIGHUP".
const char* interruption();

/// Thrown to clean up on the way out and then die of the signal, as a program that never caught it.
struct Interrupted {
  int signal;
};
[[noreturn]] void die_of(int signal);

/// For the whole run: no signal of the system ends it without a word. A file that becomes too large is an error of its
/// write; one that becomes shorter while it is read ends the program with a message and the exit code of bad input.
void explain_signals();

}  // namespace geodescent::cli
