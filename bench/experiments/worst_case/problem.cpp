#include "experiments/worst_case/problem.hpp"

#include <cmath>
#include <numbers>

namespace geodescent::lab {

WorstCaseProblem::WorstCaseProblem(std::size_t n, double beta)
    : beta_(beta), function_(worst_case(n, beta)), solution_(n) {
  solve();
  certify();
  start_ = energy([&](std::size_t i) { return -solution_[i]; });
  find_best_possible();
}

double WorstCaseProblem::smallest_eigenvalue() const {
  return 1 + 2 * beta_ * (1 - std::cos(std::numbers::pi / static_cast<double>(dimension() + 1)));
}

/// Eliminates from the last row up, then substitutes down. Only the first entry of the right side,
/// beta, is not 0.
void WorstCaseProblem::solve() {
  const std::size_t n = dimension();
  const long double beta = beta_;
  std::vector<long double> pivot(n, 2 * beta + 1);
  for (std::size_t i = n - 1; i-- > 0;) pivot[i] -= beta * beta / pivot[i + 1];
  solution_[0] = beta / pivot[0];
  for (std::size_t i = 1; i < n; ++i) solution_[i] = beta * solution_[i - 1] / pivot[i];
}

void WorstCaseProblem::certify() {
  const std::size_t n = dimension();
  const long double beta = beta_;
  const auto x = [&](std::size_t i) {
    return i == 0 ? 1.0L : i > n ? 0.0L : solution_[i - 1];
  };  // x_0 = 1, x_{n+1} = 0
  for (std::size_t i = 1; i <= n; ++i) {
    const long double g = beta * (x(i) - x(i - 1)) + beta * (x(i) - x(i + 1)) + x(i);
    proven_error_ += g * g / 2;
    minimum_ += x(i) * x(i) / 2;
  }
  for (std::size_t i = 0; i <= n; ++i) minimum_ += beta / 2 * (x(i) - x(i + 1)) * (x(i) - x(i + 1));
}

template <class Error>
long double WorstCaseProblem::energy(const Error& e) const {
  const long double beta = beta_;
  long double sum = 0;
  long double before = 0;
  for (std::size_t i = 0; i < dimension(); ++i) {
    const long double here = e(i);
    sum += beta * (here - before) * (here - before) + here * here;
    before = here;
  }
  return (sum + beta * before * before) / 2;
}

double WorstCaseProblem::accuracy(const Vector& x) const {
  return static_cast<double>(energy([&](std::size_t i) { return x[i] - solution_[i]; }) / start_);
}

/// The minimum in dimension k is beta/2 (1 - x_1) with x_1 = beta/p_k, where p_k is the last pivot
/// of the elimination: p_1 = 2 beta + 1, p_{k+1} = p_1 - beta^2/p_k. The differences of pivots are
/// computed by their own recursion, p_k - p_{k+1} = beta^2 (p_{k-1} - p_k)/(p_{k-1} p_k), without
/// cancellation.
void WorstCaseProblem::find_best_possible() {
  const std::size_t n = dimension();
  const long double beta = beta_;
  const long double first = 2 * beta + 1;
  std::vector<long double> gain(n, beta / first);  // the change of x_1 from dimension k to k + 1
  long double pivot = first;
  long double fall = beta * beta / first;
  for (std::size_t k = 1; k < n; ++k) {
    const long double next = pivot - fall;
    gain[k] = beta * fall / (pivot * next);
    fall *= beta * beta / (pivot * next);
    pivot = next;
  }
  best_.assign(n + 1, 0);
  long double missing = 0;
  for (std::size_t k = n; k-- > 0;) {
    missing += gain[k];
    best_[k] = static_cast<double>(missing / solution_[0]);
  }
}

}  // namespace geodescent::lab
