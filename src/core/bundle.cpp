#include "core/bundle.hpp"

#include <algorithm>

#include "core/simplex_qp.hpp"

namespace geodescent {
namespace {

// Of what the bound could still gain: more exact weights were not seen to save iterations.
constexpr double qp_tolerance = 1e-3;
constexpr int qp_steps = 1000;

}  // namespace

Bundle::Bundle(std::size_t dimension, std::size_t image_size, double alpha, std::size_t capacity)
    : alpha_(alpha),
      enclosing_(dimension, image_size, alpha),
      two_(dimension, image_size, alpha),
      balls_(capacity, LowerModel(dimension, image_size, alpha)),
      gram_((capacity + 1) * (capacity + 1)),
      intercepts_(capacity + 1),
      weights_(capacity + 1),
      gradient_(capacity + 1) {}

void Bundle::start(const Point& x, const Point& g, const Evaluation& e) {
  count_ = 0;
  enclosing_.set(x, g, e);
  if (!balls_.empty()) fill_gram(keep(x, g, e));
}

/// Where the new ball is: in a free place, or in that of the ball which counted least.
std::size_t Bundle::keep(const Point& x, const Point& g, const Evaluation& e) {
  std::size_t place = count_;
  if (count_ < balls_.size())
    ++count_;
  else
    place = static_cast<std::size_t>(std::min_element(weights_.begin() + 1, weights_.end()) - weights_.begin()) - 1;
  balls_[place].set(x, g, e);
  return place;
}

void Bundle::fill_gram(std::size_t newest) {
  const std::size_t stride = balls_.size() + 1;
  const auto item = [this](std::size_t i) -> const LowerModel& { return i == 0 ? two_ : balls_[i - 1]; };
  for (const std::size_t row : {std::size_t{0}, newest + 1})
    for (std::size_t i = 0; i <= count_; ++i)
      gram_[row * stride + i] = gram_[i * stride + row] = dot(item(row).slope().x, item(i).slope().x) / alpha_;
  for (std::size_t i = 0; i <= count_; ++i) intercepts_[i] = item(i).intercept();
}

void Bundle::enclose(const Point& x, const Point& g, const Evaluation& e) {
  two_ = enclosing_;
  two_.enclose(x, g, e);
  if (!balls_.empty()) {
    fill_gram(keep(x, g, e));
    const std::size_t items = count_ + 1;
    std::fill(weights_.begin(), weights_.end(), 0.0);
    weights_[0] = 1;
    const SimplexQp qp{{intercepts_.data(), items}, gram_, balls_.size() + 1};
    const std::span<double> w{weights_.data(), items};
    qp.improve(w, {gradient_.data(), items}, qp_tolerance * std::max(e.value - two_.minimum(), 0.0), qp_steps);
    enclosing_.average(two_, {balls_.data(), count_}, w);
    if (enclosing_.lower_bound() > two_.lower_bound()) return;
  }
  std::swap(enclosing_, two_);  // rounding has spoilt what the others could add
}

}  // namespace geodescent
