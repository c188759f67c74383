// The schedule changes the search of a run while it runs (docs/explanations/geod-memory.md).
//
//   left      predicted nanoseconds that the current search still needs: the recent decrease of the gap,
//             extrapolated to the wanted gap (Forecast)
//   time(k)   predicted nanoseconds of search k from here: the prediction of its kind, times the remaining
//             part of the run. A forecast for one search holds for all searches of its pace.
//             A search of a pace without a forecast is tried if that costs a small part of `left`.
//
// The run changes to the fastest other search if left > patience time(k). Time spent without
// success makes it less patient (ski rental): `left` is multiplied by the time spent, relative to
// the time of the other search. A superlinear search is not judged before it has spent what
// another search was predicted to need. A search that starts again has lost its memory, so it is
// judged later than the first time. No search is taken more than twice, but for a return from a
// search of another pace. Only counts and values decide, never a clock.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "methods/geod_memory/plan/forecast.hpp"
#include "methods/geod_memory/search.hpp"

namespace geodescent {

class Schedule {
 public:
  Schedule() = default;
  /// A run to this relative gap starts with the first of these plans and may change to the others.
  Schedule(const Facts& f, const std::vector<Memory>& plans, double gap);

  const Memory& current() const { return plans_[current_].memory; }

  /// Reports the gap after `iterations` more iterations of the current search. True if another
  /// search takes over, which then is the current one.
  bool changes(double iterations, double gap, double wanted_gap);

  /// The fastest plan whose search Theorem 1 covers, perhaps after a recovery. Empty if there is
  /// none.
  std::optional<Memory> covered_by_theorem();

 private:
  struct Plan {
    Memory memory;
    const SearchKind* kind;
    int taken = 0;
  };

  std::optional<double>& seen(const Plan& plan) { return seen_[static_cast<std::size_t>(plan.kind->pace)]; }
  double time(const Plan& plan, double part);
  double time_or_trial(const Plan& plan, double part);
  bool learned(const Plan& current) const;
  bool may_take(std::size_t plan) const;
  void take(std::size_t plan);

  Facts facts_;
  std::vector<Plan> plans_;
  std::size_t current_ = 0;
  double digits_ = 0;  // of the whole run
  double first_gap_ = 0;
  double made_ = 0;                                          // iterations of the current search,
  double spent_ = 0;                                         // their predicted nanoseconds
  double spared_ = std::numeric_limits<double>::infinity();  // what another search was predicted to need then
  Forecast forecast_;
  std::array<std::optional<double>, paces> seen_{};  // iterations of a whole run by the last forecast of each pace
};

/// The index of the plan to start with: the fastest, unless a few iterations of another one cost a
/// small part of its time. Those iterations show whether the other one is faster.
std::size_t plan_to_start_with(const Facts& f, const std::vector<Memory>& plans, double gap);

}  // namespace geodescent
