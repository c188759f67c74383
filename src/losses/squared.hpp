// Least squares: (z - y)^2 / 2.
#pragma once

#include "certificate/proof/proof_loss.hpp"
#include "losses/library_loss.hpp"

namespace geodescent {

struct Squared {
  static constexpr std::string_view name = "squared";
  static constexpr Task task = Task::regression;
  static constexpr std::string_view summary = "least squares";
  static constexpr LiblinearMeaning liblinear{.factor = 2};
  static constexpr bool curvature_is_smooth = true;

  GEODESCENT_ALWAYS_INLINE LossValue operator()(double z, double y) const {
    const double r = z - y;
    return {0.5 * r * r, r, 1};
  }
  double conjugate(double s, double y) const { return s * (y + 0.5 * s); }
  double curvature_bound() const { return 1; }
};

namespace proof {

struct Squared {
  static constexpr Task task = Task::regression;
  /// One product.
  static constexpr double formula_error = 0.6;

  template <class T>
  T value(T at) const {
    return at * at / 2;
  }
  template <class T>
  T dual_value(T at) const {
    return at;
  }
  Real curvature(Real, Real) const { return 1; }
  double curvature_bound() const { return 1; }
  DualRange dual_range(double) const { return {-largest_double, largest_double}; }
  void add_conjugate(double v, double c, double y, RowSum& sum) const { add_square_conjugate(v, c, y, sum); }
};

}  // namespace proof
}  // namespace geodescent
