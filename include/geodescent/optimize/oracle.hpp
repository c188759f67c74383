// The interface that a method works with: a function in lifted form, f(x) = h(A x) + regulariser,
// evaluated for one run. Read this to write a method of your own; to minimise a function,
// objective.hpp is enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "geodescent/optimize/point.hpp"

namespace geodescent {

/// f at a point, and the ball of the paper there as a lower model: for every y
///     f(y) >= offset + linear.y + alpha/2 |y|^2,   linear = gradient - alpha x.
/// The errors bound the effect of rounding; a certificate is lowered by them.
struct Evaluation {
  double value = 0;         ///< f at the point
  double offset = 0;        ///< the constant term of the lower model
  double value_error = 0;   ///< of `value`, when the image is fresh from `lift`
  double offset_error = 0;  ///< of `offset`
  double linear_error = 0;  ///< of the linear term, in the Euclidean norm
  /// For a risk, the dual values phi'(z_i) of the rows: they define the lower model from the data
  /// alone. Valid until the next call of `gradient`.
  std::span<const double> dual = {};
  /// In row form: the multipliers of the linear term, which otherwise is gradient - alpha x. Valid
  /// as long as `dual`.
  std::span<const double> linear_multipliers = {};
  std::span<const double> linear_image = {};  ///< the image of linear_multipliers
  double image_error = 0;                     ///< of linear_image, in the Euclidean norm
};

/// f on a line, at one step t: value, derivative and second derivative (0 when unknown).
struct LineValue {
  double value = 0;      ///< f at the step
  double slope = 0;      ///< the derivative along the line
  double curvature = 0;  ///< the second derivative along the line
};

/// The line x + t d. It borrows its two points, which must stay unchanged while it is searched.
class Line {
 public:
  /// An empty line, to be assigned.
  Line() = default;
  /// A line for points of this dimension.
  explicit Line(std::size_t dimension, const InnerProduct& product = {})
      : trial(dimension), trial_gradient(dimension), product_(product) {}

  /// Puts the line through x in direction d.
  void set(const Point& x, const Point& d);
  /// The same, where the products x.x, x.d and d.d are known. Only the images of the two points are
  /// read.
  void set(const Point& x, const Point& d, double xx, double xd, double dd);

  const Point& origin() const { return *origin_; }        ///< x
  const Point& direction() const { return *direction_; }  ///< d
  /// |x + t d|^2, without touching the vectors.
  double squared_norm(double t) const { return xx_ + t * (2 * xd_ + t * dd_); }
  /// Half the derivative of squared_norm.
  double half_slope(double t) const { return xd_ + t * dd_; }
  double direction_squared_norm() const { return dd_; }  ///< |d|^2
  /// |x|^2 in the inner product of the line.
  double squared_length(const Point& x) const { return product_.squared_norm(x); }
  /// Counts the calls of `set`, so that an oracle can tell one line from the next.
  std::uint64_t setting() const { return setting_; }

  // A black box pays a whole evaluation for every trial step. The line keeps the last one: the
  // method that accepts this step finds the gradient already computed.
  Vector trial;                                                  ///< the last trial point
  Vector trial_gradient;                                         ///< the gradient there
  Evaluation trial_evaluation;                                   ///< f there
  double trial_step = std::numeric_limits<double>::quiet_NaN();  ///< its step; not a number before the first trial

 private:
  const Point* origin_ = nullptr;
  const Point* direction_ = nullptr;
  InnerProduct product_;
  double xx_ = 0, xd_ = 0, dd_ = 0;
  std::uint64_t setting_ = 0;
};

/// Known facts about a function before its evaluation: plain data, for methods and the planner.
struct Facts {
  std::size_t dimension = 0;              ///< of the points of a run
  std::size_t columns = 0;                ///< of the vectors of the function; differs from `dimension` in row form
  std::size_t image_size = 0;             ///< 0: a black box
  std::size_t image_elsewhere = 0;        ///< entries of the image that only other ranks have (ranks.hpp)
  std::size_t dual_size = 0;              ///< of Evaluation::dual
  std::size_t outputs = 1;                ///< consecutive entries of the image that belong to one row
  double strong_convexity = 0;            ///< alpha
  std::optional<double> smoothness = {};  ///< beta, if known
  /// A lower bound on f that is known beforehand, such as 0 for a sum of squares.
  double trivial_bound = -std::numeric_limits<double>::infinity();
  InnerProduct product = {};  ///< how points are multiplied

  // Passes and evaluations of each call, for counting.
  int forward_per_lift = 0;       ///< forward passes of a `lift`
  int backward_per_lift = 0;      ///< backward passes of a `lift`
  int forward_per_gradient = 0;   ///< forward passes of a `gradient`
  int backward_per_gradient = 0;  ///< backward passes of a `gradient`
  int evaluations_per_call = 0;   ///< evaluations of a black box in each `gradient` and `on`

  // For the planner.
  double entries_per_pass = 0;       ///< numbers that a pass reads
  double hessian_products = 0;       ///< multiplications of a Hessian; 0: there is none
  bool hessian_is_dense = true;      ///< its products are those of dense matrices, the fast ones
  bool curvature_is_smooth = false;  ///< second derivatives have no jumps
  double condition = 0;              ///< an upper bound on the condition number; 0: unknown
  /// The condition of dual coordinate ascent: the mean of |a_i|^2 times the bound on phi'', divided
  /// by lambda and the number of rows. 0: there is no dual.
  double dual_condition = 0;
  /// How often one evaluation computes the losses: more than once where it optimises over several
  /// intercepts.
  double losses_per_evaluation = 1;
  bool parallel_epochs = false;  ///< epochs of dual coordinate ascent run on several threads
};

class SubspaceModel;
class HessianModel;
class DualModel;

/// A function in lifted form for one run. It owns the scratch memory of the run, so its members are
/// not const, and one oracle serves one thread. Two threads that minimise the same Objective have
/// an oracle each.
class Oracle {
 public:
  virtual ~Oracle() = default;
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  const Facts& facts() const { return facts_; }               ///< what is known about the function
  std::size_t dimension() const { return facts_.dimension; }  ///< of the points of a run
  std::size_t columns() const { return facts_.columns; }      ///< of the vectors of the function
  /// Of Point::image; 0 for a black box.
  std::size_t image_size() const { return facts_.image_size - facts_.image_elsewhere; }
  double strong_convexity() const { return facts_.strong_convexity; }  ///< alpha
  const InnerProduct& product() const { return facts_.product; }       ///< how points are multiplied

  /// p.image = A p.x: one forward pass.
  virtual void lift(Point& p) = 0;
  /// The gradient at a lifted point: one backward pass.
  virtual Evaluation gradient(const Point& p, std::span<double> g) = 0;
  /// f at step t of a line between lifted points: no pass; one evaluation for a black box.
  virtual LineValue on(Line& line, double t) = 0;
  /// The next point is the one at step t of `line`: an oracle that optimises over an intercept
  /// predicts it there.
  virtual void arrive(const Line& /*line*/, double /*t*/) {}
  /// The optimal free intercepts at the point of the last gradient, one for each output; empty if
  /// there are none.
  virtual Vector intercepts() const { return {}; }

  /// Switches both passes to products of twice the digits, which take more time; false if there are
  /// none, as in row form. For runs that rounding would end too soon: rows or columns of very
  /// different sizes. A gradient then takes two backward passes.
  virtual bool refine() { return false; }

  /// The flags that are set on any rank (ranks.hpp): what ranks have to decide together. All ranks
  /// call it.
  virtual unsigned on_any_rank(unsigned flags) { return flags; }

  // Capabilities: null where there is none. Decorators pass them on.
  virtual SubspaceModel* subspace() { return nullptr; }  ///< searches over subspaces
  virtual HessianModel* hessian() { return nullptr; }    ///< second derivatives
  virtual DualModel* dual() { return nullptr; }          ///< dual coordinate ascent
  /// The same function on the span of its rows and x0, where that is a smaller space; null where it
  /// is not. Points are then multipliers of rows; the last one is that of x0, if x0 is not 0.
  virtual std::unique_ptr<Oracle> row_form(std::span<const double> /*x0*/) { return nullptr; }
  /// In row form: the vector with these multipliers, by one backward pass. Otherwise a copy.
  virtual void expand(std::span<const double> multipliers, std::span<double> x);

 protected:
  explicit Oracle(Facts facts) : facts_(facts) {}  ///< an oracle for a function with these facts

 private:
  Facts facts_;
};

/// Passes and evaluations made so far.
struct Counts {
  // Passes are products with the data, with any number of digits.
  std::uint64_t forward_passes = 0;        ///< products A x
  std::uint64_t backward_passes = 0;       ///< Hessian passes included; two per gradient after Oracle::refine
  std::uint64_t line_evaluations = 0;      ///< trial steps of line searches
  std::uint64_t subspace_evaluations = 0;  ///< gradients and Hessians on a subspace
  std::uint64_t function_evaluations = 0;  ///< of a black box, line searches included
};

/// Moves x to step t of the line and puts the gradient there into g: one backward pass, or nothing
/// when the search of the line has just evaluated this step. x may be the origin of the line.
Evaluation advance(Oracle& f, const Line& line, double t, Point& x, std::span<double> g);

}  // namespace geodescent
