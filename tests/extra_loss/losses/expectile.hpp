// Expectile regression: w r^2 / 2 with r = z - y, w = level for r > 0 and 1 - level otherwise.
// The new loss of the test: this file and one line of the table are all that is added.
#pragma once

#include "certificate/proof/proof_loss.hpp"
#include "losses/library_loss.hpp"

namespace geodescent {

struct Expectile {
  static constexpr std::string_view name = "expectile";
  static constexpr Task task = Task::regression;
  static constexpr std::string_view summary = "least squares with different weights for the two signs";
  static constexpr LossParameter parameter{
      .name = "level", .default_value = 0.5, .meaning = "weight of predictions that are too large", .below = 1};
  static constexpr LiblinearMeaning liblinear{.factor = 1};

  double level = parameter.default_value;

  GEODESCENT_ALWAYS_INLINE LossValue operator()(double z, double y) const {
    const double r = z - y, w = r > 0 ? level : 1 - level;
    return {0.5 * w * r * r, w * r, w};
  }
  double conjugate(double s, double y) const { return s * (y + 0.5 * s / (s > 0 ? level : 1 - level)); }
  double curvature_bound() const { return level > 0.5 ? level : 1 - level; }
};

namespace proof {

struct Expectile {
  static constexpr Task task = Task::regression;
  /// The difference in the weight, two products.
  static constexpr double formula_error = 1.6;

  double level;

  template <class T>
  T weight(T sign) const {
    return sign > 0 ? static_cast<T>(level) : 1 - static_cast<T>(level);
  }
  template <class T>
  T value(T at) const {
    return weight(at) * (at * at) / 2;
  }
  template <class T>
  T dual_value(T at) const {
    return weight(at) * at;
  }
  Real curvature(Real at, Real) const { return weight(at); }
  double curvature_bound() const { return 1; }
  DualRange dual_range(double) const { return {-largest_double, largest_double}; }
  /// v y + v^2 / (2 w c). The weight, its product with c and the quotient lose 1/2 each.
  void add_conjugate(double v, double c, double y, RowSum& sum) const {
    sum.add(v, {y, 0});
    const double half_quotient = v / (weight(v) * c) / 2;
    sum.add(v, {half_quotient, (1.6 * double_unit * std::abs(half_quotient) + double_tiny) * generous});
  }
};

}  // namespace proof
}  // namespace geodescent
