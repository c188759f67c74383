#include "learn/epochs/softmax_ascent.hpp"

#include <cmath>

#include "kernels/kernels.hpp"

namespace geodescent {
namespace {

/// With this image for the class of a row and 0 for the others, its dual values are practically 0.
constexpr double far_image = 40;
/// kappa (DualAscent): the same part of the bound on the curvature, which is 1/2.
constexpr double kappa = 0.005;
/// A row is solved when |s + q u - t| was at most this before the last step, which squares it.
constexpr double near_enough = 1e-3;
constexpr int most_steps = 40;
constexpr double least_part = 1e-4;
/// A step that decreases less than this part of the function is taken whole: values show no smaller
/// difference.
constexpr double value_rounding = 1e-13;

}  // namespace

SoftmaxAscent::SoftmaxAscent(const SoftmaxProblem& risk, std::span<const double> image, std::span<const double> b)
    : risk_(risk),
      classes_(risk.classes),
      lambda_(risk.regularizer.strong_convexity()),
      kappa_(risk.free_intercepts ? kappa : 0),
      s_(risk.data.rows() * classes_),
      u_(s_.size()),
      v_(risk.data.columns() * classes_),
      squared_norms_(squared_row_norms(risk.data.matrix())),
      b_(b.begin(), b.end()),
      imbalance_(b.size()),
      order_(risk.data.rows()),
      target_(classes_),
      trial_(classes_),
      dual_(classes_),
      p_(classes_),
      step_(classes_),
      differences_(classes_) {
  for (std::size_t i = 0; i < risk.data.rows(); ++i) {
    double* const s = s_.data() + i * classes_;
    if (image.empty()) s[risk.class_of[i]] = far_image;
    for (std::size_t k = 0; k < classes_ && !image.empty(); ++k)
      s[k] = image[i * classes_ + k] + (b.empty() ? 0 : b[k]);
    evaluate(i, s);
    std::copy(dual_.begin(), dual_.end(), u_.begin() + static_cast<std::ptrdiff_t>(i * classes_));
  }
}

void SoftmaxAscent::evaluate(std::size_t i, const double* s) {
  std::copy_n(s, classes_, differences_.begin());
  kernels().softmax(differences_.data(), risk_.class_of.data() + i, 1, classes_, &loss_, dual_.data());
}

void SoftmaxAscent::epoch() {
  for (std::size_t k = 0; k < imbalance_.size(); ++k) b_[k] -= imbalance_[k] / kappa_;  // the multiplier's step
  order_.shuffle();
  for (std::size_t block = 0; block < order_.count(); ++block)
    for (std::size_t i = order_.begin(block); i < order_.end(block); ++i) ascend(i);
}

// With z the predictions at hand, the numbers u of a row at the maximum satisfy s + q u(s) = t, t =
// z + q u_before, where q = c |a|^2 / (lambda W) is what a unit of u takes from the predictions.
// The left side less t is the gradient of |s - t|^2 / 2 + q loss(s), which is strictly convex.
void SoftmaxAscent::ascend(std::size_t i) {
  const RowMatrix& matrix = risk_.data.matrix();
  const double weight = risk_.weight(i) / risk_.data.total_weight();
  const double q = weight * (squared_norms_[i] / lambda_ + (kappa_ > 0 ? 1 / kappa_ : 0));
  double *const s = s_.data() + i * classes_, *const u = u_.data() + i * classes_;
  matrix.multi_forward(i, i + 1, classes_, v_, target_);
  for (std::size_t k = 0; k < classes_; ++k) target_[k] += q * u[k] + (kappa_ > 0 ? b_[k] : 0);
  std::copy_n(s, classes_, trial_.begin());
  evaluate(i, trial_.data());
  for (int steps = 0; steps < most_steps && improve(i, q); ++steps) {
  }
  for (std::size_t k = 0; k < classes_; ++k) {
    const double change = -weight * (dual_[k] - u[k]);
    step_[k] = change / lambda_;
    s[k] = trial_[k];
    u[k] = dual_[k];
    if (kappa_ == 0) continue;
    b_[k] += change / kappa_;
    imbalance_[k] -= change;
  }
  matrix.multi_backward(i, i + 1, classes_, step_, v_);
}

/// The matrix of the step is I + q (diag p - p p'); the sum of p_k / (1 + q p_k) is what remains of
/// it along p.
bool SoftmaxAscent::improve(std::size_t i, double q) {
  const auto value = [&] {
    double squares = 0;
    for (std::size_t k = 0; k < classes_; ++k) squares += (trial_[k] - target_[k]) * (trial_[k] - target_[k]);
    return 0.5 * squares + q * loss_;
  };
  double along = 0, remains = 0, residual = 0, decrease = 0;
  for (std::size_t k = 0; k < classes_; ++k) {
    p_[k] = dual_[k] + (k == risk_.class_of[i] ? 1 : 0);
    const double gradient = trial_[k] - target_[k] + q * dual_[k], part = 1 / (1 + q * p_[k]);
    residual += gradient * gradient;
    along += p_[k] * part * gradient;
    remains += p_[k] * part;
    step_[k] = part * gradient;
    decrease += step_[k] * gradient;
  }
  const double back = q * along / remains;
  for (std::size_t k = 0; k < classes_; ++k) step_[k] += back * p_[k] / (1 + q * p_[k]);
  decrease += back * along;
  const double before = value();
  double part = 1, taken = 0;
  for (;; part /= 2) {
    for (std::size_t k = 0; k < classes_; ++k) trial_[k] += (taken - part) * step_[k];
    taken = part;
    evaluate(i, trial_.data());
    const bool better = value() <= before - 1e-4 * part * decrease || decrease <= value_rounding * before;
    if (better) return residual > near_enough * near_enough;
    if (part < least_part) return false;
  }
}

void SoftmaxAscent::move(std::span<const double> b, std::span<const double> linear) {
  for (std::size_t j = 0; j < v_.size(); ++j) v_[j] = -linear[j] / lambda_;
  if (kappa_ == 0) return;
  for (std::size_t i = 0; i < risk_.data.rows(); ++i) {
    double* const s = s_.data() + i * classes_;
    for (std::size_t k = 0; k < classes_; ++k) s[k] += b[k];
    evaluate(i, s);
    std::copy(dual_.begin(), dual_.end(), u_.begin() + static_cast<std::ptrdiff_t>(i * classes_));
  }
  std::fill(imbalance_.begin(), imbalance_.end(), 0.0);
}

}  // namespace geodescent
