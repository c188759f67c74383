#include "learn/risk/risk_problem.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "geodescent/learn/risk.hpp"
#include "learn/risk/intercept_search.hpp"
#include "learn/risk/loss_chunk.hpp"

namespace geodescent {

L2::L2(double lambda) : lambda_(lambda) {
  if (!(lambda > 0 && std::isfinite(lambda)))
    throw std::invalid_argument(fmt::format("the regularisation must be positive and finite, not {}", lambda));
}

namespace {

/// f at w = 0 and the optimal b, and the largest |b| that can be optimal. Losses are read from the problem.
class InterceptBound {
 public:
  explicit InterceptBound(RiskProblem& risk) : risk_(risk), regression_(risk.loss->task() == Task::regression) {}

  /// At the minimum f is at most F(0), so |w*| is at most sqrt(2 F(0) / lambda) and the mean loss of each class at most
  /// F(0) W / W_class. A tangent of the loss turns that into a bound on the mean prediction of the class, and so on b*.
  void find() {
    const double w = risk_.data.total_weight();
    const auto weight = [&](std::size_t i) { return risk_.weights.empty() ? 1 : risk_.weights[i]; };
    double positive = 0, mean = 0;
    for (std::size_t i = 0; i < risk_.rows.local_rows(); ++i)
      if (regression_)
        mean += weight(i) * std::abs(risk_.targets[i]) / w;
      else
        positive += risk_.data.sign(i) > 0 ? weight(i) : 0;

    const double at_zero = regression_ ? value_at_zero() : value_at_zero(positive / w);
    const double norm_of_w = std::sqrt(2 * at_zero / risk_.regularizer.strong_convexity());
    const auto farthest = [&](double part, LossValue tangent) {
      const double beyond = std::max(0.0, at_zero / part - tangent.value) / std::abs(tangent.slope);
      return 1 + beyond + risk_.data.row_norm() / std::sqrt(part) * norm_of_w;
    };
    double largest = 0;
    if (regression_)
      largest = mean + farthest(1, loss_at(1, 0));
    else
      for (const double part : {positive / w, 1 - positive / w})
        largest = std::max(largest, farthest(part, loss_at(-1, 1)));
    risk_.largest_intercept = 1.01 * largest;  // covers the rounding of these numbers
  }

 private:
  LossValue loss_at(double z, double y) const {
    LossValue phi;
    risk_.loss->evaluate(&z, regression_ ? &y : nullptr, 1, {&phi.value, &phi.slope, &phi.curvature});
    return phi;
  }

  double value_at_zero() {
    Images at;
    InterceptSearch search(0);
    do {
      at.b = search.b();
      const auto sums = sum_losses<3>(risk_, at, false, intercept_sums);
      if (!search.improve(sums[0], sums[1], sums[2])) break;
    } while (true);
    risk_.intercept_at_zero = at.b = search.b();
    return sum_losses<1>(risk_, at, true,
                         [](LossChunk& rows, double* sum) { *sum = kernels().sum(rows.value(), rows.count); })[0] /
           risk_.data.total_weight();
  }

  /// For two classes: without features, all rows of a class are alike.
  double value_at_zero(double positive) {
    const double negative = 1 - positive;
    InterceptSearch search(0);
    for (;;) {
      const LossValue p = loss_at(search.b(), 1), n = loss_at(-search.b(), 1);
      if (!search.improve(positive * p.slope - negative * n.slope, positive * p.curvature + negative * n.curvature,
                          positive * std::abs(p.slope) + negative * std::abs(n.slope))) {
        risk_.intercept_at_zero = search.b();
        return positive * p.value + negative * n.value;
      }
    }
  }

  RiskProblem& risk_;
  bool regression_;
};

}  // namespace

RiskProblem::RiskProblem(const Dataset& dataset, L2 l2, std::shared_ptr<const RowLoss> row_loss, Bias bias)
    : loss(std::move(row_loss)),
      regularizer(l2),
      data(dataset, loss->task() == Task::classification ? signs_of_classes(dataset) : std::vector<std::int8_t>{}),
      rows(data.rows()),
      weights(dataset.weights),
      free_intercept(bias == Bias::free) {
  if (loss->task() == Task::regression) targets = dataset.targets;
  if (!free_intercept) return;
  if (!data.signs()) ones.assign(data.rows(), 1);
  InterceptBound(*this).find();
}

std::span<const std::int8_t> RiskProblem::intercept_signs() const {
  if (!free_intercept) return {};
  return {data.signs() ? data.signs() : ones.data(), data.rows()};
}

double RiskProblem::smoothness_bound() const {
  return loss->curvature_bound() * data.row_norm() * data.row_norm() + regularizer.strong_convexity();
}

}  // namespace geodescent
