// Multinomial logistic regression as an objective (softmax_problem.hpp has the formula and the
// order of coefficients).
#pragma once

#include <memory>

#include "geodescent/optimize/objective.hpp"
#include "learn/softmax/softmax_problem.hpp"

namespace geodescent {

/// Several threads may minimise one risk at once.
class SoftmaxRisk final : public Objective {
 public:
  /// As SoftmaxProblem.
  SoftmaxRisk(const Dataset& data, L2 regularizer, std::size_t classes, Bias bias);

  std::size_t dimension() const override { return problem_->data.columns() * problem_->classes; }
  double strong_convexity() const override { return problem_->regularizer.strong_convexity(); }
  double evaluate(std::span<const double> coefficients, std::span<double> gradient) const override;
  std::unique_ptr<Oracle> oracle() const override;

  /// The optimal free intercepts at these coefficients, with sum 0; empty when there are none. One
  /// pass each way.
  [[nodiscard]] Vector intercepts(std::span<const double> coefficients) const;
  /// P - Y there, for a proof: K numbers for each row.
  [[nodiscard]] Vector slopes(std::span<const double> coefficients) const;
  /// Where the search for free intercepts starts: a warm start. Not thread-safe; call it before a
  /// run.
  void expect_intercepts(std::span<const double> b);

 private:
  std::shared_ptr<const SoftmaxProblem> problem_;
  Vector expected_intercepts_;
};

}  // namespace geodescent
