// The dual values of multinomial logistic regression at a model. Nothing is proven here: a proof
// uses only the dual point that they are rounded to.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "certificate/numbers/elementary.hpp"
#include "certificate/rows/row_sums.hpp"
#include "certificate/softmax/softmax.hpp"
#include "geodescent/error.hpp"

namespace geodescent::proof {
namespace {

/// p = softmax(z + shift); returns log sum_k exp(z_k + shift_k).
double probabilities(std::span<const double> z, std::span<const double> shift, std::span<double> p) {
  double top = -std::numeric_limits<double>::infinity(), sum = 0;
  for (std::size_t k = 0; k < z.size(); ++k) top = std::max(top, p[k] = z[k] + shift[k]);
  for (double& e : p) sum += e = exp(e - top);
  for (double& e : p) e /= sum;
  return top + log(sum);
}

/// x = (A + e e' size / n)^-1 x for a symmetric A that may be singular along e = (1, ..., 1), by
/// Cholesky's factors, which replace A. `size` is that of the diagonal. False where A is not
/// positive definite otherwise.
bool solve(std::vector<double>& a, std::span<double> x) {
  const std::size_t n = x.size();
  double size = 0;
  for (std::size_t k = 0; k < n; ++k) size += a[k * n + k] / static_cast<double>(n);
  for (double& e : a) e += size / static_cast<double>(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      double sum = a[k * n + l];
      for (std::size_t m = 0; m < l; ++m) sum -= a[k * n + m] * a[l * n + m];
      if (k == l && !(sum > 1e-14 * size)) return false;
      a[k * n + l] = k == l ? std::sqrt(sum) : sum / a[l * n + l];
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t l = 0; l < k; ++l) x[k] -= a[k * n + l] * x[l];
    x[k] /= a[k * n + k];
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t l = k + 1; l < n; ++l) x[k] -= a[l * n + k] * x[l];
    x[k] /= a[k * n + k];
  }
  return true;
}

/// The sum of the losses as a function of what is added to all predictions of a class.
class InterceptSums {
 public:
  InterceptSums(const SoftmaxProblem& problem, std::span<const double> z)
      : problem_(problem), z_(z), gradient(problem.classes()), hessian(gradient.size() * gradient.size()) {}

  void evaluate(std::span<const double> shift) {
    const std::size_t n = gradient.size();
    const std::size_t size_of_block = 2 + n + n * n;
    const AllRows& rows = problem_.all_rows();
    const auto body = [&](std::size_t begin, std::size_t end, std::span<double> sums) {
      Vector p(n);
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t y = problem_.class_of(i);
        const double c = problem_.weight(i);
        const std::span<const double> z = z_.subspan(i * n, n);
        sums[0] += c * (probabilities(z, shift, p) - z[y] - shift[y]);
        sums[1] += 2 * c * (1 - p[y]);
        for (std::size_t k = 0; k < n; ++k) {
          sums[2 + k] += c * (p[k] - (k == y ? 1 : 0));
          double* const row = sums.data() + 2 + n + k * n;
          row[k] += c * p[k];
          for (std::size_t l = 0; l <= k; ++l) row[l] -= c * p[k] * p[l];
        }
      }
    };
    std::vector<double> sums = rows.added_to_blocks(class_slope_blocks(rows.size()), size_of_block, body);
    for (std::size_t s = size_of_block; s < sums.size(); ++s) sums[s % size_of_block] += sums[s];
    value = sums[0];
    size = sums[1];
    std::copy_n(sums.begin() + 2, n, gradient.begin());
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t l = 0; l < n; ++l) hessian[k * n + l] = sums[2 + n + std::max(k, l) * n + std::min(k, l)];
  }

 private:
  const SoftmaxProblem& problem_;
  std::span<const double> z_;

 public:
  double value = 0, size = 0;  ///< size: of what was added up for the gradient
  Vector gradient, hessian;
};

/// The number to add to the predictions of each class, by Newton's method with halved steps.
Vector best_shift(const SoftmaxProblem& problem, std::span<const double> z) {
  constexpr int most_steps = 60;
  constexpr double enough = 1e-15;
  Vector shift(problem.classes());
  InterceptSums at(problem, z);
  at.evaluate(shift);
  for (int count = 0; count < most_steps; ++count) {
    double residual = 0;
    for (const double g : at.gradient) residual += std::abs(g);
    if (!(residual > enough * at.size)) break;
    Vector step = at.gradient;
    if (!solve(at.hessian, step)) break;
    const Vector before = shift;
    const double value = at.value;
    double part = 1;
    for (; part > 1e-6; part /= 2) {
      for (std::size_t k = 0; k < shift.size(); ++k) shift[k] = before[k] - part * step[k];
      at.evaluate(shift);
      if (at.value <= value) break;
    }
    if (part > 1e-6) continue;
    shift = before;
    break;
  }
  return shift;
}

}  // namespace

std::vector<ClassRows> classes_of(const Dataset& data) {
  std::vector<ClassRows> classes = class_rows(data);
  if (classes.size() >= 2) return classes;
  throw InputError(fmt::format("{}: all rows have the same label; there must be at least two classes", data.name));
}

Vector slopes_at(const SoftmaxProblem& problem, const LinearModel& model) {
  const SoftmaxPredictor predict(problem, coefficients_of(model), intercepts_of(model));
  const std::size_t classes = problem.classes();
  Vector all(problem.rows() * classes);
  constexpr std::size_t rows_of_block = 2048;
  problem.all_rows().for_rows_here(rows_of_block, [&](std::size_t begin, std::size_t end) {
    predict(begin, end, [&](std::size_t i, std::span<const Approximation> z) {
      for (std::size_t k = 0; k < classes; ++k) all[i * classes + k] = z[k].value;
    });
  });
  const Vector shift = problem.risk().bias == Bias::free ? best_shift(problem, all) : Vector(classes);
  problem.all_rows().for_rows_here(rows_of_block, [&](std::size_t begin, std::size_t end) {
    Vector z(classes);
    for (std::size_t i = begin; i < end; ++i) {
      const std::span<double> row = std::span(all).subspan(i * classes, classes);
      std::ranges::copy(row, z.begin());
      probabilities(z, shift, row);
      row[problem.class_of(i)] -= 1;
    }
  });
  return all;
}

}  // namespace geodescent::proof
