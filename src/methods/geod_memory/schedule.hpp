// Which search a run goes on with: a plan that learns while it runs (docs/explanations/geod-memory.md).
//
//   left      nanoseconds that the search which runs still needs: what its last iterations have gained, extended to the
//             gap wanted (Forecast)
//   time(k)   nanoseconds of search k from here: what its kind predicts, times the part of the way that is left. What
//             one search has seen of its pace holds for all of this pace.
//
//             A pace that nobody has seen is tried where that costs a small part of what is left.
//
// The run leaves its search for the fastest other one when left > patience time(k). Work already spent in vain makes it
// less patient (ski rental): a search that has had the time of another one must be the nearer to its end. No search is
// taken more than twice. Only counted work and values decide, never a clock.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "methods/geod_memory/forecast.hpp"
#include "methods/geod_memory/search.hpp"

namespace geodescent {

class Schedule {
 public:
  Schedule() = default;
  /// A run to this relative gap starts with the first of these plans and may go on with the others.
  Schedule(const Facts& f, const std::vector<Memory>& plans, double gap);

  const Memory& current() const { return plans_[current_].memory; }

  /// So many iterations of the current search have led to this gap. True when another search takes over: the current
  /// one from now on.
  bool changes(double iterations, double gap, double wanted_gap);

 private:
  struct Plan {
    Memory memory;
    const SearchKind* kind;
    int taken = 0;
  };

  std::optional<double>& seen(const Plan& plan) { return seen_[static_cast<std::size_t>(plan.kind->pace)]; }
  double time(const Plan& plan, double part);
  double time_or_trial(const Plan& plan, double part);
  void take(std::size_t plan);

  Facts facts_;
  std::vector<Plan> plans_;
  std::size_t current_ = 0;
  double digits_ = 0;  // of the whole run
  double first_gap_ = 0;
  double made_ = 0;   // iterations of the current search,
  double spent_ = 0;  // nanoseconds of these
  Forecast forecast_;
  std::array<std::optional<double>, paces> seen_{};  // iterations of a whole run, by the last forecast of this pace
};

/// The plan to start with, of several with their predicted times: the fastest, unless a few iterations of another one
/// are a small part of its time. These tell whether the other one is faster after all.
std::size_t plan_to_start_with(const Facts& f, const std::vector<Memory>& plans, double gap);

}  // namespace geodescent
