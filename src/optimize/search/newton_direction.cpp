#include "optimize/search/newton_direction.hpp"

#include <algorithm>
#include <cmath>

namespace geodescent {
namespace {

constexpr double least_damping = 1e-4;
constexpr double damping_factor = 4;
constexpr double small_part = 0.25, large_part = 0.75;

}  // namespace

void Hessian::intercepts_along(std::span<const double> d, std::span<double> change) const {
  std::fill(change.begin(), change.end(), 0.0);
  if (!has_intercepts) return;
  for (std::size_t j = 0; j < d.size(); ++j)
    for (std::size_t k = 0; k < outputs; ++k) change[k] -= d[j] * border[j * outputs + k];
  solve_lower_transposed(intercept_factor.data(), outputs, outputs, change.data());
}

bool NewtonDirection::at(const Point& x, std::span<const double> g, std::span<double> d) {
  f_->hessian_at(x, width_, hessian_);
  const std::size_t n = g.size();
  double* const h = hessian_.matrix.data();
  if (damping_ > 0) {
    double trace = 0;
    for (std::size_t i = 0; i < n; ++i) trace += h[i * n + i];
    for (std::size_t i = 0; i < n; ++i) h[i * n + i] += damping_ * trace / static_cast<double>(n);
  }
  if (!factorization_.factorize(h, n, n)) return false;
  for (std::size_t i = 0; i < n; ++i) d[i] = -g[i];
  solve(d);
  return std::all_of(d.begin(), d.end(), [](double x_i) { return std::isfinite(x_i); });
}

void NewtonDirection::solve(std::span<double> d) const {
  solve_lower(hessian_.matrix.data(), d.size(), d.size(), d.data());
  solve_lower_transposed(hessian_.matrix.data(), d.size(), d.size(), d.data());
}

void NewtonDirection::learn(double part, const Line& line, double t) {
  width_ = f_->image_change(line, t);
  if (part < small_part) damping_ = std::max(damping_factor * damping_, least_damping);
  if (part > large_part) damping_ = damping_ > least_damping / 100 ? damping_ / damping_factor : 0;
}

}  // namespace geodescent
