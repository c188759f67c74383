// The searches of geod-memory. A search is one file beside this one and one line in searches.def.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include "geodescent/optimize/method_choice.hpp"
#include "methods/geod_memory/state.hpp"

namespace geodescent {

class Search {
 public:
  virtual ~Search() = default;

  /// Moves x downhill, sets f there (State::f_x) and encloses the ball found, usually that at x
  /// (State::evaluate, State::enclose). Returns false if f was not finite. A step that improves
  /// neither value nor bound ends the run (Status::precision_limit), so try the gradient if a
  /// direction fails.
  virtual bool descend(State& s) = 0;
  /// One iteration that Theorem 1 covers, in place of `descend`; see Guarded.
  virtual bool recover(State& s) { return descend(s); }
  /// The iterations of the last `descend`, as SearchKind::iterations counts them.
  virtual double iterations_made() const { return 1; }
  /// The gap for the forecast. Infinite if it is unknown.
  virtual double gap(const State& s) const { return s.gap(); }
};

/// Theorem 1 holds for any directions if each iteration gives its three inequalities. A search that
/// does not ensure them is guarded: if the gap was not halved in thirty iterations, the guard acts.
enum class Guarded {
  never,        ///< each iteration gives the inequalities
  by_recovery,  ///< one iteration of `recover` follows
  by_fallback   ///< the first applicable search of the table replaces it for good
};

/// How the gap of a search decreases. Searches of one pace need about equally many iterations, so a
/// forecast for one holds for the others (Schedule).
enum class Pace {
  of_condition,  ///< by a constant factor per iteration, which depends on the condition of the function
  of_dual,       ///< by a constant factor per epoch, which depends on the condition of the dual function
  superlinear    ///< faster as it becomes smaller
};
inline constexpr std::size_t paces = 3;

/// The description of a search before it runs: what it keeps, and the cost. All functions take the
/// facts of the problem. Times are nanoseconds on one core (cost.hpp); only their ratios matter.
struct SearchKind {
  std::string_view name;
  bool is_candidate;     ///< may be chosen automatically; false while its costs below are guesses
  bool works_by_rows;    ///< multiplies points by Oracle::product, as the row form requires
  bool saves_passes;     ///< suited to data that are slow to read
  bool lifts_gradients;  ///< needs images of the gradients
  Guarded guarded;
  Pace pace;
  bool (*applies)(const Facts& f);
  /// The memory that it keeps, as far as the settings leave it open. The planner fills in its name.
  /// `dual`: balls keep their dual points.
  Memory (*plan)(const Facts& f, const GeodMemory& settings, bool dual);
  double (*iterations)(const Facts& f, double digits);
  double (*iteration_time)(const Facts& f, const Memory& memory, double iterations);
  /// The time of the first iteration from 0 on where it is shorter than that of others; infinite
  /// where it is not.
  double (*first_time)(const Facts& f) = [](const Facts&) { return std::numeric_limits<double>::infinity(); };
  /// All bytes that a run allocates, without the data: five points, the bundle (bundle_numbers),
  /// and what the search keeps. A contract test compares this with the actual allocations of each
  /// search.
  double (*bytes)(const Facts& f, const Memory& memory);
  /// Starts at the current point of the run. All memory is allocated here.
  std::unique_ptr<Search> (*start)(State& s, const Memory& memory, const GeodMemory& settings);
};

/// All searches, in the order of the table. The first that applies is the fallback.
std::span<const SearchKind* const> searches();
/// Null if no search has this name.
const SearchKind* find_search(std::string_view name);

}  // namespace geodescent
