#include "methods/geod_memory/remembered_span.hpp"

#include <algorithm>

namespace geodescent {
namespace {

/// The part of a full memory that is kept.
constexpr double kept_part = 0.5;
constexpr std::size_t room_to_aim = 2;

}  // namespace

RememberedSpan::RememberedSpan(Oracle& f, std::size_t directions)
    : basis_(f.dimension(), f.image_size(), std::min(directions, f.dimension()) + 1 + room_to_aim, f.product()),
      subspace_(f, basis_.capacity()),
      steps_(basis_.capacity(), Vector(basis_.capacity())),
      kept_(steps_) {}

void RememberedSpan::start(const Point& x) {
  basis_.clear();
  basis_.add(x);
  step_count_ = 0;
  aims_ = 0;
  forgotten_ = false;
}

void RememberedSpan::remember(const Point& direction, const Point& x, std::span<const Point* const> toward) {
  for (; aims_ > 0; --aims_) basis_.pop();
  subspace_.forget(basis_.size());
  if (basis_.size() + 1 + room_to_aim > basis_.capacity()) make_room(x, toward);
  basis_.add(direction);
}

// The last steps make the next one conjugate to them, so they are kept rather than the last
// gradients.
void RememberedSpan::make_room(const Point& x, std::span<const Point* const> toward) {
  const auto part = static_cast<std::size_t>(kept_part * static_cast<double>(basis_.capacity()));
  const std::size_t most = std::max<std::size_t>(1, std::min(part, basis_.capacity() - 1 - room_to_aim));
  std::size_t count = 0;
  basis_.coordinates(x, kept_[count++]);
  for (const Point* p : toward)
    if (count < most) basis_.coordinates(*p, kept_[count++]);
  const std::size_t first = count;
  for (std::size_t k = step_count_; k-- > 0 && count < most;) kept_[count++] = steps_[k];
  basis_.keep({kept_.data(), count});
  forgotten_ = true;
  step_count_ = count - first;
  for (std::size_t k = 0; k < step_count_; ++k) steps_[k] = kept_[count - 1 - k];
}

bool RememberedSpan::search(Oracle& f, Point& x, double& value, std::span<const Point* const> toward, double goal,
                            int most_steps) {
  for (const Point* p : toward) aims_ += basis_.add(*p);
  const auto found = subspace_.minimize(f, basis_, x, value, goal, most_steps);
  if (!found.finite) return false;
  value = found.value;
  const Vector &before = subspace_.start(), &after = subspace_.coordinates();
  if (step_count_ == steps_.size()) {
    std::rotate(steps_.begin(), steps_.begin() + 1, steps_.end());
    --step_count_;
  }
  Vector& last = steps_[step_count_++];
  std::fill(last.begin(), last.end(), 0.0);
  const std::size_t remembered = basis_.size() - aims_;
  for (std::size_t i = 0; i < remembered; ++i) last[i] = after[i] - before[i];
  return true;
}

}  // namespace geodescent
