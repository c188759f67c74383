#include "comparison/reference.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

#include "geodescent/detail/row_loss.hpp"
#include "geodescent/optimize/minimize.hpp"

namespace geodescent::lab {
namespace {

using Real = long double;
using RealVector = std::vector<Real>;

constexpr std::size_t default_largest_newton = 4000;
constexpr double target_gap = 1e-13;

/// The rows of the data, multiplied by the signs of their classes, and the targets of the loss.
class Rows {
 public:
  Rows(const Dataset& data, Task task) : columns_(data.rows->columns()), offsets_{0} {
    const bool classes = task == Task::classification;
    const std::vector<std::int8_t> signs = classes ? signs_of_classes(data) : std::vector<std::int8_t>{};
    targets_ = classes ? Vector(data.rows->rows(), 1.0) : data.targets;
    for (std::size_t i = 0; i < data.rows->rows(); ++i) add_row(*data.rows, i, classes ? signs[i] : 1);
  }

  std::size_t rows() const { return offsets_.size() - 1; }
  std::size_t columns() const { return columns_; }
  double target(std::size_t i) const { return targets_[i]; }
  template <class Body>
  void for_each_entry(std::size_t row, Body&& body) const {
    for (std::size_t k = offsets_[row]; k < offsets_[row + 1]; ++k) body(indices_[k], values_[k]);
  }

 private:
  void add_row(const RowMatrix& matrix, std::size_t i, double sign) {
    matrix.copy_row(i, row_indices_, row_values_);
    indices_.insert(indices_.end(), row_indices_.begin(), row_indices_.end());
    for (const double v : row_values_) values_.push_back(sign * v);
    offsets_.push_back(values_.size());
  }

  std::size_t columns_;
  std::vector<std::size_t> offsets_;
  std::vector<std::uint32_t> indices_, row_indices_;
  Vector values_, row_values_;
  Vector targets_;
};

/// Low-dimensional coordinates of a space that contains the minimiser: all columns or, with fewer
/// rows than columns, an orthonormal basis of the row space.
class Coordinates {
 public:
  explicit Coordinates(const Rows& rows) : rows_(rows) {
    if (rows.columns() <= rows.rows()) return;
    Eigen::MatrixXd transposed = Eigen::MatrixXd::Zero(index(rows.columns()), index(rows.rows()));
    for (std::size_t i = 0; i < rows.rows(); ++i)
      rows.for_each_entry(i, [&](std::uint32_t j, double v) { transposed(index(j), index(i)) = v; });
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(transposed);
    basis_ = qr.householderQ() * Eigen::MatrixXd::Identity(transposed.rows(), transposed.cols());
    images_ = transposed.transpose() * basis_;
  }

  Eigen::Index count() const { return basis_.size() ? basis_.cols() : index(rows_.columns()); }

  Eigen::VectorXd of(const RealVector& x) const {
    Eigen::VectorXd in(index(x.size()));
    for (std::size_t j = 0; j < x.size(); ++j) in[index(j)] = static_cast<double>(x[j]);
    return basis_.size() ? Eigen::VectorXd(basis_.transpose() * in) : in;
  }
  Eigen::VectorXd vector(const Eigen::VectorXd& z) const { return basis_.size() ? Eigen::VectorXd(basis_ * z) : z; }

  /// lambda I + 1/n sum_i w_i a_i a_i'.
  Eigen::MatrixXd hessian(const Vector& weights, double lambda) const {
    const double n = static_cast<double>(rows_.rows());
    Eigen::MatrixXd h = lambda * Eigen::MatrixXd::Identity(count(), count());
    for (std::size_t i = 0; i < rows_.rows(); ++i) {
      if (weights[i] == 0) continue;
      const double w = weights[i] / n;
      if (basis_.size()) {
        h.selfadjointView<Eigen::Lower>().rankUpdate(images_.row(index(i)).transpose(), w);
        continue;
      }
      rows_.for_each_entry(i, [&](std::uint32_t j, double v) {
        rows_.for_each_entry(i, [&](std::uint32_t k, double u) {
          if (k >= j) h(index(k), index(j)) += w * v * u;
        });
      });
    }
    return h;
  }

 private:
  static Eigen::Index index(std::size_t i) { return static_cast<Eigen::Index>(i); }

  const Rows& rows_;
  Eigen::MatrixXd basis_;   // empty: the coordinates are the columns
  Eigen::MatrixXd images_;  // of the basis; one row for each row of the data
};

/// Newton's method on f, and at each point the dual bound of docs/explanations/method.md.
class Newton {
 public:
  Newton(const Rows& rows, const RowLoss& loss, double lambda)
      : rows_(rows),
        loss_(loss),
        lambda_(lambda),
        coordinates_(rows),
        n_(static_cast<Real>(rows.rows())),
        x_(rows.columns()),
        gradient_(rows.columns()),
        image_(rows.rows()),
        weights_(rows.rows()) {}

  ReferenceMinimum run(const std::function<bool()>& cancelled) {
    ReferenceMinimum best;
    best.solver = "newton";
    best.lower_bound = 0;  // losses are not negative
    evaluate();
    best.start_value = best.value = value_;
    int without_progress = 0;
    for (; best.iterations < 1000 && without_progress < 8; ++best.iterations) {
      if (cancelled && cancelled()) break;
      step();
      evaluate();
      // The bound may stay constant until the last step, so a lower value is progress, too.
      const bool better = value_ < best.value || lower_bound_ > best.lower_bound;
      best.value = std::min(best.value, value_);
      best.lower_bound = std::max(best.lower_bound, lower_bound_);
      if (best.relative_gap() <= target_gap) break;
      without_progress = better ? 0 : without_progress + 1;
    }
    return best;
  }

 private:
  static constexpr std::size_t block = 512;  // sums are this many roundings deep, because blocks are added separately

  template <class Term>
  Real mean(Term&& term) const {
    Real total = 0;
    for (std::size_t begin = 0; begin < rows_.rows(); begin += block) {
      Real part = 0;
      for (std::size_t i = begin; i < std::min(rows_.rows(), begin + block); ++i) part += term(i);
      total += part;
    }
    return total / n_;
  }

  Real product(std::size_t row, const RealVector& x) const {
    Real sum = 0;
    rows_.for_each_entry(row, [&](std::uint32_t j, double v) { sum += v * x[j]; });
    return sum;
  }

  /// Value, gradient and dual bound at x. The bounds on their rounding are included.
  void evaluate() {
    for (std::size_t i = 0; i < rows_.rows(); ++i) image_[i] = static_cast<double>(product(i, x_));
    std::fill(gradient_.begin(), gradient_.end(), Real{0});
    RealVector part(gradient_.size());
    Real losses = 0, conjugates = 0, magnitude = 0, slopes = 0;
    for (std::size_t begin = 0; begin < rows_.rows(); begin += block) {
      std::fill(part.begin(), part.end(), Real{0});
      for (std::size_t i = begin; i < std::min(rows_.rows(), begin + block); ++i) {
        const double y = rows_.target(i);
        const LossValue phi = loss_(image_[i], y);
        weights_[i] = phi.curvature;
        losses += phi.value;
        conjugates += loss_.conjugate(phi.slope, y);
        magnitude += phi.value + std::abs(phi.slope) * (1 + std::abs(image_[i]) + std::abs(y));
        Real row_sum = 0;
        rows_.for_each_entry(i, [&](std::uint32_t j, double v) {
          part[j] += static_cast<Real>(phi.slope) * v;
          row_sum += static_cast<Real>(v) * v;
        });
        slopes += std::abs(phi.slope) * std::sqrt(row_sum);
      }
      for (std::size_t j = 0; j < part.size(); ++j) gradient_[j] += part[j];
    }

    constexpr Real loss_unit = std::numeric_limits<double>::epsilon();
    constexpr Real unit = std::numeric_limits<Real>::epsilon();
    const Real depth = block + n_ / block + 8;
    Real dual_norm = 0, norm = 0;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      const Real a = gradient_[j] / n_;
      dual_norm += a * a;
      norm += x_[j] * x_[j];
      gradient_[j] = a + lambda_ * x_[j];
    }
    const Real slope_error = depth * unit * slopes / n_;
    const Real losses_error = (4 * loss_unit + depth * unit) * magnitude / n_;
    const Real size = static_cast<Real>(x_.size());
    value_ = static_cast<double>((losses / n_ + lambda_ / 2 * norm * (1 + size * unit) + losses_error) *
                                 (1 + 2 * loss_unit));
    const Real pull = std::sqrt(dual_norm * (1 + size * unit)) + slope_error;
    lower_bound_ = static_cast<double>((-conjugates / n_ - pull * pull / (2 * lambda_) - losses_error) -
                                       2 * loss_unit * std::abs(conjugates / n_));
  }

  /// Moves x to the minimum on the line along Newton's direction.
  void step() {
    const Eigen::MatrixXd h = coordinates_.hessian(weights_, lambda_);
    const Eigen::VectorXd z = h.selfadjointView<Eigen::Lower>().llt().solve(coordinates_.of(gradient_));
    const Eigen::VectorXd d = -coordinates_.vector(z);
    RealVector direction(d.data(), d.data() + d.size());
    Vector direction_image(rows_.rows());
    for (std::size_t i = 0; i < rows_.rows(); ++i) direction_image[i] = static_cast<double>(product(i, direction));
    const Real t = minimum_along(direction, direction_image);
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] += t * direction[j];
  }

  /// The root of the increasing derivative: bracketed, then found by bisection and secant steps.
  Real minimum_along(const RealVector& d, const Vector& image) const {
    Real xd = 0, dd = 0;
    for (std::size_t j = 0; j < d.size(); ++j) {
      xd += x_[j] * d[j];
      dd += d[j] * d[j];
    }
    const auto slope = [&](Real t) {
      return mean([&](std::size_t i) -> Real {
               return loss_(image_[i] + static_cast<double>(t) * image[i], rows_.target(i)).slope * image[i];
             }) +
             lambda_ * (xd + t * dd);
    };
    Real low = 0, high = 1, at_low = slope(0), at_high = slope(1);
    const Real small = 1e-9L * std::abs(at_low);
    // at the rounding limit, or at the minimum after a full step
    if (at_low >= 0 || std::abs(at_high) <= small) return 1;
    while (at_high < 0 && high < 1e30L) {
      low = high, at_low = at_high;
      at_high = slope(high *= 2);
    }
    for (int k = 0; k < 100 && high - low > 1e-15L * high; ++k) {
      const Real secant = low + (high - low) * at_low / (at_low - at_high);
      const Real t =
          k % 2 ? (low + high) / 2 : std::clamp(secant, low + 0.01L * (high - low), high - 0.01L * (high - low));
      const Real at = slope(t);
      if (std::abs(at) <= small) return t;
      (at < 0 ? low : high) = t;
      (at < 0 ? at_low : at_high) = at;
    }
    return low;
  }

  const Rows& rows_;
  const RowLoss& loss_;
  double lambda_;
  Coordinates coordinates_;
  Real n_;
  RealVector x_;
  RealVector gradient_;
  Vector image_;
  Vector weights_;
  double value_ = 0;
  double lower_bound_ = 0;
};

/// For problems too large for Newton's matrices: the best result of the library's methods, which
/// run one after the other.
ReferenceMinimum by_methods(const Dataset& data, std::string_view loss, double lambda,
                            std::optional<double> loss_parameter, const std::function<bool()>& cancelled) {
  const auto f = make_risk(loss, data, lambda, loss_parameter);
  ReferenceMinimum best;
  best.value = std::numeric_limits<double>::infinity();
  for (const char* method : {"lbfgs", "geod"}) {
    const Result result = minimize(*f, method, {}, {.gap_tolerance = target_gap, .max_iterations = 20'000},
                                   [&](const Progress&) { return !cancelled || !cancelled(); });
    best.start_value = result.reference_value;
    // A rounded value may be below f*, so it is raised by its possible rounding.
    best.value =
        std::min(best.value, result.value + 100 * std::numeric_limits<double>::epsilon() * std::abs(result.value));
    best.lower_bound = std::max(best.lower_bound, result.lower_bound);
    best.iterations += result.iterations;
    best.solver += best.solver.empty() ? method : std::string("+") + method;
    if (best.relative_gap() <= 1e-12 || (cancelled && cancelled())) break;
  }
  return best;
}

}  // namespace

ReferenceMinimum reference_minimum(const Dataset& data, std::string_view loss, double lambda,
                                   std::optional<double> loss_parameter, std::size_t largest_newton,
                                   const std::function<bool()>& cancelled) {
  static_cast<void>(L2(lambda));  // throws unless positive and finite
  const std::size_t rows = data.rows->rows(), columns = data.rows->columns();
  const std::size_t largest = largest_newton ? largest_newton : default_largest_newton;
  constexpr std::size_t most_entries = 50'000'000;  // of the basis of the row space, which is stored twice
  if (std::min(rows, columns) > largest || (rows < columns && rows > most_entries / columns))
    return by_methods(data, loss, lambda, loss_parameter, cancelled);
  const std::unique_ptr<const RowLoss> chosen = make_row_loss(loss, loss_parameter);
  const Rows signed_rows(data, chosen->task());
  return Newton(signed_rows, *chosen, lambda).run(cancelled);
}

}  // namespace geodescent::lab
