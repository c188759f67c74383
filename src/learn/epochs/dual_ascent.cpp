#include "learn/epochs/dual_ascent.hpp"

#include <algorithm>
#include <cmath>

namespace geodescent {
namespace {

/// An image at which the dual value of every classification loss is practically 0.
constexpr double far_margin = 40;
/// kappa, relative to the curvature bound of the loss. With less, rows overreact to the intercept;
/// with more, the intercept needs several epochs to follow.
constexpr double part_of_curvature = 0.01;
/// Of the columns. Not the number of threads: the order of additions depends on it.
constexpr std::size_t column_parts = 4;
/// In the mean row. Shorter rows have too little in each part.
constexpr std::size_t fewest_entries = 16;
/// Of D, relative.
constexpr double rounding = 1e-12;

}  // namespace

DualAscent::DualAscent(const RiskProblem& risk, std::span<const double> image, double b)
    : risk_(risk),
      lambda_(risk.regularizer.strong_convexity()),
      kappa_(risk.free_intercept ? part_of_curvature * risk.loss->curvature_bound() : 0),
      z_(risk.data.rows()),
      u_(z_.size()),
      w_(risk.data.columns()),
      squared_norms_(squared_row_norms(risk.data.matrix())),
      b_(b),
      order_(z_.size()),
      parts_(begins_parallel(risk.data) ? ColumnParts::of(risk.data.shared_matrix(), column_parts) : nullptr) {
  const bool classifies = risk.loss->task() == Task::classification;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double small_loss = classifies ? far_margin : risk.target(i);
    z_[i] = image.empty() ? small_loss : image[i] + (risk.free_intercept ? b * risk.sign(i) : 0);
    u_[i] = (*risk.loss)(z_[i], risk.target(i)).slope;
  }
  if (!parts_) return;
  most_members_ = parts_->count();
  products_.resize(parts_->count() * order_.length());
  steps_.resize(order_.length());
  multiples_.resize(order_.length());
  z_before_.resize(z_.size());
  w_before_.resize(w_.size());
}

bool DualAscent::begins_parallel(const RiskOperator& data) {
  const RowMatrix& matrix = data.matrix();
  return matrix.nonzeros() / fewest_entries >= matrix.rows() && ColumnParts::planned_bytes(matrix, column_parts) > 0;
}

double DualAscent::epoch() {
  if (kappa_ > 0) b_ -= imbalance_ / kappa_;  // the multiplier's step
  order_.shuffle();
  if (parts_ && !parallel_epoch()) parts_.reset();
  if (!parts_) {
    serial_epoch();
    value_of_rows_ = value_of_rows();
  }
  return *value_of_rows_ + value_of_intercept();
}

bool DualAscent::parallel_epoch() {
  const double before = (value_of_rows_ ? *value_of_rows_ : value_of_rows()) + value_of_intercept();
  const double b = b_, imbalance = imbalance_;
  z_before_ = z_;
  w_before_ = w_;
  if (!parallel::with_team(most_members_, [this](parallel::Team& team) { work_in(team); })) most_members_ = 1;
  const double after = value_of_rows();
  if (after + value_of_intercept() >= before - rounding * std::abs(before)) {
    value_of_rows_ = after;
    return true;
  }
  z_ = z_before_;
  w_ = w_before_;
  b_ = b;
  imbalance_ = imbalance;
  for (std::size_t i = 0; i < z_.size(); ++i) u_[i] = (*risk_.loss)(z_[i], risk_.target(i)).slope;
  return false;
}

void DualAscent::serial_epoch() {
  const RowMatrix::RowStep step = [this](std::size_t i, double product) {
    const Step made = ascend(i, product);
    add_to_intercept(made.of_intercept);
    return made.of_row;
  };
  for (std::size_t k = 0; k < order_.count(); ++k) risk_.data.matrix().sweep(order_.begin(k), order_.end(k), w_, step);
}

/// The work of one member. A product is the sum of those of the parts, in their order, for every
/// assignment of parts.
void DualAscent::work_in(parallel::Team& team) {
  const auto my_parts = [&](const auto& work) {
    const auto [first, last] = team.share(parts_->count());
    for (std::size_t part = first; part < last; ++part) work(part);
  };
  const std::size_t length = order_.length();
  for (std::size_t k = 0; k < order_.count(); ++k) {
    const std::size_t begin = order_.begin(k), end = order_.end(k);
    my_parts([&](std::size_t part) {
      parts_->forward_part(part, begin, end, w_, std::span(products_).subspan(part * length, end - begin));
    });
    if (!team.wait()) return;

    const auto [first, last] = team.share(end - begin);
    for (std::size_t r = first; r < last; ++r) {
      double product = 0;
      for (std::size_t part = 0; part < parts_->count(); ++part) product += products_[part * length + r];
      steps_[r] = ascend(begin + r, product);
      multiples_[r] = steps_[r].of_row;
    }
    if (!team.wait()) return;

    my_parts([&](std::size_t part) { parts_->add_part(part, begin, end, multiples_, w_); });
    if (!team.is_first()) continue;
    for (std::size_t r = 0; r < end - begin; ++r) add_to_intercept(steps_[r].of_intercept);
  }
}

double DualAscent::value_of_rows() const {
  const double sum = risk_.rows.sum<1>([&](std::size_t begin, std::size_t end) {
    parallel::Sums<1> of{};
    for (std::size_t i = begin; i < end; ++i)
      of.of[0] += risk_.weight(i) * ((*risk_.loss)(z_[i], risk_.target(i)).value - u_[i] * z_[i]);
    return of;
  })[0];
  return sum / risk_.data.total_weight() - lambda_ / 2 * dot(w_, w_);
}

/// The minimum over b of imbalance b + kappa/2 (b - b0)^2. It is at b = b0 - imbalance/kappa.
double DualAscent::value_of_intercept() const { return kappa_ > 0 ? imbalance_ * (b_ + imbalance_ / (2 * kappa_)) : 0; }

void DualAscent::add_to_intercept(double change) {
  if (kappa_ > 0) b_ += change / kappa_;
  imbalance_ -= change;
}

DualAscent::Step DualAscent::ascend(std::size_t i, double product) {
  const double sign = risk_.sign(i), weight = risk_.weight(i) / risk_.data.total_weight();
  const double free = kappa_ > 0 ? 1 / kappa_ : 0;
  const DualStep next = risk_.loss->dual_step(sign * (product + (kappa_ > 0 ? b_ : 0)), risk_.target(i),
                                              weight * (squared_norms_[i] / lambda_ + free), u_[i]);
  const double change = -weight * sign * (next.dual - u_[i]);
  z_[i] = next.image;
  u_[i] = next.dual;
  return {change / lambda_, change};
}

void DualAscent::move(double b, std::span<const double> linear) {
  for (std::size_t j = 0; j < w_.size(); ++j) w_[j] = -linear[j] / lambda_;
  value_of_rows_.reset();
  if (!risk_.free_intercept) return;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    z_[i] += b * risk_.sign(i);
    u_[i] = (*risk_.loss)(z_[i], risk_.target(i)).slope;
  }
  imbalance_ = 0;
}

}  // namespace geodescent
