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
constexpr double slow_step = 0.3;

}  // namespace

SubspaceSearch::SubspaceSearch(const Objective& f, std::size_t capacity)
    : reduced_(f.image_size(), capacity),
      factor_(capacity * capacity),
      z_(capacity),
      direction_(f.dimension(), f.image_size()),
      line_(f.dimension(), f.product()) {}

void SubspaceSearch::forget(std::size_t columns) {
  reduced_.columns = std::min(reduced_.columns, columns);
  factored_ = std::min(factored_, columns);
}

/// The factor of the Hessian, row by row where only rows are new. False when rounding has made the Hessian useless.
bool SubspaceSearch::factorize(std::size_t columns) {
  const Eigen::OuterStride<> stride(static_cast<Eigen::Index>(reduced_.capacity));
  const auto m = static_cast<Eigen::Index>(columns);
  Matrix l(factor_.data(), m, m, stride), h(reduced_.hessian.data(), m, m, stride);
  if (factored_generation_ != reduced_.generation || factored_ == 0) {
    factored_ = 0;
    factored_generation_ = reduced_.generation;
    l.triangularView<Eigen::Lower>() = h;
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(l);
    if (factor.info() != Eigen::Success) return false;
    factored_ = columns;
  }
  for (; factored_ < columns; ++factored_) {
    const auto j = static_cast<Eigen::Index>(factored_);
    Eigen::Map<Eigen::VectorXd> row(z_.data(), j);
    row = h.row(j).head(j);
    l.topLeftCorner(j, j).triangularView<Eigen::Lower>().solveInPlace(row);
    const double rest = h(j, j) - row.squaredNorm();
    if (!(rest > 0)) return false;
    l.row(j).head(j) = row;
    l(j, j) = std::sqrt(rest);
  }
  return true;
}

/// direction = -V (V'H V)^-1 V'g. False when rounding has made the Hessian useless.
bool SubspaceSearch::newton_direction(const Basis& basis) {
  if (!factorize(basis.size())) return false;
  const auto m = static_cast<Eigen::Index>(basis.size());
  const Matrix l(factor_.data(), m, m, Eigen::OuterStride<>(static_cast<Eigen::Index>(reduced_.capacity)));
  Eigen::Map<Eigen::VectorXd> z(z_.data(), m);
  z = -Eigen::Map<const Eigen::VectorXd>(reduced_.gradient.data(), m);
  l.triangularView<Eigen::Lower>().solveInPlace(z);
  l.triangularView<Eigen::Lower>().transpose().solveInPlace(z);
  if (!z.allFinite()) return false;
  basis.combine(z_, direction_);
  return true;
}

SubspaceSearch::Outcome SubspaceSearch::minimize(const Objective& f, const Basis& basis, Point& x, double value,
                                                 double goal) {
  double before = std::numeric_limits<double>::infinity();
  basis.coordinates(x, reduced_.coordinates);
  for (int k = 0; k < most_steps; ++k) {
    if (!f.reduce(basis, x, reduced_)) return {value, true, false};
    const std::span<const double> gradient = std::span<const double>(reduced_.gradient).first(basis.size());
    const double length = norm(gradient);
    if (!std::isfinite(reduced_.value)) return {value, false, true};
    if (length <= goal) break;
    // A step with an old Hessian that brought little: the next one has a Hessian of its own.
    const bool slow = length > slow_step * before;
    before = length;
    if (slow && reduced_.is_old) {
      reduced_.refresh = true;
      f.reduce(basis, x, reduced_);
    }
    if (!newton_direction(basis)) {
      forget(0);
      break;
    }
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
    for (std::size_t i = 0; i < basis.size(); ++i) reduced_.coordinates[i] += step.t * z_[i];
    x.hint = line_.hint;
    value = step.at.value;
    if (!gained) break;
  }
  return {value, true, true};
}

}  // namespace geodescent
