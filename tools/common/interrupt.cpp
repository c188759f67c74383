#include "common/interrupt.hpp"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>

#include "common/command.hpp"

namespace geodescent::cli {
namespace {

// The last one only among ranks: mpirun passes it on to all of them, and Slurm can send it before
// the time is up.
constexpr int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
bool is_rank = false;
volatile sig_atomic_t received = 0;

const char* name_of(int number) {
  switch (number) {
    case SIGINT:
      return "Ctrl-C";
    case SIGTERM:
      return "SIGTERM";
    case SIGUSR1:
      return "SIGUSR1";
    default:
      return "SIGHUP";
  }
}

/// Writes the line of a run that a signal ends. Handlers of signals may call it.
void say_that_it_ends(int number) {
  if (is_rank) return;
  for (const char* text : {::isatty(STDERR_FILENO) != 0 ? "\n" : "", "geodescent: ended by ", name_of(number),
                           "; unfinished files are not written\n"})
    if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

extern "C" void geodescent_end(int number) {
  say_that_it_ends(number);
  signal(number, SIG_DFL);
  raise(number);
}

void use_handler(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  for (const int number : handled) {
    if (number == SIGUSR1 && !is_rank) continue;
    struct sigaction old {};
    sigaction(number, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

extern "C" void geodescent_take_signal(int number) {
  received = number;
  use_handler(SIG_DFL, 0);
}

/// Only a message is possible here: the file is mapped, and every thread may be in the middle of
/// its work.
extern "C" void geodescent_explain_lost_file(int) {
  static constexpr char message[] =
      "geodescent: error: a file has become shorter while it was read, or its device failed; start again when it is "
      "whole\n";
  if (::write(STDERR_FILENO, message, sizeof message - 1) < 0) _Exit(failure);
  _Exit(failure);
}

}  // namespace

void explain_signals() {
  signal(SIGXFSZ, SIG_IGN);
  struct sigaction action {};
  action.sa_handler = geodescent_explain_lost_file;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
  use_handler(geodescent_end, 0);
}

void let_mpirun_explain_signals() {
  is_rank = true;
  use_handler(geodescent_end, 0);
}

InterruptGuard::InterruptGuard() { use_handler(geodescent_take_signal, SA_RESTART); }

InterruptGuard::~InterruptGuard() { use_handler(geodescent_end, 0); }

int interrupted() { return received; }

const char* interruption() {
  const int number = received;
  return number == 0 ? "a signal to another rank" : name_of(number);
}

void die_of(const Interrupted& stop) {
  const int signal_number = stop.signal;
  if (!stop.explained) say_that_it_ends(signal_number);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
  _Exit(128 + signal_number);  // not reached, unless the signal is blocked
}

}  // namespace geodescent::cli
