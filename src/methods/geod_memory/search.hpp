// How geod-memory moves downhill. A search is one file beside this one and one line in searches.def.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "geodescent/optimize/method_choice.hpp"
#include "methods/geod_memory/state.hpp"

namespace geodescent {

class Search {
 public:
  virtual ~Search() = default;

  /// Moves x downhill, sets f there (State::f_x) and encloses the ball it has found: mostly that at x (State::evaluate,
  /// State::enclose). False when f was not finite. A step that improves neither value nor bound ends the run
  /// (Status::precision_limit): where a direction leads nowhere, try the gradient.
  virtual bool descend(State& s) = 0;
  /// One iteration inside of Theorem 1, instead of `descend`; see Guarded.
  virtual bool recover(State& s) { return descend(s); }
  /// Of the last `descend`, as SearchKind::iterations counts them.
  virtual double iterations_made() const { return 1; }
  /// What a forecast is made of. Infinite while nothing is known.
  virtual double gap(const State& s) const { return s.gap(); }
};

/// Theorem 1 holds for any directions as long as each iteration gives its three inequalities. Where a search does not
/// see to them, a guard watches it: when the gap was not halved in thirty iterations, something else follows.
enum class Guarded {
  never,        ///< each iteration gives the inequalities
  by_recovery,  ///< one iteration of `recover` follows
  by_fallback   ///< the search is left for good, for the first of the table that applies
};

/// How the gap of a search falls. Searches of one pace need about as many iterations: what one has seen of a function
/// holds for the others (Schedule).
enum class Pace {
  of_condition,  ///< by about the same factor in each iteration, a matter of the condition of the function
  of_dual,       ///< the same, a matter of the condition of the dual function
  superlinear    ///< the faster, the smaller it is
};
inline constexpr std::size_t paces = 3;

/// What is known of a search before it runs: what it keeps, and what that costs. All functions are given the facts of
/// the problem; times are nanoseconds on one core (cost.hpp), of which only the ratios matter.
struct SearchKind {
  std::string_view name;
  bool is_candidate;     ///< it may be chosen where none is named; false while its costs below are guesses
  bool works_by_rows;    ///< it multiplies points as the oracle says (Oracle::product)
  bool saves_passes;     ///< worth a choice where data are slow to read
  bool lifts_gradients;  ///< it needs images of the gradients
  Guarded guarded;
  Pace pace;
  bool (*applies)(const Facts& f);
  /// What it keeps, as far as the settings leave that open. Its name is filled in by the planner. `dual`: balls keep
  /// their dual points.
  Memory (*plan)(const Facts& f, const GeodMemory& settings, bool dual);
  double (*iterations)(const Facts& f, double digits);
  double (*iteration_time)(const Facts& f, const Memory& memory, double iterations);
  /// Of all that a run allocates, the data not included. A contract test compares it with what a start allocates.
  double (*bytes)(const Facts& f, const Memory& memory);
  /// At the point where the run stands. All memory is allocated here.
  std::unique_ptr<Search> (*start)(State& s, const Memory& memory, const GeodMemory& settings);
};

/// All of them, in the order of their table. The first that applies is what the run falls back on.
std::span<const SearchKind* const> searches();
/// Null if there is none of this name.
const SearchKind* find_search(std::string_view name);

}  // namespace geodescent
