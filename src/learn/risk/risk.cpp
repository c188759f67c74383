#include "geodescent/learn/risk.hpp"

#include <utility>

#include "data/assemble/checked.hpp"
#include "learn/risk/risk_oracle.hpp"

namespace geodescent {

std::vector<std::int8_t> signs_of_classes(const Dataset& data) {
  const BinaryLabels labels = binary_labels(data);
  std::vector<std::int8_t> signs(data.targets.size());
  for (std::size_t i = 0; i < signs.size(); ++i) signs[i] = data.targets[i] == labels.positive ? 1 : -1;
  return signs;
}

LinearRisk::LinearRisk(const Dataset& data, L2 regularizer, const std::shared_ptr<const RowLoss>& loss, Bias bias)
    : problem_(std::make_shared<RiskProblem>(checked(data), regularizer, loss, bias)),
      expected_intercept_(problem_->intercept_at_zero) {}

std::size_t LinearRisk::dimension() const { return problem_->data.columns(); }

double LinearRisk::strong_convexity() const { return problem_->regularizer.strong_convexity(); }

double LinearRisk::smoothness_bound() const { return problem_->smoothness_bound(); }

std::unique_ptr<Oracle> LinearRisk::oracle() const {
  return std::make_unique<RiskOracle>(problem_, expected_intercept_);
}

double LinearRisk::evaluate(std::span<const double> w, std::span<double> gradient) const {
  return evaluate_at(*oracle(), w, gradient).value;
}

double LinearRisk::intercept(std::span<const double> w) const {
  if (!problem_->free_intercept) return 0;
  const std::unique_ptr<Oracle> f = oracle();
  Vector gradient(dimension());
  evaluate_at(*f, w, gradient);
  return f->intercepts().front();
}

std::unique_ptr<LinearRisk> make_risk(std::string_view loss, const Dataset& data, double lambda,
                                      std::optional<double> loss_parameter, Bias bias) {
  return std::make_unique<LinearRisk>(data, L2(lambda), make_row_loss(loss, loss_parameter), bias);
}

}  // namespace geodescent
