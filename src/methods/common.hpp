// Shared parts of several methods: the lifted start, the best single-point bound, the estimate of
// beta.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include "base/parallel.hpp"
#include "geodescent/optimize/method_choice.hpp"
#include "optimize/models/lower_model.hpp"
#include "optimize/search/line_search.hpp"

namespace geodescent {

inline Point point_of(Oracle& f) { return Point(f.dimension(), f.image_size()); }

/// x0 with its image: one forward pass, none for x0 = 0. Starts the threads, so that no step
/// allocates.
inline Point lifted(Oracle& f, std::span<const double> x0) {
  parallel::start_threads();
  Point p = point_of(f);
  std::copy(x0.begin(), x0.end(), p.x.begin());
  const bool zero = std::all_of(x0.begin(), x0.end(), [](double v) { return v == 0; });
  if (!zero) f.lift(p);
  return p;
}

/// alpha, for methods that need it. Throws if it is unknown.
inline double known_strong_convexity(Oracle& f) {
  const double alpha = f.strong_convexity();
  if (alpha > 0) return alpha;
  throw std::invalid_argument(
      "this method needs the strong convexity of the function, which is unknown; geod-memory can estimate it, and "
      "lbfgs "
      "does without");
}

/// The best single-point bound f(x) - |g|^2/(2 alpha) of a run.
class BestBound {
 public:
  void add(const Point& x, const Vector& g, const Evaluation& e, double alpha) {
    const LowerBound b = single_point_bound(x.x, g, e, alpha);
    rounding_ = b.error + e.value_error;
    if (!(b.value > best_)) return;
    best_ = b.value;
    rounding_of_best_ = rounding_;
    dual_.assign(e.dual.begin(), e.dual.end());
  }
  double value() const { return best_; }
  std::span<const double> dual() const { return dual_; }
  /// The smaller of the rounding errors of the last bound and of the best one. Either may belong to
  /// a distant point, whose rounding does not limit what the run can reach.
  double rounding() const { return std::min(rounding_, rounding_of_best_); }

 private:
  double best_ = -std::numeric_limits<double>::infinity();
  double rounding_ = 0;
  double rounding_of_best_ = 0;
  Vector dual_;
};

/// beta: given, known or estimated. An estimate is doubled until the step x - g/beta decreases f as
/// beta-smoothness promises, f(x - g/beta) <= f(x) - |g|^2/(2 beta). The proofs use nothing else of
/// beta. If f has an image, this costs evaluations on a line but no pass.
class Smoothness {
 public:
  Smoothness() = default;
  Smoothness(Oracle& f, std::optional<double> given)
      : beta_(given ? *given : f.facts().smoothness.value_or(0)), estimated_(beta_ == 0) {}

  double beta() const { return beta_; }

  /// The step -1/beta along the line x + t g, with f there.
  LineStep gradient_step(Oracle& f, Line& line, const Evaluation& at_x, double squared_gradient) {
    if (estimated_ && beta_ == 0) beta_ = first_estimate(f, line, squared_gradient);
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(at_x.value);
    for (int doublings = 0; doublings < 200; ++doublings) {
      const double t = -1 / beta_;
      const LineValue at = f.on(line, t);
      const bool decreases = at.value <= at_x.value - 0.5 * squared_gradient / beta_ + rounding;
      if (decreases || !estimated_) return {t, at, std::isfinite(at.value), std::isfinite(at.value)};
      beta_ *= 2;
    }
    return {0, {at_x.value, squared_gradient, 0}, false, false};
  }

 private:
  /// The curvature of f along its gradient: a lower bound on beta, the first estimate.
  static double first_estimate(Oracle& f, Line& line, double squared_gradient) {
    if (squared_gradient == 0) return 1;
    const double curvature = f.on(line, 0).curvature / squared_gradient;
    return curvature > 0 ? curvature : f.strong_convexity();
  }

  double beta_ = 0;
  bool estimated_ = true;
};

}  // namespace geodescent
