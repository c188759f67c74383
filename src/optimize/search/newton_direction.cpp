#include "optimize/search/newton_direction.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

namespace geodescent {
namespace {

constexpr double least_damping = 1e-4;
constexpr double damping_factor = 4;
constexpr double small_part = 0.25, large_part = 0.75;

}  // namespace

bool NewtonDirection::at(const Point& x, std::span<const double> g, std::span<double> d) {
  f_->hessian_at(x, width_, hessian_);
  const auto n = static_cast<Eigen::Index>(g.size());
  Eigen::Map<Eigen::MatrixXd> h(hessian_.matrix.data(), n, n);
  if (damping_ > 0) h.diagonal().array() += damping_ * h.diagonal().mean();
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(h);  // in place
  if (factor.info() != Eigen::Success) return false;
  Eigen::Map<Eigen::VectorXd> direction(d.data(), n);
  direction = -Eigen::Map<const Eigen::VectorXd>(g.data(), n);
  factor.solveInPlace(direction);
  return direction.allFinite();
}

void NewtonDirection::learn(double part, const Line& line, double t) {
  width_ = f_->image_change(line, t);
  if (part < small_part) damping_ = std::max(damping_factor * damping_, least_damping);
  if (part > large_part) damping_ = damping_ > least_damping / 100 ? damping_ / damping_factor : 0;
}

}  // namespace geodescent
