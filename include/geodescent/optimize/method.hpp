// The interface of a method: read this to write your own. Those of the library are in
// method_choice.hpp.
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

/// The current point of a method and its bound.
struct Iterate {
  const Vector* x = nullptr;  ///< the point; in row form, its multipliers (Oracle::expand)
  double value = 0;           ///< f there
  double gradient_norm = 0;   ///< of the last gradient computed
  double lower_bound = 0;     ///< f* is at least this; an estimate if the convexity is one
  double rounding = 0;        ///< error bound of value and lower_bound together
  /// If the strong convexity of f is unknown: the largest value that the points so far allow.
  /// Otherwise 0.
  double estimated_strong_convexity = 0;
  /// The dual values of lower_bound, for a risk; empty if they are not kept, or if the last step
  /// has not improved it.
  std::span<const double> dual = {};
};

/// The default of GeodMemory::directions: the search with the lowest predicted run
/// time.
inline constexpr std::string_view automatic_directions = "automatic";
/// The same among the searches with the fewest passes, for data that are slow to read.
inline constexpr std::string_view few_passes_directions = "few-passes";
/// Both, and the names of the searches (src/methods/geod_memory/searches.def): "gradients" over the
/// span of many gradients, "quasi-newton" along directions of limited-memory BFGS, "newton" along
/// directions from the Hessian, "dual" by epochs of dual coordinate ascent.
std::vector<std::string_view> direction_names();

/// The memory of a method.
struct Memory {
  std::string_view along = {};  ///< the name of its search
  std::size_t directions = 0;   ///< searched at once
  std::size_t pairs = 0;        ///< of steps and changes of the gradient, for a quasi-Newton direction
  std::size_t balls = 0;        ///< balls of single points
  bool dual = false;            ///< whether the dual point of each ball is kept
  double bytes = 0;             ///< all that a run allocates, without the data
  /// Upper bound on `bytes` once geod-memory has changed its search; 0 if it cannot change.
  double bytes_after_guard = 0;
};

/// The outcome of an iteration.
enum class Step {
  progressed,  ///< the iteration has improved something
  stalled,     ///< rounding leaves no progress to be made
  not_finite   ///< f is not finite at the points tried
};

/// The purpose of a run. A method may plan with it.
struct Purpose {
  double gap = 1e-6;  ///< relative, as Options::gap_tolerance
  /// Keep the dual point of the lower bound of a risk, for a certificate. geod-memory then keeps
  /// one number per row for each ball.
  bool dual = false;
};

/// A method contains mathematics only: the driver stops, times and reports, a decorator counts.
class Method {
 public:
  virtual ~Method() = default;

  /// Begins at x0: all memory is allocated here. `f` must outlive the method's use.
  virtual void start(Oracle& f, std::span<const double> x0) = 0;
  /// One iteration: for an objective with an image one lift, one gradient and no allocation.
  /// Exceptions of geod-memory: Newton's directions take a Hessian; quasi-Newton directions now and
  /// then take a second gradient or an iteration of geod; a change of the search costs passes and
  /// allocates, at most twice for each search.
  virtual Step step() = 0;
  virtual Iterate iterate() const = 0;  ///< the current point and its bound
  /// Whether all inner products of points are made by Oracle::product, so that the method can work
  /// in row form.
  virtual bool works_by_rows() const { return false; }
  /// The ball that contains the minimiser, for methods that have one.
  virtual std::optional<Ball> ball() const { return std::nullopt; }
  /// The planned memory for a function with these facts; empty if the method does not plan. Throws
  /// std::invalid_argument if no plan fits its settings.
  virtual std::optional<Memory> plan(const Facts& /*f*/) const { return std::nullopt; }
  /// Its memory.
  virtual std::optional<Memory> memory() const { return std::nullopt; }
};

}  // namespace geodescent
