// What ends a run before its gap is small: its options, and its observer. The ranks of a run stop
// together.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "geodescent/optimize/minimize.hpp"

namespace geodescent {

class Limits {
 public:
  /// The time begins here.
  Limits(Oracle& f, const Options& options, const Observer& observer)
      : f_(f), options_(options), observer_(observer), began_(Clock::now()) {}

  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  /// Asks the observer and the clock of every rank. All ranks call it at the same iterations.
  void ask(const Progress& progress);
  bool stopped_by_observer() const { return stopped_; }
  /// Whether the options allow one more iteration, as far as the last `ask` knows.
  bool allow_more_than(std::uint64_t iterations) const { return !reached(iterations); }
  /// The limit of the options that is reached.
  std::optional<Status> reached(std::uint64_t iterations) const;

 private:
  using Clock = std::chrono::steady_clock;

  Oracle& f_;
  const Options& options_;
  const Observer& observer_;
  Clock::time_point began_;
  bool stopped_ = false, time_is_up_ = false;
};

}  // namespace geodescent
