#include "experiments/functions/reference.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace geodescent::lab {
namespace {

using Real = long double;
using RealVector = std::vector<Real>;

constexpr Real unit = std::numeric_limits<Real>::epsilon();

bool finite(const RealVector& v) {
  return std::ranges::all_of(v, [](Real e) { return std::isfinite(e); });
}

/// Newton's method with point, value and gradient in long double. The Hessian and the steps are
/// double, which costs a few iterations but no digit of the result.
class Newton {
 public:
  explicit Newton(const TestProblem& problem)
      : f_(problem.evaluate_precisely), n_(index(problem.dimension())), at_(place(problem.start)) {}

  Real value() const { return at_.value; }
  Real gradient_norm() const {
    Real sum = 0;
    for (const Real v : at_.gradient) sum += v * v;
    return std::sqrt(sum);
  }
  /// The decrease that the quadratic model predicted for a full last step.
  Real promised() const { return promised_; }

  /// Returns false if the value cannot be lowered further.
  bool step() {
    find_hessian();
    // Where the curvature changes fast, no part of the Newton step may decrease f. The direction is
    // then turned towards the gradient.
    for (double added = least_added; added < 1e20; added *= 100)
      if (go(newton_direction(added))) return true;
    return false;
  }

  /// The smallest and the largest eigenvalue of the Hessian used by the last step.
  std::pair<double, double> curvatures() const {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(hessian_, Eigen::EigenvaluesOnly);
    return {solver.eigenvalues().minCoeff(), solver.eigenvalues().maxCoeff()};
  }

 private:
  struct Place {
    RealVector x;
    RealVector gradient;
    Real value;
  };

  static Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }
  static std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

  template <class Numbers>
  Place place(const Numbers& x) const {
    Place p{RealVector(x.begin(), x.end()), RealVector(x.size()), 0};
    p.value = f_(p.x, p.gradient);
    return p;
  }

  /// Central differences, with a width that stays in the domain.
  void find_hessian() {
    Eigen::MatrixXd h(n_, n_);
    for (Eigen::Index j = 0; j < n_; ++j) {
      Real width = std::cbrt(unit) * std::max(Real{1}, std::abs(at_.x[at(j)]));
      Place above = moved(j, width), below = moved(j, -width);
      while (!finite(above.gradient) || !finite(below.gradient)) {
        width /= 16;
        above = moved(j, width), below = moved(j, -width);
      }
      const Real distance = above.x[at(j)] - below.x[at(j)];
      for (Eigen::Index i = 0; i < n_; ++i)
        h(i, j) = static_cast<double>((above.gradient[at(i)] - below.gradient[at(i)]) / distance);
    }
    hessian_ = (h + h.transpose()) / 2;
  }

  Place moved(Eigen::Index j, Real width) const {
    RealVector x = at_.x;
    x[at(j)] += width;
    return place(x);
  }

  /// -H^-1 g with the variables scaled to unit curvature and `added` on the diagonal. `added` is
  /// increased until the matrix is positive definite.
  Eigen::VectorXd newton_direction(double& added) const {
    const double largest = hessian_.diagonal().maxCoeff();
    const Eigen::VectorXd scale =
        hessian_.diagonal().cwiseMax(1e-10 * largest).cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd h = scale.asDiagonal() * hessian_ * scale.asDiagonal();
    Eigen::VectorXd g(n_);
    for (Eigen::Index j = 0; j < n_; ++j) g[j] = static_cast<double>(at_.gradient[at(j)]) * scale[j];
    for (;; added *= 10) {
      const Eigen::LLT<Eigen::MatrixXd> factors(h + added * Eigen::MatrixXd::Identity(n_, n_));
      if (factors.info() == Eigen::Success) return -scale.cwiseProduct(factors.solve(g));
    }
  }

  /// Halves the step until f decreases by a tenth of the predicted decrease. At the rounding limit
  /// any decrease is accepted.
  bool go(const Eigen::VectorXd& direction) {
    promised_ = 0;
    for (Eigen::Index j = 0; j < n_; ++j) promised_ -= at_.gradient[at(j)] * direction[j] / 2;
    for (Real t = 1; t > 1e-3L; t /= 2) {
      RealVector x = at_.x;
      for (Eigen::Index j = 0; j < n_; ++j) x[at(j)] += t * direction[j];
      Place tried = place(x);
      if (!(tried.value < at_.value - t * promised_ / 10) && !(t == 1 && tried.value < at_.value)) continue;
      at_ = std::move(tried);
      return true;
    }
    return false;
  }

  static constexpr double least_added = 1e-13;

  const decltype(TestProblem::evaluate_precisely)& f_;
  Eigen::Index n_;
  Place at_;
  Eigen::MatrixXd hessian_;
  Real promised_ = 0;
};

}  // namespace

FunctionReference::FunctionReference(const TestProblem& problem, const std::function<bool()>& cancelled)
    : problem_(&problem) {
  constexpr std::uint64_t most_iterations = 500;
  Newton newton(problem);
  start_value_ = newton.value();
  while (iterations_ < most_iterations && !(cancelled && cancelled()) && newton.step()) {
    ++iterations_;
    if (newton.promised() <= unit * unit * (start_value_ - newton.value())) break;
  }
  minimum_ = newton.value();
  error_ = newton.promised() + 16 * unit * std::abs(minimum_);
  gradient_norm_ = newton.gradient_norm();
  std::tie(least_curvature_, largest_curvature_) = newton.curvatures();
}

double FunctionReference::accuracy(std::span<const double> x) const {
  const RealVector precise(x.begin(), x.end());
  RealVector ignored(x.size());
  const Real value = problem_->evaluate_precisely(precise, ignored);
  return static_cast<double>((value - minimum_) / (start_value_ - minimum_));
}

}  // namespace geodescent::lab
