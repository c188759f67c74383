#include "learn/risk/dual_ascent.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"

namespace geodescent {
namespace {

/// Blocks of rows are visited in a random order, rows within a block as they come: memory is read ahead.
constexpr std::size_t most_rows_together = 64, fewest_blocks = 256;
/// An image where classification losses have a dual value that is as good as 0.
constexpr double far_margin = 40;
/// kappa: with less, rows overreact to the intercept; with more, it takes several epochs to follow.
constexpr double part_of_curvature = 0.01;

/// A random number below n (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
std::uint64_t random_below(std::uint64_t& state, std::uint64_t n) {
  std::uint64_t x = state += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return (x ^ (x >> 31)) % n;
}

Vector squared_row_norms(const RowMatrix& matrix) {
  Vector norms(matrix.rows());
  parallel::for_each(parallel::cut(matrix.rows()), [&](std::size_t begin, std::size_t end) {
    matrix.squared_norms(begin, end, std::span(norms).subspan(begin, end - begin));
  });
  return norms;
}

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
      block_(std::clamp<std::size_t>(z_.size() / fewest_blocks, 1, most_rows_together)) {
  const bool classifies = risk.loss->task() == Task::classification;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    const double small_loss = classifies ? far_margin : risk.target(i);
    z_[i] = image.empty() ? small_loss : image[i] + (risk.free_intercept ? b * risk.sign(i) : 0);
    u_[i] = (*risk.loss)(z_[i], risk.target(i)).slope;
  }
  order_.resize((z_.size() + block_ - 1) / block_);
  std::iota(order_.begin(), order_.end(), 0U);
}

void DualAscent::epoch() {
  if (kappa_ > 0) b_ -= imbalance_ / kappa_;  // the multiplier's step
  for (std::size_t k = order_.size(); k > 1; --k) std::swap(order_[k - 1], order_[random_below(random_, k)]);
  const RowMatrix::RowStep step = [this](std::size_t i, double product) { return ascend(i, product); };
  for (const std::size_t block : order_)
    risk_.data.matrix().sweep(block * block_, std::min(z_.size(), (block + 1) * block_), w_, step);
}

double DualAscent::ascend(std::size_t i, double product) {
  const double sign = risk_.sign(i), weight = risk_.weight(i) / risk_.data.total_weight();
  const double free = kappa_ > 0 ? 1 / kappa_ : 0;
  const DualStep next = risk_.loss->dual_step(sign * (product + (kappa_ > 0 ? b_ : 0)), risk_.target(i),
                                              weight * (squared_norms_[i] / lambda_ + free), u_[i]);
  const double change = -weight * sign * (next.dual - u_[i]);
  z_[i] = next.image;
  u_[i] = next.dual;
  b_ += change * free;
  imbalance_ -= change;
  return change / lambda_;
}

void DualAscent::move(double b, std::span<const double> linear) {
  for (std::size_t j = 0; j < w_.size(); ++j) w_[j] = -linear[j] / lambda_;
  if (!risk_.free_intercept) return;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    z_[i] += b * risk_.sign(i);
    u_[i] = (*risk_.loss)(z_[i], risk_.target(i)).slope;
  }
  imbalance_ = 0;
}

}  // namespace geodescent
