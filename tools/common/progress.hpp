// Progress on standard error: one live line on a terminal, a few lines in a log.
#pragma once

#include <chrono>
#include <string_view>

namespace geodescent::cli {

/// Shows the state of long work. On a terminal one line is rewritten at most ten times a second and
/// erased at the end; elsewhere a line is added after 1, 2, 4, 8, ... seconds and then every
/// minute.
class ProgressLine {
 public:
  enum class Mode { silent, terminal, log };

  explicit ProgressLine(bool quiet);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// text() is called only when a line is due.
  template <class Text>
  void update(Text&& text) {
    if (due()) show(text());
  }
  /// On a terminal only: shown at once, and overwritten later.
  void announce(std::string_view text) {
    if (mode_ == Mode::terminal) show(text);
  }
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool due();
  void show(std::string_view text);

  Mode mode_;
  bool visible_ = false;
  Clock::time_point next_;
  Clock::duration pause_;
};

}  // namespace geodescent::cli
