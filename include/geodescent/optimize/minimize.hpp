// The driver: runs a method, decides when to stop, and returns the best point with its proven gap.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "geodescent/optimize/function.hpp"
#include "geodescent/optimize/method_choice.hpp"
#include "geodescent/optimize/objective.hpp"

namespace geodescent {

/// When a run stops, and what it keeps.
struct Options {
  /// Stop when value - lower_bound <= gap_tolerance (f(x0) - lower_bound): the remaining
  /// improvement is provably at most this part of the total. At least 0 and below 1.
  double gap_tolerance = 1e-6;
  /// Replaces f(x0) above, for a start that is already close to the optimum (a warm start).
  std::optional<double> reference_value = {};
  /// Stop when value - lower_bound <= absolute_gap_tolerance.
  double absolute_gap_tolerance = 0;
  /// Stop when |gradient| <= gradient_tolerance.
  double gradient_tolerance = 0;
  std::uint64_t max_iterations = 100'000;  ///< the most iterations
  /// The most seconds; no limit unless given.
  double max_seconds = std::numeric_limits<double>::infinity();
  /// Keep the dual point of the lower bound of a risk, for a certificate (Result::dual).
  bool keep_dual = false;
};

/// Why a run stopped.
enum class Status {
  converged,            ///< a tolerance is met
  iteration_limit,      ///< Options::max_iterations was reached
  time_limit,           ///< Options::max_seconds was reached
  stopped_by_observer,  ///< the observer returned false
  precision_limit,      ///< double precision cannot prove more; the gap reported is what is proven
  not_finite,           ///< the function returned a value that is not finite; x is the last finite point
  not_strongly_convex   ///< values contradict the stated strong convexity; there is no bound
};

/// "converged", "iteration_limit", ...
std::string_view to_string(Status status);

/// The result of a run.
struct Result {
  Status status = Status::not_finite;  ///< why it stopped
  std::string message;                 ///< why it stopped, with the numbers that decided
  Vector x;                            ///< the best point found
  double value = 0;                    ///< f(x), computed from x alone after the last iteration
  double lower_bound = -std::numeric_limits<double>::infinity();  ///< f* is at least this, rounding included
  double reference_value = 0;                                     ///< f(x0) or Options::reference_value
  double gradient_norm = 0;                                       ///< at x
  /// The optimal free intercepts at x, one for each output of the objective; empty if it has none.
  Vector intercepts = {};
  /// If the strong convexity is unknown: its estimate (0: none, and no bound). Then lower_bound,
  /// gap and status are estimates, too. Empty: they are proven.
  std::optional<double> estimated_strong_convexity = {};
  /// The dual values of the lower bound of a risk, with Options::keep_dual: one for each row, with
  /// softmax one for each row and class. Of a risk on ranks (ranks.hpp) those of the rows here.
  /// Empty if no bound above the trivial one is known.
  Vector dual;
  std::uint64_t iterations = 0;       ///< iterations made
  Counts counts;                      ///< passes and evaluations made
  double seconds = 0;                 ///< wall-clock time
  std::optional<Memory> memory = {};  ///< the memory of the method, if it plans one

  /// Whether lower_bound and gap() are proven, not estimated.
  bool proven() const { return !estimated_strong_convexity; }
  /// f(x) - f* is at most this.
  double gap() const { return value - lower_bound; }
  /// gap() divided by the largest possible improvement, reference_value - lower_bound.
  double relative_gap() const;
};

/// The state of a run, for observers: after the start (iteration 0) and after every iteration.
struct Progress {
  std::uint64_t iteration = 0;     ///< 0: the start
  double value = 0;                ///< of the best point so far
  double lower_bound = 0;          ///< the best so far
  double gradient_norm = 0;        ///< of the last gradient computed
  double reference_value = 0;      ///< as Result::reference_value
  bool proven = true;              ///< false: the strong convexity is unknown, and lower_bound an estimate
  Counts counts;                   ///< passes and evaluations so far
  double seconds = 0;              ///< since the start
  const Method* method = nullptr;  ///< the method of the run, for observers that need its ball
  // Where `train` has a problem for each class (one against the rest), several of them at once.
  std::size_t problem = 0;        ///< index of the problem of this call, in the order of the labels
  std::size_t problems = 1;       ///< number of problems
  std::size_t problems_done = 0;  ///< number of finished problems

  double gap() const { return value - lower_bound; }  ///< value - lower_bound
  double relative_gap() const;                        ///< as Result::relative_gap()
};

/// Returns false to stop the run.
using Observer = std::function<bool(const Progress&)>;

/// Minimises f from x0 (empty: from zero). Never throws for a numerical reason; throws
/// std::invalid_argument for an x0 that is not finite or of the wrong size, and for options or
/// settings out of range. Exceptions of a user's function or observer reach the caller. Several
/// threads may minimise the same f at once.
[[nodiscard]] Result minimize(const Objective& f, const MethodChoice& method, std::span<const double> x0 = {},
                              const Options& options = {}, const Observer& observer = {});

/// The same with the default method.
[[nodiscard]] Result minimize(const Objective& f, std::span<const double> x0 = {}, const Options& options = {},
                              const Observer& observer = {});

/// The same with x0 in braces; `{}` is zero.
[[nodiscard]] inline Result minimize(const Objective& f, std::initializer_list<double> x0, const Options& options = {},
                                     const Observer& observer = {}) {
  return minimize(f, std::span<const double>(x0.begin(), x0.size()), options, observer);
}

/// The same with a method of your own.
[[nodiscard]] Result minimize(const Objective& f, Method& method, std::span<const double> x0 = {},
                              const Options& options = {}, const Observer& observer = {});

/// The same for a callable that returns f(x) and writes the gradient at x. Its dimension is the
/// size of x0; `known` has its other properties:
///     minimize([](std::span<const double> x, std::span<double> g) { ... }, x0, {.strong_convexity = 1})
template <class F,
          class = std::enable_if_t<std::is_invocable_r_v<double, F&, std::span<const double>, std::span<double>>>>
[[nodiscard]] Result minimize(F f, const MethodChoice& method, std::span<const double> x0,
                              FunctionProperties known = {}, const Options& options = {},
                              const Observer& observer = {}) {
  if (known.dimension == 0) known.dimension = x0.size();
  return minimize(FunctionObjective(known, std::move(f)), method, x0, options, observer);
}
/// The same with the default method.
template <class F,
          class = std::enable_if_t<std::is_invocable_r_v<double, F&, std::span<const double>, std::span<double>>>>
[[nodiscard]] Result minimize(F f, std::span<const double> x0, FunctionProperties known = {},
                              const Options& options = {}, const Observer& observer = {}) {
  return minimize(std::move(f), MethodChoice(), x0, known, options, observer);
}

/// The memory that a run from zero will use; empty for a method that does not plan. `minimize` uses
/// the same planner.
[[nodiscard]] std::optional<Memory> planned_memory(const Objective& f, const MethodChoice& method = {},
                                                   const Options& options = {});

}  // namespace geodescent
