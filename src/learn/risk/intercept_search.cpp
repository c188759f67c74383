#include "learn/risk/intercept_search.hpp"

namespace geodescent {

bool InterceptSearch::improve(double slope, double curvature, double magnitude) {
  if (!(std::abs(slope) > tolerance_ * magnitude) || !std::isfinite(slope) || ++steps_ > most_steps) return false;
  (slope < 0 ? low_ : high_) = b_;
  const bool bracketed = std::isfinite(low_) && std::isfinite(high_);
  double next = b_ - slope / curvature;
  if (!bracketed) {
    if (b_ + stride_ == b_) stride_ = std::abs(b_);  // a smaller step would not change b_
    // If the loss is almost flat, a Newton step may lead to 1e40, and too many halvings would lead
    // back.
    if (!(std::abs(next - b_) <= stride_)) next = b_ + (slope < 0 ? stride_ : -stride_);
    stride_ *= 4;
  } else if (!(next > low_ && next < high_)) {
    next = 0.5 * (low_ + high_);
  }
  if (next == b_ || next == low_ || next == high_ || !std::isfinite(next)) return false;
  b_ = next;
  return true;
}

}  // namespace geodescent
