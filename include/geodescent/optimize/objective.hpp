// What a method may ask of a function: the contract every objective fulfils.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "geodescent/detail/hessian.hpp"
#include "geodescent/detail/reduced.hpp"
#include "geodescent/optimize/point.hpp"

namespace geodescent {

/// f at a point, and the ball of the paper there, as a lower model: for every y
///     f(y) >= intercept + slope.y + alpha/2 |y|^2,   slope = gradient - alpha x.
/// The errors bound what rounding can have done; a certificate is lowered by them.
struct Evaluation {
  double value = 0;
  double intercept = 0;
  double value_error = 0;      ///< of `value`, when the image is fresh from `lift`
  double intercept_error = 0;  ///< of `intercept`
  double slope_error = 0;      ///< of the slope, in the Euclidean norm
  /// For a risk, what makes the lower model anew from the data alone: the slopes of the loss in each row. Valid until
  /// the next call of `gradient`.
  std::span<const double> dual = {};
  /// Of a function by rows: the slope of the lower model, lifted. (Elsewhere it is gradient - alpha x.) As valid as
  /// `dual`.
  std::span<const double> slope_multipliers = {}, slope_image = {};
  double image_error = 0;  ///< of slope_image, in the Euclidean norm
};

/// f on a line, at one step t: value, derivative and second derivative (0 when unknown).
struct LineValue {
  double value = 0;
  double slope = 0;
  double curvature = 0;
};

/// The line x + t d. It borrows its two points, which must stay unchanged while it is searched.
class Line {
 public:
  Line() = default;
  explicit Line(std::size_t dimension, const InnerProduct& product = {})
      : trial(dimension), trial_gradient(dimension), product_(product) {}

  /// Puts the line through x in direction d.
  void set(const Point& x, const Point& d);
  /// The same, where the products x.x, x.d and d.d are known. Of the two points only the images are looked at.
  void set(const Point& x, const Point& d, double xx, double xd, double dd);

  const Point& origin() const { return *origin_; }
  const Point& direction() const { return *direction_; }
  /// |x + t d|^2, without touching the vectors.
  double squared_norm(double t) const { return xx_ + t * (2 * xd_ + t * dd_); }
  /// Half the derivative of squared_norm.
  double half_slope(double t) const { return xd_ + t * dd_; }
  double direction_squared_norm() const { return dd_; }
  double squared_length(const Point& x) const { return product_.squared_norm(x); }

  // A function without image pays a whole evaluation for every step tried, so the line keeps the last one: the method
  // that accepts this step finds the gradient there already computed.
  Vector trial;
  Vector trial_gradient;
  Evaluation trial_evaluation;
  double trial_step = std::numeric_limits<double>::quiet_NaN();
  // As those of a point: what was found at the step tried last, and how it changes from there on.
  double hint = 0, hint_slope = 0, hint_step = 0;

  double guess(double t) const { return hint + (t - hint_step) * hint_slope; }
  Hint hint_at(double t) const { return {guess(t), t == hint_step}; }

 private:
  const Point* origin_ = nullptr;
  const Point* direction_ = nullptr;
  InnerProduct product_;
  double xx_ = 0, xd_ = 0, dd_ = 0;
};

/// What the calls of an objective cost, so that a wrapper can count.
struct Cost {
  int forward_per_lift = 0;
  int backward_per_lift = 0;
  int backward_per_gradient = 0;
  int forward_per_gradient = 0;
  int evaluations_per_call = 0;  ///< evaluations of a user's function in each `gradient` and `on`

  // What a method chooses its memory by.
  double entries_per_pass = 0;       ///< numbers that a pass reads
  double hessian_products = 0;       ///< multiplications of a Hessian; 0: there is none
  bool hessian_is_dense = true;      ///< they are those of dense matrices, the fast ones
  bool curvature_is_smooth = false;  ///< second derivatives have no jumps
  double condition = 0;              ///< at most the condition number is this; 0: unknown
};

/// A smooth strongly convex function on R^dimension.
/// One object serves one caller at a time: it may use scratch memory of its own.
class Objective {
 public:
  virtual ~Objective() = default;

  virtual std::size_t dimension() const = 0;
  /// By rows: of the vectors that `expand` makes.
  virtual std::size_t columns() const { return dimension(); }
  virtual std::size_t image_size() const { return 0; }
  virtual std::size_t dual_size() const { return 0; }  ///< of Evaluation::dual
  /// alpha: f - alpha/2 |.|^2 is convex. Every certificate stands on it. 0 is always true and proves nothing: it means
  /// that alpha is unknown.
  virtual double strong_convexity() const = 0;
  /// beta: the gradient is beta-Lipschitz. Needed by no certificate.
  virtual std::optional<double> smoothness() const { return std::nullopt; }
  /// A lower bound on f that is known beforehand, such as 0 for a sum of squares.
  virtual double trivial_bound() const { return -std::numeric_limits<double>::infinity(); }
  virtual Cost cost() const = 0;
  /// How its points are multiplied. All but those made by `by_rows` multiply vectors.
  virtual InnerProduct product() const { return {}; }
  /// The same function on the span of its rows and x0, where that is a smaller space; null where it is not. Its start
  /// is x0: the last multiplier is that of x0, if x0 is not 0.
  virtual std::unique_ptr<Objective> by_rows(std::span<const double> /*x0*/) const { return nullptr; }
  /// For a function by rows: the vector with these multipliers. One backward pass.
  virtual void expand(std::span<const double> multipliers, std::span<double> x) const;

  /// p.image = A p.x: one forward pass.
  virtual void lift(Point& p) const = 0;
  /// The gradient at a lifted point: one backward pass.
  virtual Evaluation gradient(const Point& p, std::span<double> g) const = 0;
  /// f at step t of a line between lifted points: no pass; one evaluation for a function without image.
  virtual LineValue on(Line& line, double t) const = 0;
  /// f on the subspace through the lifted point x, to second order: no pass. False when this function cannot: it has no
  /// image, or no second derivative there.
  virtual bool reduce(const Basis&, const Point& /*x*/, Reduced&) const { return false; }
  /// `on` and `reduce` look at the images of points only, and at products of vectors: a search over a subspace can
  /// leave the vectors behind until its end.
  virtual bool needs_images_only() const { return false; }
  virtual Hessian hessian_memory() const { return {}; }
  /// The Hessian at a lifted point, curvatures averaged over image entries up to `width` away (0: at the point): a pass
  /// of its own. Only for a function whose cost() names the products it takes.
  virtual void hessian(const Point&, double /*width*/, Hessian&) const {}
  /// By how much a step of t along the line, the last one tried, changes the entries of the image, as a root mean
  /// square: what `width` is measured in. 0 where the curvature is as good as the mean of those around it.
  virtual double image_change(const Line&, double /*t*/) const { return 0; }
};

/// Passes and evaluations made so far.
struct Counts {
  std::uint64_t forward_passes = 0;
  std::uint64_t backward_passes = 0;  ///< those that add up a Hessian among them
  std::uint64_t line_evaluations = 0;
  std::uint64_t subspace_evaluations = 0;  ///< gradients and Hessians on a subspace
  std::uint64_t function_evaluations = 0;  ///< of a user's function, line searches included
};

Counts operator+(const Counts& a, const Counts& b);

/// The same function. What counts, measures or records the calls of a function derives from it and changes some.
/// It is not passed on by rows: a run on a decorated function takes place in the space of its vectors.
class ObjectiveDecorator : public Objective {
 public:
  /// `f` must outlive it.
  explicit ObjectiveDecorator(const Objective& f) : f_(f) {}

  std::size_t dimension() const override { return f_.dimension(); }
  std::size_t columns() const override { return f_.columns(); }
  std::size_t image_size() const override { return f_.image_size(); }
  std::size_t dual_size() const override { return f_.dual_size(); }
  double strong_convexity() const override { return f_.strong_convexity(); }
  std::optional<double> smoothness() const override { return f_.smoothness(); }
  double trivial_bound() const override { return f_.trivial_bound(); }
  Cost cost() const override { return f_.cost(); }
  InnerProduct product() const override { return f_.product(); }
  void expand(std::span<const double> multipliers, std::span<double> x) const override { f_.expand(multipliers, x); }
  void lift(Point& p) const override { f_.lift(p); }
  Evaluation gradient(const Point& p, std::span<double> g) const override { return f_.gradient(p, g); }
  LineValue on(Line& line, double t) const override { return f_.on(line, t); }
  bool reduce(const Basis& basis, const Point& x, Reduced& out) const override { return f_.reduce(basis, x, out); }
  bool needs_images_only() const override { return f_.needs_images_only(); }
  Hessian hessian_memory() const override { return f_.hessian_memory(); }
  void hessian(const Point& p, double width, Hessian& out) const override { f_.hessian(p, width, out); }
  double image_change(const Line& line, double t) const override { return f_.image_change(line, t); }

 private:
  const Objective& f_;
};

/// The same function, counting.
class CountedObjective final : public ObjectiveDecorator {
 public:
  explicit CountedObjective(const Objective& f) : ObjectiveDecorator(f), cost_(f.cost()) {}

  const Counts& counts() const { return counts_; }

  Cost cost() const override { return cost_; }
  void expand(std::span<const double> multipliers, std::span<double> x) const override;
  void lift(Point& p) const override;
  Evaluation gradient(const Point& p, std::span<double> g) const override;
  LineValue on(Line& line, double t) const override;
  bool reduce(const Basis& basis, const Point& x, Reduced& out) const override;
  void hessian(const Point& p, double width, Hessian& out) const override;

 private:
  Cost cost_;
  mutable Counts counts_;
};

/// Moves x to step t of the line and puts the gradient there into g: one backward pass, or nothing when the search of
/// the line has just evaluated this step. x may be the origin of the line.
Evaluation advance(const Objective& f, const Line& line, double t, Point& x, std::span<double> g);

}  // namespace geodescent
