#include "core/subspace_search.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace geodescent {
namespace {

using Matrix = Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

// Far from the minimum of a loss with kinks in its slope a few steps are not enough, and the next gradient is worth
// more than the fifteenth step.
constexpr int most_steps = 15;
constexpr double line_tolerance = 1e-2;

}  // namespace

SubspaceSearch::SubspaceSearch(const Objective& f, std::size_t capacity)
    : reduced_(f.image_size(), capacity),
      factor_(capacity * capacity),
      z_(capacity),
      direction_(f.dimension(), f.image_size()),
      line_(f.dimension()) {}

/// direction = -V (V'H V)^-1 V'g. False when rounding has made the Hessian useless.
bool SubspaceSearch::newton_direction(const Basis& basis) {
  const auto m = static_cast<Eigen::Index>(basis.size());
  const Eigen::OuterStride<> stride(static_cast<Eigen::Index>(reduced_.capacity));
  Matrix h(factor_.data(), m, m, stride);
  h = Matrix(reduced_.hessian.data(), m, m, stride);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(h);
  if (factor.info() != Eigen::Success) return false;
  Eigen::Map<Eigen::VectorXd> z(z_.data(), m);
  z = -Eigen::Map<const Eigen::VectorXd>(reduced_.gradient.data(), m);
  factor.solveInPlace(z);
  if (!z.allFinite()) return false;
  basis.combine(z_, direction_);
  return true;
}

SubspaceSearch::Outcome SubspaceSearch::minimize(const Objective& f, const Basis& basis, Point& x, double value,
                                                 double goal) {
  for (int k = 0; k < most_steps; ++k) {
    if (!f.reduce(basis, x, reduced_)) return {value, true, false};
    const std::span<const double> gradient = std::span<const double>(reduced_.gradient).first(basis.size());
    if (!std::isfinite(reduced_.value)) return {value, false, true};
    if (norm(gradient) <= goal || !newton_direction(basis)) break;
    const double slope = dot(gradient, std::span<const double>(z_).first(basis.size()));
    if (!(slope < 0)) break;
    line_.set(x, direction_);
    const LineStep step = line_minimum(f, line_, {reduced_.value, slope, -slope}, 1, line_tolerance);
    if (!step.finite) return {value, false, true};
    // Near the minimum slopes still tell better from worse where values no longer do.
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(value);
    if (!step.found || !(step.at.value <= value + rounding)) break;
    const bool gained = step.at.value < value;
    combine(x, 1, x, step.t, direction_);
    x.hint = line_.hint;
    value = step.at.value;
    if (!gained) break;
  }
  return {value, true, true};
}

}  // namespace geodescent
