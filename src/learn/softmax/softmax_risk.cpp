#include "learn/softmax/softmax_risk.hpp"

#include <algorithm>

#include "learn/softmax/softmax_oracle.hpp"

namespace geodescent {
namespace {

/// f at the coefficients, by an oracle made for it.
Evaluation evaluate_softmax(Oracle& f, std::span<const double> coefficients, std::span<double> gradient) {
  Point p(f.dimension(), f.image_size());
  std::copy(coefficients.begin(), coefficients.end(), p.x.begin());
  f.lift(p);
  return f.gradient(p, gradient);
}

}  // namespace

SoftmaxRisk::SoftmaxRisk(const Dataset& data, L2 regularizer, std::size_t classes, Bias bias)
    : problem_(std::make_shared<SoftmaxProblem>(data, regularizer, classes, bias)) {}

std::unique_ptr<Oracle> SoftmaxRisk::oracle() const { return std::make_unique<SoftmaxOracle>(problem_); }

double SoftmaxRisk::evaluate(std::span<const double> coefficients, std::span<double> gradient) const {
  return evaluate_softmax(*oracle(), coefficients, gradient).value;
}

Vector SoftmaxRisk::intercepts(std::span<const double> coefficients) const {
  SoftmaxOracle f(problem_);
  Vector gradient(dimension());
  evaluate_softmax(f, coefficients, gradient);
  return f.intercepts();
}

Vector SoftmaxRisk::slopes(std::span<const double> coefficients) const {
  SoftmaxOracle f(problem_);
  Vector gradient(dimension());
  const std::span<const double> dual = evaluate_softmax(f, coefficients, gradient).dual;
  return {dual.begin(), dual.end()};
}

}  // namespace geodescent
