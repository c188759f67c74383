#include "learn/softmax/softmax_intercepts.hpp"

#include <cmath>
#include <limits>

namespace geodescent {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int most_evaluations = 200;

/// sum += the rows, of n numbers each.
void add_rows(const double* rows, std::size_t count, std::size_t n, double* sum) {
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t k = 0; k < n; ++k) sum[k] += rows[r * n + k];
}

}  // namespace

double largest_size(std::span<const double> x) {
  double largest = 0;
  for (const double e : x) largest = std::max(largest, std::abs(e));
  return largest;
}

SoftmaxSums::SoftmaxSums(const SoftmaxProblem& risk)
    : risk_(risk),
      classes_(risk.classes),
      sums_(4 + (risk.free_intercepts ? classes_ * (classes_ + 2) : 0)),
      scratch_(softmax_scratch(risk, sums_.size())),
      blocks_(risk.rows.here(softmax_blocks(risk))),
      panel_size_(dense_gram_scratch(classes_)),
      panels_(risk.free_intercepts ? blocks_.count * panel_size_ : 0) {}

// The sum of the outer products of probabilities, in the Hessian, is a Gram matrix of the rows of a
// chunk.
void SoftmaxSums::evaluate(const SoftmaxImages& at) {
  const std::size_t n = classes_;
  const Kernels& kernel = kernels();
  RowSums total(risk_.rows);
  sum_softmax(risk_, total, sums_, scratch_, [&](SoftmaxChunk& rows, double* sums) {
    rows.evaluate(at, true);
    sums[0] += rows.total_value();
    if (!at.d && !risk_.free_intercepts) return;
    double *const gradient = sums + 4, *const border = gradient + n, *const hessian = border + n;
    const double* const c = rows.weights();
    alignas(64) std::array<double, SoftmaxChunk::most_entries> p, scratch;
    if (at.d) {
      const double* const d = at.d + rows.begin * n;
      kernel.multiply(scratch.data(), rows.slope(), c, rows.entries);
      sums[1] += kernel.dot(scratch.data(), d, rows.entries);
    }
    for (std::size_t r = 0; r < rows.count; ++r) rows.curvatures(r, 1, p.data() + r * n);
    if (at.d) {
      for (std::size_t r = 0; r < rows.count; ++r) {
        const double* const d = at.d + (rows.begin + r) * n;
        const double mean = kernel.dot(p.data() + r * n, d, n) / rows.weight(r);
        for (std::size_t k = 0; k < n; ++k) scratch[r * n + k] = d[k] - mean;
      }
      alignas(64) std::array<double, SoftmaxChunk::most_entries> bent;
      kernel.multiply(bent.data(), p.data(), scratch.data(), rows.entries);
      sums[2] += kernel.dot(bent.data(), scratch.data(), rows.entries);
      if (risk_.free_intercepts) add_rows(bent.data(), rows.count, n, border);
    }
    if (!risk_.free_intercepts) return;
    kernel.multiply(scratch.data(), rows.slope(), c, rows.entries);
    add_rows(scratch.data(), rows.count, n, gradient);
    for (std::size_t r = 0; r < rows.count; ++r) {
      sums[3] += 2 * rows.weight(r) * rows.missing(r);
      scratch[r] = -1 / rows.weight(r);
      for (std::size_t k = 0; k < n; ++k) hessian[k * (n + 1)] += p[r * n + k];
    }
    kernel.dense_double.gram({p.data(), n, 1, 0}, rows.count, n, scratch.data(), hessian,
                             panels_.data() + blocks_.index(rows.begin) * panel_size_);
  });
  total.exchange();
}

double SoftmaxSums::residual() const {
  double sum = 0;
  for (const double g : gradient()) sum += std::abs(g);
  return sum;
}

SoftmaxIntercepts::SoftmaxIntercepts(const SoftmaxProblem& risk, std::span<const double> expected)
    : sums_(risk),
      cholesky_(risk.classes),
      factor_(risk.classes * risk.classes),
      b_(expected.begin(), expected.end()),
      before_(b_),
      step_(b_),
      slope_(b_.size()),
      reached_(b_) {}

void SoftmaxIntercepts::restart(std::span<const double> b) {
  for (std::size_t k = 0; k < b_.size(); ++k) b_[k] = b.empty() ? 0 : b[k];
  found();
}

void SoftmaxIntercepts::predict(const Line& line, double t) {
  if (line_ != &line || setting_ != line.setting()) return;
  for (std::size_t k = 0; k < b_.size(); ++k) b_[k] += (t - t_) * slope_[k];
  t_ = t;
}

void SoftmaxIntercepts::follow(const Line& line, double t, std::span<const double> slope) {
  std::copy(slope.begin(), slope.end(), slope_.begin());
  line_ = &line;
  setting_ = line.setting();
  t_ = t;
}

/// Nothing changes along (1, ..., 1), which gets a curvature of its own.
bool SoftmaxIntercepts::factorize(double ridge) {
  const std::size_t n = b_.size();
  std::copy(sums_.hessian().begin(), sums_.hessian().end(), factor_.begin());
  double trace = 0;
  for (std::size_t k = 0; k < n; ++k) trace += factor_[k * n + k];
  for (double& e : factor_) e += trace / static_cast<double>(n * n);
  for (std::size_t k = 0; k < n; ++k) factor_[k * n + k] += ridge;
  return trace + ridge > 0 && cholesky_.factorize(factor_.data(), n, n);
}

bool SoftmaxIntercepts::solve(std::span<double> x, double ridge) {
  if (!factorize(ridge)) return false;
  solve_lower(factor_.data(), x.size(), x.size(), x.data());
  solve_lower_transposed(factor_.data(), x.size(), x.size(), x.data());
  return std::isfinite(largest_size(x));
}

void SoftmaxIntercepts::move(std::span<const double> step) {
  for (std::size_t k = 0; k < b_.size(); ++k) b_[k] += step[k];
}

// Newton's steps with a ridge that vanishes with the derivatives (Levenberg, 1944). It keeps a step
// from being longer than a stride, which grows: where predictions are far apart f is almost
// piecewise linear, with no curvature between its kinks. Where f has risen a step is halved.
bool SoftmaxIntercepts::descend(SoftmaxImages at, double tolerance) {
  constexpr double hopeless = 1e-13;  // from here on rounding may keep the derivatives from falling
  constexpr double small = 1e-10;     // beyond this, rounding does not explain larger ones
  at.b = b_.data();
  double stride = 1, value = std::numeric_limits<double>::infinity(), residual = value;
  bool moved = true;  // since the last evaluation
  for (int count = 0; moved && count < most_evaluations; ++count) {
    sums_.evaluate(at);
    moved = false;
    const double now = sums_.residual();
    if (!(now > tolerance * sums_.magnitude()) || !std::isfinite(now)) break;
    if (now <= hopeless * sums_.magnitude() && now > 0.5 * residual) break;
    if (sums_.value() > value * (1 + 16 * epsilon)) {
      for (std::size_t k = 0; k < b_.size(); ++k) b_[k] = before_[k] + 0.5 * (b_[k] - before_[k]);
      stride /= 8;
      moved = true;
      continue;
    }
    value = sums_.value();
    residual = now;
    before_ = b_;
    std::copy(sums_.gradient().begin(), sums_.gradient().end(), step_.begin());
    double trace = 0;
    for (std::size_t k = 0; k < b_.size(); ++k) trace += sums_.hessian()[k * (b_.size() + 1)];
    const double to_rounding = static_cast<double>(b_.size()) * 4 * epsilon * trace;
    if (!solve(step_, std::max(largest_size(step_) / stride, to_rounding))) break;
    const double length = largest_size(step_), factor = length > stride ? stride / length : 1;
    stride *= 4;
    for (std::size_t k = 0; k < b_.size(); ++k) b_[k] -= factor * step_[k];
    moved = b_ != before_;
  }
  if (moved) sums_.evaluate(at);
  return sums_.residual() <= std::max(tolerance, small) * sums_.magnitude();
}

const SoftmaxSums& SoftmaxIntercepts::search(SoftmaxImages at, double tolerance) {
  if (!descend(at, tolerance)) {
    b_ = reached_;
    if (!descend(at, tolerance)) return sums_;
  }
  reached_ = b_;
  return sums_;
}

}  // namespace geodescent
