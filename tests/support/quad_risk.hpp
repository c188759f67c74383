// Regularised risks in 113 bits: values, dual values, and minima found by a Newton method of their own.
#pragma once

#include <span>
#include <vector>

#include "geodescent/certificate.hpp"
#include "support/quad.hpp"

namespace geodescent::testing {

/// The data of a risk, row by row in full. Copies the data.
class QuadRisk {
 public:
  QuadRisk(const Dataset& data, const Risk& risk);

  /// f at the model.
  Quad value(const LinearModel& model) const;
  /// What its roundings are relative to: every prediction as large as its terms.
  Quad value_magnitude(const LinearModel& model) const;
  /// D(v), without max(., 0).
  Quad dual_value(const DualPoint& dual) const;
  /// Sum of the absolute values of the terms that D(v) adds up: what roundings are relative to.
  Quad dual_magnitude(const DualPoint& dual) const;
  /// Close to the minimum: f there is at least f*, and hardly above it.
  Quad minimum() const { return minimum_; }
  /// The point of the minimum, rounded to doubles.
  LinearModel minimiser() const;
  /// |gradient| / sqrt(l2) there: the minimum is at most half of its square below (without a free intercept).
  Quad residual() const { return residual_; }

 private:
  friend class QuadNewton;

  std::size_t variables() const { return columns_ + (risk_.bias == Bias::free ? 1 : 0); }
  void minimise();

  Risk risk_;
  bool classes_ = false;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<double> entries_;  ///< row by row, one more for a free intercept; not multiplied by the signs
  std::vector<double> signs_, weights_, targets_;
  Quad total_weight_ = 0;
  std::vector<Quad> point_;
  Quad minimum_ = 0;
  Quad residual_ = 0;
};

}  // namespace geodescent::testing
