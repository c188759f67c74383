// A run as Python sees it: its history, signals, and a callback that can stop it.
#pragma once

#include <chrono>
#include <optional>
#include <thread>

#include "binding.hpp"

namespace geodescent::python {

/// Progress without the method, which does not outlive a call.
struct Seen {
  std::uint64_t iteration = 0;
  double value = 0, lower_bound = 0, gap = 0, relative_gap = 0, gradient_norm = 0, seconds = 0;
  std::uint64_t passes = 0;
  std::size_t problem = 0, problems = 1, problems_done = 0;
};

/// The progress of one run.
struct History {
  std::vector<std::uint64_t> iteration, passes;
  std::vector<std::uint64_t> problem;  ///< of one class against the rest; else all are 0
  Vector value, lower_bound, seconds;

  void add(const Seen& seen);
};

/// Called without the GIL, never by two threads at once. Takes it for the callback, and for signals
/// a few times a second.
class Watch {
 public:
  /// `callback` may be none; it is called at most once in `seconds`, or in every iteration.
  Watch(nb::object callback, double seconds) : callback_(std::move(callback)), seconds_(seconds) {}

  /// False to stop the run: after Ctrl-C, or when the callback returns something true or raises
  /// StopIteration. Throws what else the callback or the handler of a signal raises.
  bool operator()(const Progress& progress);

  bool interrupted() const { return interrupted_; }
  History history;

 private:
  bool asks_to_stop(const Seen& seen);

  nb::object callback_;
  double seconds_;
  std::thread::id caller_ = std::this_thread::get_id();
  // Of this object, which sees several runs of a path or of folds.
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> last_call_;
  Clock::time_point last_signals_ = Clock::now();
  bool interrupted_ = false;
};

/// Passes over the data, or evaluations of a black box.
std::uint64_t passes_of(const Counts& counts);

}  // namespace geodescent::python
