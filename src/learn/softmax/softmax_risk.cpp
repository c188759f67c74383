#include "learn/softmax/softmax_risk.hpp"

#include "learn/softmax/softmax_oracle.hpp"

namespace geodescent {

SoftmaxRisk::SoftmaxRisk(const Dataset& data, L2 regularizer, std::size_t classes, Bias bias)
    : problem_(std::make_shared<SoftmaxProblem>(data, regularizer, classes, bias)),
      expected_intercepts_(problem_->intercepts_at_zero) {}

std::unique_ptr<Oracle> SoftmaxRisk::oracle() const {
  return std::make_unique<SoftmaxOracle>(problem_, expected_intercepts_);
}

void SoftmaxRisk::expect_intercepts(std::span<const double> b) {
  if (problem_->free_intercepts) expected_intercepts_.assign(b.begin(), b.end());
}

double SoftmaxRisk::evaluate(std::span<const double> coefficients, std::span<double> gradient) const {
  return evaluate_at(*oracle(), coefficients, gradient).value;
}

Vector SoftmaxRisk::intercepts(std::span<const double> coefficients) const {
  SoftmaxOracle f(problem_, expected_intercepts_);
  Vector gradient(dimension());
  evaluate_at(f, coefficients, gradient);
  return f.intercepts();
}

Vector SoftmaxRisk::slopes(std::span<const double> coefficients) const {
  SoftmaxOracle f(problem_, expected_intercepts_);
  Vector gradient(dimension());
  const std::span<const double> dual = evaluate_at(f, coefficients, gradient).dual;
  return {dual.begin(), dual.end()};
}

}  // namespace geodescent
