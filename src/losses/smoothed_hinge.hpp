// The loss of the paper's experiments (section 4.1): 0 for z >= 1, 1/2 - z for z <= 0, (1 - z)^2 /
// 2 between.
#pragma once

#include "certificate/proof/proof_loss.hpp"
#include "losses/library_loss.hpp"

namespace geodescent {

struct SmoothedHinge {
  static constexpr std::string_view name = "smoothed-hinge";
  static constexpr Task task = Task::classification;
  static constexpr std::string_view summary = "a hinge with a round corner, the paper's loss";
  static constexpr LiblinearMeaning liblinear{.factor = 1};

  GEODESCENT_ALWAYS_INLINE LossValue operator()(double z, double) const {
    const double d = 1 - z;
    double m = d < 1 ? d : 1;  // d clipped to [0, 1]: one formula for all three pieces
    m = m > 0 ? m : 0;
    return {m * (d - 0.5 * m), -m, ((d > 0) & (d < 1)) ? 1.0 : 0.0};
  }
  double conjugate(double s, double) const {
    return s < -1 || s > 0 ? std::numeric_limits<double>::infinity() : s + 0.5 * s * s;
  }
  double curvature_bound() const { return 1; }
};

namespace proof {

struct SmoothedHinge {
  static constexpr Task task = Task::classification;
  /// A difference, its square, and the rounding of the square.
  static constexpr double formula_error = 1.6;

  template <class T>
  T value(T at) const {
    if (at >= 1) return 0;
    return at <= 0 ? T{0.5} - at : (1 - at) * (1 - at) / 2;
  }
  template <class T>
  T dual_value(T at) const {
    return clamped<T>(at - 1, -1, 0);
  }
  Real curvature(Real at, Real) const { return at > 0 && at < 1 ? 1 : 0; }
  double curvature_bound() const { return 1; }
  DualRange dual_range(double c) const { return {-c, 0}; }
  /// Equal to the squared loss with target 1, where the dual value is in its range.
  void add_conjugate(double v, double c, double, RowSum& sum) const { add_square_conjugate(v, c, 1, sum); }
  Real reach(Real, Real) const { return 0; }
};

}  // namespace proof
}  // namespace geodescent
