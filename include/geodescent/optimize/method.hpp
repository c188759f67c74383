// What a method is, and the table of those the library has.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

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

/// What geod-memory searches along. Gradients: over the span of many at once. Quasi-Newton: along single directions, of
/// limited-memory BFGS. Newton: along directions from the Hessian of the whole space. Automatic: what takes least time,
/// by a model of the cost. Few passes: the same without quasi-Newton directions, for data that are slow to read.
enum class Directions { automatic, few_passes, gradients, quasi_newton, newton };
inline constexpr std::array<std::string_view, 5> direction_names{"automatic", "few-passes", "gradients", "quasi-newton",
                                                                 "newton"};
inline std::string_view name_of(Directions d) { return direction_names[static_cast<std::size_t>(d)]; }

/// What a method with a memory keeps of the past (memory_plan.hpp).
struct Memory {
  Directions along = Directions::gradients;
  std::size_t directions = 0;
  std::size_t pairs = 0;  ///< of steps and changes of the gradient, for a quasi-Newton direction
  std::size_t balls = 0;
  bool dual = false;  ///< the dual point of each ball, too
  double bytes = 0;   ///< of all that a run allocates, the data not included
};

enum class Step {
  progressed,
  stalled,    ///< rounding leaves no progress to be made
  not_finite  ///< the function returned values that are not finite and no way around them was found
};

/// A method contains mathematics only: the driver stops, times and reports, a wrapper counts.
class Method {
 public:
  virtual ~Method() = default;

  /// Begins at x0: all memory is allocated here. `f` must outlive the method's use.
  virtual void start(Oracle& f, std::span<const double> x0) = 0;
  /// One iteration. On an objective with an image it costs one lift and one gradient, and no allocation. (geod-memory:
  /// and a Hessian, where it searches Newton's directions; when it leaves them, it begins anew, once. Where it searches
  /// quasi-Newton directions, it makes an iteration of geod beside its own from time to time, and rarely takes a
  /// gradient twice.)
  virtual Step step() = 0;
  virtual Iterate iterate() const = 0;
  /// It multiplies points as the oracle says (Oracle::product), and so can work in row form.
  virtual bool works_by_rows() const { return false; }
  /// The ball that holds the minimiser, for the methods that keep one.
  virtual std::optional<Ball> ball() const { return std::nullopt; }
  virtual std::optional<Memory> memory() const { return std::nullopt; }
};

enum class LineSearch { wolfe, exact };

struct MethodSettings {
  /// lbfgs: pairs remembered (if absent, 100). geod-memory: directions searched at once, or pairs where it searches
  /// quasi-Newton directions (if absent, chosen from the sizes); the rest is chosen beside them (memory_plan.hpp).
  std::optional<std::size_t> memory = {};
  /// geod, geod-memory: balls of single points that are kept and intersected with the enclosing ball. 1 keeps only the
  /// newest, which is Algorithm 1 of the paper. If absent: 1 for geod, chosen from the sizes for geod-memory.
  std::optional<std::size_t> balls = {};
  /// geod-memory with gradients: pairs of steps and changes of the gradient. If absent, chosen from the sizes.
  std::optional<std::size_t> pairs = {};
  /// geod-memory: the relative gap that its memory is planned for. If absent, `minimize` inserts the gap it stops at.
  std::optional<double> plan_for = {};
  /// geod-memory: what it keeps may take so many bytes.
  double memory_limit = 2e9;
  /// geod-memory: where it is open and `memory` is given, gradients.
  Directions directions = Directions::automatic;
  /// lbfgs: `wolfe` is strong Wolfe with c1 = 1e-4, c2 = 0.9.
  LineSearch line_search = LineSearch::wolfe;
  /// Exact line searches stop at |slope(t)| <= line_tolerance |slope(0)|. It affects the rate, never a certificate;
  /// below 1e-1 no effect on the number of iterations was seen (docs/method.md).
  double line_tolerance = 1e-2;
  /// afg, afgwr, geod-fixed, ball: beta. If absent, the objective's; if that is unknown, estimated.
  std::optional<double> smoothness = {};
  /// Keep the dual point of the lower bound of a risk, for a certificate (Result::dual). geod-memory then remembers a
  /// number a row for every ball.
  bool dual = false;
};

struct MethodInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view settings;  ///< which of the optional settings it heeds: "memory line_search", "smoothness", ""
  std::unique_ptr<Method> (*make)(const MethodSettings&);
};

/// What `minimize` and `geodescent train` use unless told otherwise.
inline constexpr std::string_view default_method = "geod-memory";

/// All methods of the library, in the order of their table.
std::span<const MethodInfo> methods();

/// Throws std::invalid_argument for an unknown name.
std::unique_ptr<Method> make_method(std::string_view name, const MethodSettings& settings = {});

}  // namespace geodescent
