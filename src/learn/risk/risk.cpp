#include "geodescent/learn/risk.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace geodescent {

std::vector<std::int8_t> signs_of_classes(const Dataset& data) {
  const BinaryLabels labels = binary_labels(data);
  std::vector<std::int8_t> signs(data.targets.size());
  for (std::size_t i = 0; i < signs.size(); ++i) signs[i] = data.targets[i] == labels.positive ? 1 : -1;
  return signs;
}

void require_positive_regularization(double lambda) {
  if (!(lambda > 0 && std::isfinite(lambda)))
    throw std::invalid_argument(fmt::format("the regularisation must be positive and finite, not {}", lambda));
}

namespace {

/// A loss of the table. Copies share it: it has no state.
class NamedRisk final : public LinearRisk {
 public:
  NamedRisk(const Dataset& data, double lambda, std::shared_ptr<const RowLoss> loss, Bias bias)
      : LinearRisk(data, lambda, loss->task(), bias), loss_(std::move(loss)) {
    find_largest_intercept();
  }

  double smoothness_bound() const override {
    return loss_->curvature_bound() * row_norm() * row_norm() + strong_convexity();
  }

 private:
  void evaluate(const double* z, const double* y, std::size_t n, const LossArrays& to) const override {
    loss_->evaluate(z, y, n, to);
  }
  bool curvature_is_smooth() const override { return loss_->curvature_is_smooth(); }
  std::unique_ptr<LinearRisk> copy() const override { return std::make_unique<NamedRisk>(*this); }

  std::shared_ptr<const RowLoss> loss_;
};

}  // namespace

std::unique_ptr<LinearRisk> make_risk(std::string_view loss, const Dataset& data, double lambda,
                                      std::optional<double> loss_parameter, Bias bias) {
  return std::make_unique<NamedRisk>(data, lambda, make_row_loss(loss, loss_parameter), bias);
}

}  // namespace geodescent
