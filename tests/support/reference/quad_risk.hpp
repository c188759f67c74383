// Regularised risks in 113 bits: values, dual values, and minima by an independent Newton method.
#pragma once

#include <span>
#include <vector>

#include "geodescent/certificate.hpp"
#include "support/reference/quad.hpp"

namespace geodescent::testing {

/// A risk with a copy of its data, as dense rows.
class QuadRisk {
 public:
  QuadRisk(const Dataset& data, const Risk& risk);

  /// f at the model.
  Quad value(const LinearModel& model) const;
  /// The magnitude to which roundings of the value are relative: predictions are replaced by the
  /// sums of |terms|.
  Quad value_magnitude(const LinearModel& model) const;
  /// D(v), without max(., 0).
  Quad dual_value(const DualPoint& dual) const;
  /// The sum of the magnitudes of the terms of D(v), to which its roundings are relative.
  Quad dual_magnitude(const DualPoint& dual) const;
  /// f at a point very close to the minimum: slightly above f*.
  Quad minimum() const { return minimum_; }
  /// The minimiser, rounded to doubles.
  LinearModel minimiser() const;
  /// gradient| / sqrt(l2) there. Without a free intercept the minimum is lower by at most half of
  /// its square.
  Quad residual() const { return residual_; }

 private:
  friend class QuadNewton;

  std::size_t variables() const { return columns_ + (risk_.bias == Bias::free ? 1 : 0); }
  void minimise();

  Risk risk_;
  bool classes_ = false;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> entries_;  ///< row by row, with one more entry for a free intercept; not multiplied by signs
  std::vector<double> signs_, weights_, targets_;
  Quad total_weight_ = 0;
  std::vector<Quad> point_;
  Quad minimum_ = 0;
  Quad residual_ = 0;
};

}  // namespace geodescent::testing
