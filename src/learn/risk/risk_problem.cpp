#include "learn/risk/risk_problem.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "geodescent/learn/risk.hpp"
#include "learn/risk/intercept_search.hpp"
#include "learn/risk/loss_chunk.hpp"

namespace geodescent {

L2::L2(double lambda) : lambda_(lambda) {
  if (!(lambda > 0 && std::isfinite(lambda)))
    throw std::invalid_argument(
        fmt::format("l2, the strength of the regularisation, must be positive and finite, but is {}{}", lambda,
                    lambda == 0 ? "; it has no default: set Risk::l2, for example to l2_from_c(loss, C, rows)" : ""));
}

namespace {

bool is_regression(const RiskProblem& risk) { return risk.loss->task() == Task::regression; }

LossValue loss_at(const RiskProblem& risk, double z, double y) {
  LossValue phi;
  risk.loss->evaluate(&z, is_regression(risk) ? &y : nullptr, 1, {&phi.value, &phi.slope, &phi.curvature});
  return phi;
}

/// A bound on |b*| from the rows of one class, or from all rows of a regression. `part` is their
/// share of the total weight, `row_norm` the root mean square of |a_i|, `mean_target` the mean of
/// |y_i|. At the minimum f is at most F(0). So |w*| is at most sqrt(2 F(0) / lambda), and the mean
/// loss of these rows is at most F(0) / part. A tangent of the loss turns this into a bound on
/// their mean prediction, and so on b*.
double farthest_intercept(const RiskProblem& risk, double part, double row_norm, double mean_target) {
  const LossValue tangent = is_regression(risk) ? loss_at(risk, 1, 0) : loss_at(risk, -1, 1);
  const double norm_of_w = std::sqrt(2 * risk.value_at_zero / risk.regularizer.strong_convexity());
  const double beyond = std::max(0.0, risk.value_at_zero / part - tangent.value) / std::abs(tangent.slope);
  return 1.01 * (mean_target + (1 + beyond + row_norm * norm_of_w));  // 1.01 covers the rounding of these numbers
}

/// f at w = 0 and the optimal b, and a bound on the optimal |b|. Losses are evaluated by the
/// problem.
class InterceptBound {
 public:
  explicit InterceptBound(RiskProblem& risk) : risk_(risk), regression_(is_regression(risk)) {}

  void find() {
    const double w = risk_.data.total_weight();
    double sum = 0;  // in the order of the rows, also of those on other ranks
    const auto add = [&](std::size_t, std::size_t) {
      const RowRange rows = risk_.rows.share();
      if (!regression_ && risk_.weights.empty()) {
        const std::int8_t* const signs = risk_.data.signs();
        sum += static_cast<double>(std::count(signs + rows.begin, signs + rows.end, std::int8_t{1}));
        return;
      }
      for (std::size_t i = rows.begin; i < rows.end; ++i)
        if (regression_)
          sum += risk_.weight(i) * std::abs(risk_.targets[i]) / w;
        else
          sum += risk_.data.sign(i) > 0 ? risk_.weight(i) : 0;
    };
    risk_.rows.add_in_order({&sum, 1}, add);
    const double positive = sum, mean = sum;

    risk_.value_at_zero = regression_ ? value_at_zero() : value_at_zero(positive / w);
    const double row_norm = risk_.data.row_norm();
    if (regression_) {
      risk_.largest_intercept = farthest_intercept(risk_, 1, row_norm, mean);
      return;
    }
    for (const double part : {positive / w, 1 - positive / w})
      risk_.largest_intercept =
          std::max(risk_.largest_intercept, farthest_intercept(risk_, part, row_norm / std::sqrt(part), 0));
  }

 private:
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

  /// For two classes: without features all rows of a class are equal.
  double value_at_zero(double positive) {
    const double negative = 1 - positive;
    InterceptSearch search(0);
    for (;;) {
      const LossValue p = loss_at(risk_, search.b(), 1), n = loss_at(risk_, -search.b(), 1);
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

RiskProblem::RiskProblem(const Dataset& dataset, L2 l2, const std::shared_ptr<const RowLoss>& row_loss, Bias bias)
    : LinearProblem(dataset,
                    row_loss->task() == Task::classification ? signs_of_classes(dataset) : std::vector<std::int8_t>{},
                    1, l2, row_loss->curvature_bound()),
      loss(row_loss),
      free_intercept(bias == Bias::free) {
  if (loss->task() == Task::regression) targets = dataset.targets;
  if (free_intercept) {
    if (!data.signs()) ones.assign(data.rows(), 1);
    InterceptBound(*this).find();
  }
  if (!data.needs_all_images()) return;
  auto all = std::make_shared<RiskProblem>(*this);
  std::vector<std::int8_t> signs;
  if (data.signs()) {
    const Vector of_all = rows.of_all_rows(Vector(data.signs(), data.signs() + data.rows()));
    signs.assign(of_all.begin(), of_all.end());
  }
  if (!targets.empty()) all->targets = rows.of_all_rows(targets);
  if (!ones.empty()) all->ones.assign(rows.rows(), 1);
  all->take_all_rows(std::move(signs));
  by_rows = all;
}

std::span<const std::int8_t> RiskProblem::intercept_signs() const {
  if (!free_intercept) return {};
  return {data.signs() ? data.signs() : ones.data(), data.rows()};
}

// The bound holds for any rows of a class. This uses half of them or a few more, those with the
// smallest norms, so that large rows do not count.
double RiskProblem::sharper_largest_intercept() const {
  Vector norms(rows.local_rows());
  std::vector<std::uint32_t> indices;
  Vector values;
  for (std::size_t i = 0; i < norms.size(); ++i) {
    data.matrix().copy_row(i, indices, values);
    norms[i] = norm(values);
  }
  double largest = 0;
  for (const double of_class : {1.0, -1.0}) {  // all rows of a regression are in the first
    /// Weights, squared norms and targets of the rows of the class up to this norm.
    const auto up_to = [&](double longest) {
      return rows.sum<3>([&](std::size_t begin, std::size_t end) {
        parallel::Sums<3> sum{};
        for (std::size_t i = begin; i < end; ++i) {
          if (sign(i) != of_class || !(norms[i] <= longest)) continue;
          const double y = targets.empty() ? 0 : std::abs(targets[i]);
          sum += parallel::Sums<3>{{weight(i), weight(i) * norms[i] * norms[i], weight(i) * y}};
        }
        return sum;
      });
    };
    const double all = up_to(std::numeric_limits<double>::infinity())[0];
    if (!(all > 0)) continue;
    // The bits of numbers that are not negative are in the order of the numbers.
    std::uint64_t low = 0, high = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (2 * up_to(std::bit_cast<double>(middle))[0] >= all)
        high = middle;
      else
        low = middle + 1;
    }
    const auto [half, squares, targets_of_half] = up_to(std::bit_cast<double>(high));
    largest = std::max(largest, farthest_intercept(*this, half / data.total_weight(), std::sqrt(squares / half),
                                                   targets_of_half / half));
  }
  return std::min(largest, largest_intercept);
}

}  // namespace geodescent
