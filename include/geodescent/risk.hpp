// Regularised empirical risk, the objective of the paper's experiments (section 4.1):
//     f(w) = 1/n sum_i phi(a_i.w, y_i) + lambda/2 |w|^2.
// Its image is the vector of margins (y_i a_i.w for classification) or predictions (a_i.w for regression).
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geodescent/dataset.hpp"
#include "geodescent/loss.hpp"
#include "geodescent/objective.hpp"
#include "geodescent/parallel.hpp"
#include "geodescent/row_matrix.hpp"

namespace geodescent {

/// The linear part, common to all losses: both products with the data, blocked and threaded, rows multiplied by their
/// signs. Owns the scratch memory of the backward pass.
class RiskOperator {
 public:
  RiskOperator(std::shared_ptr<const RowMatrix> rows, std::vector<std::int8_t> signs);

  std::size_t rows() const { return matrix_->rows(); }
  std::size_t columns() const { return matrix_->columns(); }
  const RowMatrix& matrix() const { return *matrix_; }
  Cost cost() const;

  /// image_i = sign_i a_i.x.
  void forward(std::span<const double> x, std::span<double> image) const;

  /// g = 1/n sum_i s_i sign_i a_i, where slopes(begin, end, s) writes s_begin .. s_end and returns sums over these
  /// rows; the total of these sums is returned. So the loss is evaluated while its rows are in the cache.
  template <class Sum, class Slopes>
  Sum backward(std::span<double> g, Slopes&& slopes) const {
    const Sum total = parallel::sum<Sum>(backward_blocks_, [&](std::size_t begin, std::size_t end) {
      const std::span<double> buffer = backward_buffer(begin / backward_blocks_.length);
      std::array<double, chunk> s;
      Sum sum{};
      for (std::size_t i = begin; i < end; i += chunk) {
        const std::size_t stop = std::min(end, i + chunk);
        sum += slopes(i, stop, std::span<double>(s).first(stop - i));
        backward_rows(i, stop, std::span<double>(s).first(stop - i), buffer);
      }
      return sum;
    });
    add_buffers(g);
    return total;
  }

  /// h.matrix = 1/n sum_i h.curvatures_i a_i a_i' + lambda I.
  void hessian(double lambda, Hessian& h) const;
  Hessian hessian_memory() const;

  /// Bounds on rounding, in units of 2^-53: how many additions deep a result lies.
  double forward_depth() const;   ///< of one entry of the image
  double backward_depth() const;  ///< of one entry of the gradient
  double sum_depth() const;       ///< of a sum over rows
  /// sqrt of the mean of |a_i|^2.
  double row_norm() const { return row_norm_; }

 private:
  static constexpr std::size_t chunk = 512;

  std::span<double> backward_buffer(std::size_t block) const;
  void backward_rows(std::size_t begin, std::size_t end, std::span<double> slopes, std::span<double> buffer) const;
  void add_buffers(std::span<double> g) const;

  std::shared_ptr<const RowMatrix> matrix_;
  std::vector<std::int8_t> signs_;  // empty: all +1
  parallel::Blocks forward_blocks_;
  parallel::Blocks backward_blocks_;
  double row_norm_;
  mutable Vector buffers_;
};

/// +1 for rows of the positive class, -1 for the others. Throws InputError when there are not two classes.
std::vector<std::int8_t> signs_of_classes(const Dataset& data);
/// Throws std::invalid_argument unless lambda is positive and finite.
void require_positive_regularization(double lambda);

template <Loss L>
class RegularizedRisk final : public Objective {
 public:
  /// Classification: the two labels of `data` become -1 and +1 (InputError when there are not two).
  RegularizedRisk(const Dataset& data, double lambda, L loss = {})
      : loss_(loss),
        lambda_(lambda),
        operator_(data.rows, L::task == Task::classification ? signs_of_classes(data) : std::vector<std::int8_t>{}) {
    require_positive_regularization(lambda);
    if constexpr (L::task == Task::regression) targets_ = data.targets;
  }

  std::size_t dimension() const override { return operator_.columns(); }
  std::size_t image_size() const override { return operator_.rows(); }
  double strong_convexity() const override { return lambda_; }
  double trivial_bound() const override { return 0; }  // losses are not negative
  Cost cost() const override { return operator_.cost(); }

  void lift(Point& p) const override { operator_.forward(p.x, p.image); }

  Evaluation gradient(const Point& p, std::span<double> g) const override;

  LineValue on(Line& line, double t) const override {
    const double* z = line.origin().image.data();
    const double* d = line.direction().image.data();
    const auto term = [=, this](std::size_t i) {
      const LossValue phi = loss_(z[i] + t * d[i], target(i));
      return std::array{phi.value, phi.slope * d[i], phi.curvature * d[i] * d[i]};
    };
    const auto sums =
        parallel::sum<parallel::Sums<3>>(parallel::cut(operator_.rows()), [&](std::size_t b, std::size_t e) {
          return parallel::sum_in_lanes<3>(b, e, term);
        }).of;
    const double n = static_cast<double>(operator_.rows());
    return {sums[0] / n + 0.5 * lambda_ * line.squared_norm(t), sums[1] / n + lambda_ * line.half_slope(t),
            sums[2] / n + lambda_ * line.direction_squared_norm()};
  }

  bool reduce(const Basis& basis, const Point& x, Reduced& out) const override {
    const double c = 1 / static_cast<double>(operator_.rows());
    const auto term = [&](std::size_t i) {
      const LossValue phi = loss_(x.image[i], target(i));
      out.slopes[i] = c * phi.slope;
      out.curvatures[i] = c * phi.curvature;
      return std::array{phi.value};
    };
    const double total =
        parallel::sum<parallel::Sums<1>>(parallel::cut(operator_.rows()), [&](std::size_t b, std::size_t e) {
          return parallel::sum_in_lanes<1>(b, e, term);
        }).of[0];
    out.value = c * total + 0.5 * lambda_ * geodescent::squared_norm(x.x);
    reduce_separable(basis, x.x, lambda_, out);
    return true;
  }

  Hessian hessian_memory() const override { return operator_.hessian_memory(); }
  void hessian(const Point& p, double width, Hessian& out) const override {
    parallel::for_each(parallel::cut(operator_.rows()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) out.curvatures[i] = curvature(p.image[i], width, target(i));
    });
    operator_.hessian(lambda_, out);
  }

  const L& loss() const { return loss_; }
  /// An upper bound on beta that costs nothing: the largest eigenvalue of A'A/n is at most the mean of |a_i|^2.
  double smoothness_bound() const {
    return loss_.curvature_bound() * operator_.row_norm() * operator_.row_norm() + lambda_;
  }

 private:
  /// The mean of phi'' over [z - width, z + width].
  double curvature(double z, double width, double y) const {
    // Closer together, slopes differ by their rounding.
    if (width <= 1e-6 * (1 + std::abs(z))) return loss_(z, y).curvature;
    return std::max(0.0, (loss_(z + width, y).slope - loss_(z - width, y).slope) / (2 * width));
  }

  double target(std::size_t i) const {
    if constexpr (L::task == Task::classification)
      return 1;
    else
      return targets_[i];
  }

  L loss_;
  double lambda_;
  RiskOperator operator_;
  Vector targets_;
};

// The lower model is written as a dual point: with slopes u_i the loss part of the slope is exactly A'u/n and the
// intercept is the mean of phi(z_i) - u_i z_i = -phi*(u_i). Both hold whatever the image z is, so an image that drifted
// by rounding over thousands of combinations cannot make the lower bound wrong.
template <Loss L>
Evaluation RegularizedRisk<L>::gradient(const Point& p, std::span<double> g) const {
  const double* z = p.image.data();
  const auto sums = operator_
                        .template backward<parallel::Sums<5>>(
                            g,
                            [&](std::size_t begin, std::size_t end, std::span<double> slopes) {
                              return parallel::sum_in_lanes<5>(begin, end, [&](std::size_t i) {
                                const LossValue phi = loss_(z[i], target(i));
                                const double u = phi.slope;
                                slopes[i - begin] = u;
                                return std::array{phi.value, u * z[i], std::abs(u * z[i]), std::abs(u), u * u};
                              });
                            })
                        .of;
  combine(g, 1, g, lambda_, p.x);

  const double n = static_cast<double>(operator_.rows());
  const double mean_loss = sums[0] / n;
  const double xx = geodescent::squared_norm(p.x);
  const double magnitude = mean_loss + (sums[2] + sums[3]) / n;  // of all that is added up, without cancellation
  const double rms_slope = std::sqrt(sums[4] / n);
  constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();

  Evaluation e;
  e.value = mean_loss + 0.5 * lambda_ * xx;
  e.intercept = mean_loss - sums[1] / n;
  e.intercept_error = (operator_.sum_depth() + 8) * unit * magnitude;
  e.slope_error = (operator_.backward_depth() + 3) * unit * rms_slope * operator_.row_norm();
  e.value_error = e.intercept_error + (operator_.sum_depth() + 8) * unit * 0.5 * lambda_ * xx +
                  2 * operator_.forward_depth() * unit * rms_slope * operator_.row_norm() * std::sqrt(xx);
  return e;
}

/// Parameters of the losses that have any.
struct LossParameters {
  double huber_delta = 1;
};

struct LossInfo {
  std::string_view name;
  Task task;
  double curvature_bound;  ///< the slope is Lipschitz with this constant
};

/// All losses of the library, in the order of their table.
std::span<const LossInfo> losses();

/// The risk with a loss chosen by name. Throws std::invalid_argument for an unknown name, InputError for data that do
/// not fit the loss.
std::unique_ptr<Objective> make_risk(std::string_view loss, const Dataset& data, double lambda,
                                     const LossParameters& parameters = {});

}  // namespace geodescent
