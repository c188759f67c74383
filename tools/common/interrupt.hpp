// Signals. Ctrl-C: the first asks for a clean end, the second ends the program at once.
#pragma once

namespace geodescent::cli {

/// During its lifetime the first SIGINT, SIGTERM or SIGHUP only sets a flag; the next one has its
/// usual effect. Signals that the caller of the program ignores (nohup) stay ignored.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;
};

/// The signal that came, or 0.
int interrupted();
/// "Ctrl-C", "SIGTERM", "SIGHUP" or "SIGUSR1"; another text if none came.
const char* interruption();

/// Thrown to clean up before the program ends by the signal.
struct Interrupted {
  int signal;
  bool explained = false;  ///< whether a message has said what was kept
};
[[noreturn]] void die_of(const Interrupted& stop);

/// Call once at the start. Ctrl-C, SIGTERM and SIGHUP then end the program with a line. A file that
/// exceeds the size limit is then an error of its write. A file that becomes shorter while it is
/// read ends the program with a message and the exit code of bad input.
void explain_signals();
/// For processes that mpirun has started: it says how they end, and they do not. SIGUSR1 is then
/// like SIGTERM.
void let_mpirun_explain_signals();

}  // namespace geodescent::cli
