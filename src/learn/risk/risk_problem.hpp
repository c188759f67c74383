// The parts of a risk with one number for each row. Immutable, and shared by all its oracles.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "geodescent/detail/row_loss.hpp"
#include "learn/linear/linear_problem.hpp"

namespace geodescent {

struct RiskProblem : LinearProblem {
  RiskProblem(const Dataset& data, L2 regularizer, const std::shared_ptr<const RowLoss>& loss, Bias bias);

  /// The change of each image entry with a free intercept, +1 or -1; empty without one.
  std::span<const std::int8_t> intercept_signs() const;
  double target(std::size_t i) const { return targets.empty() ? 1 : targets[i]; }
  double sign(std::size_t i) const { return data.signs() ? data.sign(i) : 1; }
  /// A bound like largest_intercept, smaller if a few rows are far larger than the others. One pass
  /// over the data.
  double sharper_largest_intercept() const;

  std::shared_ptr<const RowLoss> loss;
  Vector targets;  // of a regression
  bool free_intercept;
  std::vector<std::int8_t> ones;  // of a regression with a free intercept
  double largest_intercept = 0;   // a bound on the optimal |b|
  double intercept_at_zero = 0;   // the optimal b without features
  double value_at_zero = 0;       // f at w = 0 and that b
  /// Of rows on several ranks: that of row form, with the images of all rows. Null: this one.
  std::shared_ptr<const RiskProblem> by_rows;
};

}  // namespace geodescent
