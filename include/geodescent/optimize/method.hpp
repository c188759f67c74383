// What a method is: read this to write one of your own. Those of the library are in method_choice.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "geodescent/optimize/ball.hpp"
#include "geodescent/optimize/oracle.hpp"

namespace geodescent {

/// Where a method stands.
struct Iterate {
  const Vector* x = nullptr;  ///< the point it offers; in row form, its multipliers (Oracle::expand)
  double value = 0;           ///< f there
  double gradient_norm = 0;   ///< of the last gradient computed
  double lower_bound = 0;     ///< certified: f* is not below it (see below for when it is not)
  double rounding = 0;        ///< of value and bound together: a gap below it means nothing
  /// When the function's is unknown: what the points seen allow at most. The bound is then an estimate, too.
  double estimated_strong_convexity = 0;
  /// The dual point of lower_bound, for a risk; empty when it is not kept, or when the last step has not improved it.
  std::span<const double> dual = {};
};

/// What geod-memory searches along, unless one of its searches is named. Automatic: what takes least time, by a model
/// of the cost. Few passes: the same among those that read the data least often, for data that are slow to read.
inline constexpr std::string_view automatic_directions = "automatic";
/// See automatic_directions.
inline constexpr std::string_view few_passes_directions = "few-passes";
/// Both, and the names of the searches (src/methods/geod_memory/searches.def): "gradients" over the span of many at
/// once, "quasi-newton" along single directions, of limited-memory BFGS, "newton" along directions from the Hessian of
/// the whole space.
std::vector<std::string_view> direction_names();

/// What a method with a memory keeps of the past.
struct Memory {
  std::string_view along = {};  ///< the name of its search
  std::size_t directions = 0;   ///< searched at once
  std::size_t pairs = 0;        ///< of steps and changes of the gradient, for a quasi-Newton direction
  std::size_t balls = 0;        ///< balls of single points
  bool dual = false;            ///< the dual point of each ball, too
  double bytes = 0;             ///< of all that a run allocates, the data not included
  /// At most the same after geod-memory has changed its search; 0 where it never does.
  double bytes_after_guard = 0;
};

/// The outcome of an iteration.
enum class Step {
  progressed,  ///< the iteration has improved something
  stalled,     ///< rounding leaves no progress to be made
  not_finite   ///< the function returned values that are not finite and no way around them was found
};

/// What a run is for. A method may plan with it.
struct Purpose {
  double gap = 1e-6;  ///< relative, as Options::gap_tolerance
  /// Keep the dual point of the lower bound of a risk, for a certificate. geod-memory then remembers a number a row for
  /// every ball.
  bool dual = false;
};

/// A method contains mathematics only: the driver stops, times and reports, a wrapper counts.
class Method {
 public:
  virtual ~Method() = default;

  /// Begins at x0: all memory is allocated here. `f` must outlive the method's use.
  virtual void start(Oracle& f, std::span<const double> x0) = 0;
  /// One iteration. On an objective with an image it costs one lift and one gradient, and no allocation. (geod-memory:
  /// and a Hessian, where it searches Newton's directions; a change of its search costs passes and allocates, at most
  /// twice for each search. Where it searches quasi-Newton directions, it makes an iteration of geod beside its own
  /// from time to time, and rarely takes a gradient twice.)
  virtual Step step() = 0;
  virtual Iterate iterate() const = 0;  ///< where it stands
  /// It multiplies points as the oracle says (Oracle::product), and so can work in row form.
  virtual bool works_by_rows() const { return false; }
  /// The ball that holds the minimiser, for the methods that keep one.
  virtual std::optional<Ball> ball() const { return std::nullopt; }
  /// What it would keep on such a function, for the methods that plan; throws std::invalid_argument if it has no plan
  /// that fits its settings.
  virtual std::optional<Memory> plan(const Facts& /*f*/) const { return std::nullopt; }
  /// What it keeps.
  virtual std::optional<Memory> memory() const { return std::nullopt; }
};

}  // namespace geodescent
