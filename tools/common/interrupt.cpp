#include "common/interrupt.hpp"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/command.hpp"

namespace geodescent::cli {
namespace {

constexpr int handled[] = {SIGINT, SIGTERM, SIGHUP};
volatile sig_atomic_t received = 0;

void use_default_action() {
  for (const int number : handled) {
    struct sigaction current {};
    sigaction(number, nullptr, &current);
    if (current.sa_handler != SIG_IGN) signal(number, SIG_DFL);
  }
}

extern "C" void geodescent_take_signal(int number) {
  received = number;
  use_default_action();
}

/// Nothing but a message is possible here: the file is mapped, and any thread may be at any place.
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
}

InterruptGuard::InterruptGuard() {
  struct sigaction action {};
  action.sa_handler = geodescent_take_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int number : handled) {
    struct sigaction old {};
    sigaction(number, nullptr, &old);
    if (old.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() { use_default_action(); }

int interrupted() { return received; }

const char* interruption() { return received == SIGINT ? "Ctrl-C" : received == SIGTERM ? "SIGTERM" : "SIGHUP"; }

void die_of(int signal_number) {
  signal(signal_number, SIG_DFL);
  raise(signal_number);
  _Exit(128 + signal_number);  // not reached, unless the signal is blocked
}

}  // namespace geodescent::cli
