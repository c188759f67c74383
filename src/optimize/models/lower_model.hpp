// Quadratic lower models of f, the computed form of the paper's balls.
#pragma once

#include "geodescent/optimize/oracle.hpp"

namespace geodescent {

/// Q(y) = offset + linear.y + alpha/2 |y|^2 <= f(y) for every y. Its minimum v = offset -
/// |linear|^2/(2 alpha) is a lower bound on f*, attained at the centre c = -linear/alpha. Together
/// with a value f(x+) it is the ball B(c, R^2) of the paper with R^2 = (2/alpha) (f(x+) - v). The
/// linear term and the offset are stored instead of c and v: for alpha = 1e-8 the latter are of
/// size 1e8, and their rounding would remain in v.
class LowerModel {
 public:
  LowerModel() = default;
  /// With keeps_dual the model stores the dual point of Evaluation::dual. That memory is allocated
  /// by the first `set`.
  LowerModel(std::size_t dimension, std::size_t image_size, double alpha, bool keeps_dual = false,
             const InnerProduct& product = {})
      : product_(product), linear_(dimension, image_size), keeps_dual_(keeps_dual), alpha_(alpha) {}

  /// Changes alpha, when the estimate has changed. The model is undefined until it is set.
  void set_alpha(double alpha) { alpha_ = alpha; }

  /// The model of strong convexity at x, with f there `e` and its lifted gradient `g`.
  void set(const Point& x, const Point& g, const Evaluation& e);

  /// Algorithm 1: replaces this model by its average with the model at x, with the mixing weight
  /// that maximises v. Any weight in [0, 1] gives a valid model, so rounding of the weight only
  /// loosens the bound. Returns the weight of the model at x.
  double enclose(const Point& x, const Point& g, const Evaluation& e);

  /// The average of `first` and `others` with these mixing weights, which are not negative and add
  /// up to 1. The first weight belongs to `first`.
  void average(const LowerModel& first, std::span<const LowerModel> others, std::span<const double> weights);

  const Point& linear() const { return linear_; }
  double offset() const { return offset_; }
  std::span<const double> dual() const { return dual_; }
  /// d = c - x, the direction from x to the centre.
  void direction_to_centre(const Point& x, Point& d) const { combine(d, -1 / alpha_, linear_, -1, x); }
  /// The same without images, for a model without images.
  void direction_to_centre(const Vector& x, Vector& d) const { combine(d, -1 / alpha_, linear_.x, -1, x); }

  /// v, up to rounding.
  double minimum() const { return minimum_; }
  /// A bound on the rounding of v.
  double error() const { return error_; }
  /// v minus the bound on its rounding: a certified lower bound on f*.
  double lower_bound() const { return minimum_ - error_; }
  Vector centre() const;

 private:
  void settle();
  void mix(double w, const Point& x, const Point& g, const Evaluation& e, double new_norm);
  void mix_by_rows(double w, const Evaluation& e);

  InnerProduct product_;
  Point linear_;
  bool keeps_dual_ = false;
  Vector dual_;  // averaged like the linear term
  double offset_ = 0;
  double linear_error_ = 0;
  double image_error_ = 0;  // in row form: of the image of the linear term
  double offset_error_ = 0;
  double alpha_ = 0;
  double minimum_ = 0;
  double error_ = 0;
};

/// A lower bound on f*, and the rounding error that was subtracted.
struct LowerBound {
  double value;
  double error;
};

/// The single-point bound f(x) - |g|^2/(2 alpha), lowered by its rounding.
LowerBound single_point_bound(std::span<const double> x, std::span<const double> g, const Evaluation& e, double alpha);

}  // namespace geodescent
