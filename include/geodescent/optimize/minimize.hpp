// The one driver: it runs a method, decides when to stop, and returns what was found with how good it is proven to be.
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
  /// Stop when value - lower_bound <= gap_tolerance (f(x0) - lower_bound): all but this part of the possible
  /// improvement is made, proven. At least 0 and below 1.
  double gap_tolerance = 1e-6;
  /// What f(x0) stands for above, when x0 is no fair place to measure from (a warm start).
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
  not_finite,           ///< the function returned a value that is not finite; x is the last good point
  not_strongly_convex   ///< values contradict the strong convexity claimed: no bound is worth anything
};

/// "converged", "iteration_limit", ...
std::string_view to_string(Status status);

/// What a run has found.
struct Result {
  Status status = Status::not_finite;  ///< why it stopped
  std::string message;                 ///< why it stopped, with the numbers that decided
  Vector x;                            ///< the best point found
  double value = 0;                    ///< f(x), computed from x alone after the last iteration
  double lower_bound = -std::numeric_limits<double>::infinity();  ///< f* is not below it; rounding is accounted for
  double reference_value = 0;                                     ///< f(x0), or what the options put in its place
  double gradient_norm = 0;                                       ///< at x
  /// The optimal free intercept at x; empty if the objective has none.
  std::optional<double> intercept = {};
  /// What the lower bound stands on when the function's strong convexity is unknown: an estimate (0: no bound at all).
  /// Then lower_bound, gap and status are estimates, too; where it is absent they are proven.
  std::optional<double> estimated_strong_convexity = {};
  /// The dual point of the lower bound, when Options::keep_dual asked for it: for a risk, a slope of the loss for
  /// every row. Empty also when nothing better than the trivial bound is known.
  Vector dual;
  std::uint64_t iterations = 0;       ///< iterations made
  Counts counts;                      ///< passes and evaluations made
  double seconds = 0;                 ///< wall-clock time
  std::optional<Memory> memory = {};  ///< what the method has kept, if it says so

  /// The gap is a proof, and not an estimate.
  bool proven() const { return !estimated_strong_convexity; }
  /// f(x) - f* is at most this.
  double gap() const { return value - lower_bound; }
  /// gap() as a part of the improvement that was possible, reference_value - lower_bound.
  double relative_gap() const;
};

/// What an observer sees after the start (iteration 0) and after every iteration.
struct Progress {
  std::uint64_t iteration = 0;     ///< 0: the start
  double value = 0;                ///< of the best point so far
  double lower_bound = 0;          ///< the best so far
  double gradient_norm = 0;        ///< of the last gradient computed
  double reference_value = 0;      ///< as Result::reference_value
  bool proven = true;              ///< false: the strong convexity is unknown, and lower_bound an estimate
  Counts counts;                   ///< passes and evaluations so far
  double seconds = 0;              ///< since the start
  const Method* method = nullptr;  ///< for observers that look closer (balls)

  double gap() const { return value - lower_bound; }  ///< value - lower_bound
  double relative_gap() const;                        ///< as Result::relative_gap()
};

/// Returns false to stop the run.
using Observer = std::function<bool(const Progress&)>;

/// Minimises f from x0 (empty: from zero). Never throws for a numerical reason; throws std::invalid_argument for an x0
/// of the wrong size, and for options or settings that make no sense. Exceptions of a user's function or observer pass
/// through. Several threads may minimise the same f at once.
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

/// The same for a callable that returns f(x) and writes the gradient at x. It has the dimension of x0; what else is
/// known about it stands in `known`:
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

/// What a run from zero would keep, known before it starts; empty for a method that does not plan. `minimize` asks the
/// same planner.
[[nodiscard]] std::optional<Memory> planned_memory(const Objective& f, const MethodChoice& method = {},
                                                   const Options& options = {});

}  // namespace geodescent
