#include "optimize/models/bundle.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "optimize/models/simplex_qp.hpp"

namespace geodescent {
namespace {

// Relative to the possible gain of the bound. Smaller tolerances do not save iterations.
constexpr double qp_tolerance = 1e-3;
constexpr int qp_steps = 1000;
// The smallest number of points for the estimate, even if fewer balls are kept.
constexpr std::size_t fewest_samples = 10;
constexpr int most_halvings = 100;

}  // namespace

Bundle::Bundle(std::size_t dimension, std::size_t image_size, double alpha, std::size_t capacity, bool keeps_dual,
               const InnerProduct& product, Images images)
    : alpha_(alpha),
      product_(product),
      has_images_(product.by_rows || images == Images::with_point),
      enclosing_(dimension, has_images_ ? image_size : 0, alpha, keeps_dual, product),
      linear_(has_images_ ? 0 : dimension, has_images_ ? 0 : image_size),
      newest_image_(has_images_ ? 0 : image_size) {
  if (alpha == 0) estimate_.emplace(dimension, std::max(capacity, fewest_samples));
  if (capacity <= 1) return;
  two_ = enclosing_;
  balls_.assign(capacity, enclosing_);
  made_when_.resize(capacity);
  gram_.resize((capacity + 1) * (capacity + 1));
  for (Vector* const v : {&offsets_, &weights_, &gradient_}) v->resize(capacity + 1);
  if (!has_images_) images_.assign(capacity, Vector(image_size));
}

Point* Bundle::begin_with(const LowerModel& enclosing) {
  if (estimate_) return nullptr;
  enclosing_ = enclosing;
  started_ = true;
  if (has_images_) return nullptr;
  linear_.x = enclosing_.linear().x;
  return &linear_;
}

void Bundle::enclose(const Point& x, const Point& g, const Evaluation& e) {
  if (!estimate_) return add(x, g, e);

  bool outdated = estimate_->add(x, g, e);
  if (!std::isfinite(estimate_->alpha())) return;
  if (!outdated) {
    add(x, g, with_alpha(e, x));
    outdated = contradicted();
    if (outdated) estimate_->halve();
  }
  for (int halvings = 0; outdated && halvings < most_halvings; ++halvings) {
    set_alpha(estimate_->alpha());
    for (std::size_t i = 0; i < estimate_->size(); ++i) {
      const ConvexityEstimate::Sample& s = estimate_->sample(i);
      add(s.x, s.g, with_alpha(s.e, s.x));
    }
    outdated = contradicted();
    if (outdated) estimate_->halve();
  }
}

/// Forgets all balls.
void Bundle::set_alpha(double alpha) {
  alpha_ = alpha;
  started_ = false;
  count_ = 0;
  enclosing_.set_alpha(alpha);
  two_.set_alpha(alpha);
  for (LowerModel& m : balls_) m.set_alpha(alpha);
}

/// The evaluation with the strong convexity alpha, from one for alpha = 0.
Evaluation Bundle::with_alpha(const Evaluation& e, const Point& x) const {
  Evaluation changed = e;
  changed.offset += 0.5 * alpha_ * squared_norm(x.x);
  return changed;
}

/// Whether a value seen lies below the bound.
bool Bundle::contradicted() const {
  for (std::size_t i = 0; i < estimate_->size(); ++i) {
    const Evaluation& e = estimate_->sample(i).e;
    if (e.value + e.value_error < enclosing_.lower_bound()) return true;
  }
  return false;
}

/// Stores the newest ball in a free place, or in place of the ball with the smallest weight, the
/// oldest of these. Usually several balls have the weight 0.
void Bundle::keep(const Point& x, const Point& g, const Evaluation& e) {
  newest_ = count_;
  if (count_ < balls_.size())
    ++count_;
  else
    for (std::size_t i = newest_ = 0; i < count_; ++i) {
      const auto rank = [this](std::size_t ball) { return std::pair(weights_[ball + 1], made_when_[ball]); };
      if (rank(i) < rank(newest_)) newest_ = i;
    }
  balls_[newest_].set(x, g, e);
  made_when_[newest_] = made_++;
}

/// Recomputes the rows and columns that have changed.
void Bundle::fill_gram() {
  const std::size_t stride = balls_.size() + 1;
  const auto item = [this](std::size_t i) -> const LowerModel& { return i == 0 ? two_ : balls_[i - 1]; };
  for (const std::size_t row : {std::size_t{0}, newest_ + 1})
    for (std::size_t i = 0; i <= count_; ++i)
      gram_[row * stride + i] = gram_[i * stride + row] = product_(item(row).linear(), item(i).linear()) / alpha_;
  for (std::size_t i = 0; i <= count_; ++i) offsets_[i] = item(i).offset();
}

/// Replaces `model` by the ball around the intersection of `model` and the ball at x.
void Bundle::enclose_two(LowerModel& model, const Point& x, const Point& g, const Evaluation& e) {
  if (started_)
    part_of_newest_ = model.enclose(x, g, e);
  else
    model.set(x, g, e), part_of_newest_ = 1;
  started_ = true;
  part_of_last_ = 1 - part_of_newest_;
}

void Bundle::add(const Point& x, const Point& g, const Evaluation& e) {
  if (balls_.empty()) return enclose_two(enclosing_, x, g, e);
  two_ = enclosing_;
  enclose_two(two_, x, g, e);
  keep(x, g, e);
  fill_gram();
  const std::size_t items = count_ + 1;
  std::fill(weights_.begin(), weights_.end(), 0.0);
  weights_[0] = 1;
  const SimplexQp qp{{offsets_.data(), items}, gram_, balls_.size() + 1};
  const std::span<double> w{weights_.data(), items};
  qp.improve(w, {gradient_.data(), items}, qp_tolerance * std::max(e.value - two_.minimum(), 0.0), qp_steps);
  enclosing_.average(two_, {balls_.data(), count_}, w);
  if (enclosing_.lower_bound() > two_.lower_bound()) return;
  // The average is not better than Algorithm 1 because of rounding: keep the latter.
  std::fill(weights_.begin(), weights_.end(), 0.0);
  weights_[0] = 1;
  std::swap(enclosing_, two_);
}

void Bundle::set_images(const Point& x, const Point& g) {
  if (has_images_) return;
  combine(newest_image_, 1, g.image, -alpha_, x.image);
  const double two = balls_.empty() ? 1 : weights_[0];
  combine(linear_.image, two * part_of_last_, linear_.image, two * part_of_newest_, newest_image_);
  if (!balls_.empty()) {
    std::swap(images_[newest_], newest_image_);
    for (std::size_t i = 0; i < count_; ++i)
      if (weights_[i + 1] != 0) combine(linear_.image, 1, linear_.image, weights_[i + 1], images_[i]);
  }
  linear_.x = enclosing_.linear().x;
}

}  // namespace geodescent
