#include "common/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/machine/environment.hpp"
#include "common/output.hpp"

namespace geodescent::cli {
namespace {

using namespace std::chrono_literals;

ProgressLine::Mode mode_of(bool quiet) {
  if (quiet) return ProgressLine::Mode::silent;
  const bool can_erase = environment("TERM").value_or("dumb") != "dumb";
  return ::isatty(STDERR_FILENO) != 0 && can_erase ? ProgressLine::Mode::terminal : ProgressLine::Mode::log;
}

/// A line that wraps could not be erased.
std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

}  // namespace

ProgressLine::ProgressLine(bool quiet)
    : mode_(mode_of(quiet)), next_(Clock::now() + (mode_ == Mode::log ? 1000ms : 0ms)), pause_(1s) {}

bool ProgressLine::due() {
  if (mode_ == Mode::silent) return false;
  const Clock::time_point now = Clock::now();
  if (now < next_) return false;
  if (mode_ == Mode::terminal) {
    next_ = now + 100ms;
  } else {
    next_ = now + pause_;
    pause_ = std::min<Clock::duration>(2 * pause_, 60s);
  }
  return true;
}

void ProgressLine::show(std::string_view text) {
  if (mode_ == Mode::log) return print_error(one_line(std::string(text)) + '\n');
  print_progress(text, terminal_width() - 1);
  visible_ = true;
}

void ProgressLine::clear() {
  if (visible_) print_progress("", 0);
  visible_ = false;
}

}  // namespace geodescent::cli
