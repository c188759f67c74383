#include "support/reference/quad_risk.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace geodescent::testing {
namespace {

template <class T>
struct Terms {
  T value, slope, curvature;
};

/// The losses, written from their piecewise definitions.
template <class T>
Terms<T> loss_at(const Risk& risk, T z, double y) {
  const T r = z - y;
  const T d = static_cast<T>(risk.loss_parameter);
  if (risk.loss == "squared") return {r * r / 2, r, 1};
  if (risk.loss == "huber") {
    if (r > d) return {d * (r - d / 2), d, 0};
    if (r < -d) return {d * (-r - d / 2), -d, 0};
    return {r * r / 2, r, 1};
  }
  if (risk.loss == "squared-hinge") {
    if (z >= 1) return {0, 0, 0};
    return {(1 - z) * (1 - z) / 2, z - 1, 1};
  }
  if (risk.loss == "smoothed-hinge") {
    if (z >= 1) return {0, 0, 0};
    if (z <= 0) return {T(0.5) - z, -1, 0};
    return {(1 - z) * (1 - z) / 2, z - 1, 1};
  }
  if (risk.loss != "logistic") throw std::invalid_argument("no such loss: " + risk.loss);
  const T e = exponential(-absolute(z));
  const T p = z < 0 ? 1 / (1 + e) : e / (1 + e);
  return {logarithm_of_one_plus(e) + (z < 0 ? -z : T(0)), -p, p * (1 - p)};
}

/// c phi*(v / c).
Quad weighted_conjugate(const Risk& risk, Quad v, Quad c, double y) {
  if (risk.loss == "squared" || risk.loss == "huber") return v * y + v * v / (2 * c);
  if (risk.loss != "logistic") return v + v * v / (2 * c);
  const Quad p = -v / c, q = (c + v) / c;
  return c * ((p > 0 ? p * logarithm(p) : Quad(0)) + (q > 0 ? q * logarithm_of_one_plus(-p) : Quad(0)));
}

/// Solves the symmetric system m x = b by elimination with pivots on the diagonal. A pivot that is
/// only rounding leaves its variable unchanged.
template <class T>
std::vector<T> solve(std::vector<T> m, std::vector<T> b, T rounding) {
  const std::size_t n = b.size();
  std::vector<T> largest(n);
  for (std::size_t i = 0; i < n; ++i) largest[i] = absolute(m[i * n + i]);
  for (std::size_t k = 0; k < n; ++k) {
    const T pivot = m[k * n + k];
    if (!(pivot > largest[k] * rounding)) continue;
    for (std::size_t i = k + 1; i < n; ++i) {
      const T factor = m[i * n + k] / pivot;
      for (std::size_t j = k; j < n; ++j) m[i * n + j] -= factor * m[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  std::vector<T> x(n, T(0));
  for (std::size_t k = n; k-- > 0;) {
    if (!(m[k * n + k] > largest[k] * rounding)) continue;
    T sum = b[k];
    for (std::size_t j = k + 1; j < n; ++j) sum -= m[k * n + j] * x[j];
    x[k] = sum / m[k * n + k];
  }
  return x;
}

}  // namespace

/// The risk, evaluated in 113 bits.
class QuadNewton {
 public:
  explicit QuadNewton(const QuadRisk& risk) : r_(risk), n_(risk.variables()) {}

  template <class T>
  struct State {
    T value;
    std::vector<T> gradient;
    std::vector<T> hessian;
  };

  template <class T>
  State<T> at(const std::vector<T>& x, bool derivatives) const {
    State<T> s{0, std::vector<T>(n_, T(0)), std::vector<T>(derivatives ? n_ * n_ : 0, T(0))};
    for (std::size_t i = 0; i < r_.rows_; ++i) {
      const double* const row = r_.entries_.data() + i * n_;
      T z = 0;
      for (std::size_t j = 0; j < n_; ++j) z += x[j] * row[j];
      const Terms<T> loss = loss_at<T>(r_.risk_, r_.signs_[i] * z, r_.targets_[i]);
      const T share = r_.weights_[i] / static_cast<T>(r_.total_weight_);
      s.value += share * loss.value;
      if (!derivatives) continue;
      for (std::size_t j = 0; j < n_; ++j) {
        s.gradient[j] += share * loss.slope * r_.signs_[i] * row[j];
        for (std::size_t k = 0; k < n_; ++k) s.hessian[j * n_ + k] += share * loss.curvature * row[j] * row[k];
      }
    }
    for (std::size_t j = 0; j < r_.columns_; ++j) {
      s.value += r_.risk_.l2 * x[j] * x[j] / 2;
      s.gradient[j] += r_.risk_.l2 * x[j];
      if (derivatives) s.hessian[j * n_ + j] += r_.risk_.l2;
    }
    return s;
  }

  /// Newton's method with step halving. Ends when no step decreases f.
  template <class T>
  void descend(std::vector<T>& x, int steps, T rounding) const {
    for (int step = 0; step < steps; ++step) {
      const State<T> here = at(x, true);
      const std::vector<T> direction = solve(here.hessian, here.gradient, rounding);
      T t = 1;
      std::vector<T> next(n_);
      for (int halvings = 0;; ++halvings, t /= 2) {
        if (halvings == 40) return;
        for (std::size_t j = 0; j < n_; ++j) next[j] = x[j] - t * direction[j];
        if (at(next, false).value < here.value) break;
      }
      x = next;
    }
  }

 private:
  const QuadRisk& r_;
  std::size_t n_;
};

QuadRisk::QuadRisk(const Dataset& data, const Risk& risk)
    : risk_(risk),
      classes_(risk.loss != "squared" && risk.loss != "huber"),
      rows_(data.targets.size()),
      columns_(data.rows->columns()),
      targets_(data.targets) {
  const double positive = *std::max_element(targets_.begin(), targets_.end());
  entries_.assign(rows_ * variables(), 0);
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  for (std::size_t i = 0; i < rows_; ++i) {
    data.rows->copy_row(i, indices, values);
    for (std::size_t k = 0; k < indices.size(); ++k) entries_[i * variables() + indices[k]] = values[k];
    if (risk.bias == Bias::free) entries_[i * variables() + columns_] = 1;
    signs_.push_back(classes_ && targets_[i] != positive ? -1 : 1);
    weights_.push_back(data.weights.empty() ? 1 : data.weights[i]);
    total_weight_ += weights_.back();
  }
  minimise();
}

void QuadRisk::minimise() {
  const QuadNewton newton(*this);
  std::vector<long double> start(variables(), 0);
  newton.descend<long double>(start, 200, 1e-15L);
  point_.assign(start.begin(), start.end());
  newton.descend<Quad>(point_, 20, 1e-28L);
  const auto state = newton.at<Quad>(point_, true);
  minimum_ = state.value;
  Quad square = 0;
  for (const Quad g : state.gradient) square += g * g;
  residual_ = square_root(square / risk_.l2);
}

Quad QuadRisk::value(const LinearModel& model) const {
  std::vector<Quad> x(model.weights.begin(), model.weights.end());
  if (risk_.bias == Bias::regularized) x.push_back(model.bias_weight());
  if (risk_.bias == Bias::free) x.push_back(Quad(risk_.constant) * model.bias_weight());
  return QuadNewton(*this).at<Quad>(x, false).value;
}

Quad QuadRisk::value_magnitude(const LinearModel& model) const {
  std::vector<Quad> x(model.weights.begin(), model.weights.end());
  if (risk_.bias != Bias::none)
    x.push_back(Quad(model.bias_weight()) * (risk_.bias == Bias::free ? risk_.constant : 1));
  Quad sum = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    Quad z = 0, size = 1 + absolute(Quad(targets_[i]));
    for (std::size_t j = 0; j < variables(); ++j) {
      z += x[j] * entries_[i * variables() + j];
      size += absolute(x[j] * entries_[i * variables() + j]);
    }
    const Terms<Quad> loss = loss_at<Quad>(risk_, signs_[i] * z, targets_[i]);
    sum += weights_[i] * (loss.value + absolute(loss.slope) * size);
  }
  return sum / total_weight_;
}

LinearModel QuadRisk::minimiser() const {
  LinearModel model;
  model.risk = risk_;
  for (const Quad x : point_) model.weights.push_back(static_cast<double>(x));
  if (risk_.bias == Bias::none) return model;
  model.bias_weights = {model.weights.back() / (risk_.bias == Bias::free ? risk_.constant : 1)};
  model.weights.pop_back();
  return model;
}

namespace {

Quad dual_step(const DualPoint& dual, std::size_t i) { return Quad(dual.steps[i]) * std::ldexp(1.0L, dual.exponent); }

}  // namespace

Quad QuadRisk::dual_value(const DualPoint& dual) const {
  Quad conjugates = 0;
  std::vector<Quad> sums(columns_, Quad(0));
  for (std::size_t i = 0; i < rows_; ++i) {
    const Quad v = dual_step(dual, i);
    conjugates += weighted_conjugate(risk_, v, weights_[i], targets_[i]);
    for (std::size_t j = 0; j < columns_; ++j) sums[j] += v * signs_[i] * entries_[i * variables() + j];
  }
  Quad squares = 0;
  for (const Quad sum : sums) squares += sum * sum;
  return -conjugates / total_weight_ - squares / (2 * Quad(risk_.l2) * total_weight_ * total_weight_);
}

Quad QuadRisk::dual_magnitude(const DualPoint& dual) const {
  Quad conjugates = 0;
  std::vector<Quad> sums(columns_, Quad(0)), sizes(columns_, Quad(0));
  for (std::size_t i = 0; i < rows_; ++i) {
    const Quad v = dual_step(dual, i);
    conjugates += absolute(v * (classes_ ? 1 : targets_[i])) + v * v / weights_[i];
    conjugates += absolute(weighted_conjugate(risk_, v, weights_[i], targets_[i]));
    for (std::size_t j = 0; j < columns_; ++j) {
      const Quad term = v * signs_[i] * entries_[i * variables() + j];
      sums[j] += term;
      sizes[j] += absolute(term);
    }
  }
  Quad squares = 0;
  for (std::size_t j = 0; j < columns_; ++j) squares += absolute(sums[j]) * sizes[j];
  return conjugates / total_weight_ + squares / (Quad(risk_.l2) * total_weight_ * total_weight_);
}

}  // namespace geodescent::testing
