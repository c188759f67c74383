// Regression in which outliers have bounded influence: r^2 / 2 for |r| <= delta and delta (|r| -
// delta / 2) beyond, with r = z - y.
#pragma once

#include "certificate/proof/proof_loss.hpp"
#include "losses/library_loss.hpp"

namespace geodescent {

struct Huber {
  static constexpr std::string_view name = "huber";
  static constexpr Task task = Task::regression;
  static constexpr std::string_view summary = "squared for small residuals, linear for outliers";
  static constexpr LossParameter parameter{
      .name = "delta", .default_value = 1, .meaning = "Huber's loss is quadratic up to this distance from the target"};
  static constexpr LiblinearMeaning liblinear{.factor = 1};

  double delta = parameter.default_value;

  GEODESCENT_ALWAYS_INLINE LossValue operator()(double z, double y) const {
    const double r = z - y;
    double s = r < delta ? r : delta;  // the residual clipped to [-delta, delta]: one formula for all three pieces
    s = s > -delta ? s : -delta;
    return {s * (r - 0.5 * s), s, ((r < delta) & (r > -delta)) ? 1.0 : 0.0};
  }
  double conjugate(double s, double y) const {
    return s < -delta || s > delta ? std::numeric_limits<double>::infinity() : s * (y + 0.5 * s);
  }
  double curvature_bound() const { return 1; }
};

namespace proof {

struct Huber {
  static constexpr Task task = Task::regression;
  /// delta (r - delta/2): a difference and a product.
  static constexpr double formula_error = 1.1;

  double delta;

  template <class T>
  T value(T at) const {
    const T r = abs(at);
    return r <= delta ? r * r / 2 : delta * (r - static_cast<T>(delta) / 2);
  }
  template <class T>
  T dual_value(T at) const {
    return clamped<T>(at, -delta, delta);
  }
  Real curvature(Real at, Real) const { return abs(at) < delta ? 1 : 0; }
  double curvature_bound() const { return 1; }
  DualRange dual_range(double c) const {
    const double end = std::min(product_below(c, delta), largest_double);
    return {-end, end};
  }
  void add_conjugate(double v, double c, double y, RowSum& sum) const { add_square_conjugate(v, c, y, sum); }

 private:
  /// The largest double that is not above the exact c d.
  static double product_below(double c, double d) {
    const double product = c * d;
    constexpr double safe = 1e-280;  // for smaller products the remainder could underflow
    const bool too_large = product < safe || std::fma(c, d, -product) < 0;
    return too_large ? std::nextafter(product, 0.0) : product;
  }
};

}  // namespace proof
}  // namespace geodescent
