// The loss of LIBLINEAR's L2-loss support vector machine, halved: max(0, 1 - z)^2 / 2.
#pragma once

#include "certificate/proof/proof_loss.hpp"
#include "losses/library_loss.hpp"

namespace geodescent {

struct SquaredHinge {
  static constexpr std::string_view name = "squared-hinge";
  static constexpr Task task = Task::classification;
  static constexpr std::string_view summary = "LIBLINEAR's L2-loss support vector machine";
  static constexpr LiblinearMeaning liblinear{.factor = 2, .solvers = {"L2R_L2LOSS_SVC", "L2R_L2LOSS_SVC_DUAL"}};

  GEODESCENT_ALWAYS_INLINE LossValue operator()(double z, double) const {
    const double d = 1 - z;
    const double m = d < 0 ? 0 : d;  // in this order a NaN margin gives a NaN loss
    return {0.5 * m * m, -m, d > 0 ? 1.0 : 0.0};
  }
  double conjugate(double s, double) const { return s > 0 ? std::numeric_limits<double>::infinity() : s + 0.5 * s * s; }
  double curvature_bound() const { return 1; }
};

namespace proof {

struct SquaredHinge {
  static constexpr Task task = Task::classification;
  /// A difference, its square, and the rounding of the square.
  static constexpr double formula_error = 1.6;

  template <class T>
  T value(T at) const {
    return at >= 1 ? 0 : (1 - at) * (1 - at) / 2;
  }
  template <class T>
  T dual_value(T at) const {
    return at >= 1 ? 0 : at - 1;
  }
  Real curvature(Real at, Real) const { return at < 1 ? 1 : 0; }
  double curvature_bound() const { return 1; }
  DualRange dual_range(double) const { return {-largest_double, 0}; }
  /// Equal to the squared loss with target 1, where the dual value is in its range.
  void add_conjugate(double v, double c, double, RowSum& sum) const { add_square_conjugate(v, c, 1, sum); }
  Real reach(Real, Real) const { return 0; }
};

}  // namespace proof
}  // namespace geodescent
