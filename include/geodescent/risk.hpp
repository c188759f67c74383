// Regularised empirical risk, the objective of the paper's experiments (section 4.1):
//     f(w) = 1/n sum_i phi(a_i.w, y_i) + lambda/2 |w|^2,
// or, where rows have weights, their weighted mean; and with a free intercept F(w) = min_b f(w, b).
// Its image is the vector of margins (y_i a_i.w for classification) or predictions (a_i.w for regression).
#pragma once

#include <array>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geodescent/dataset.hpp"
#include "geodescent/intercept_search.hpp"
#include "geodescent/loss.hpp"
#include "geodescent/objective.hpp"
#include "geodescent/parallel.hpp"
#include "geodescent/risk_operator.hpp"
#include "geodescent/row_span.hpp"

namespace geodescent {

/// +1 for rows of the positive class, -1 for the others. Throws InputError when there are not two classes.
std::vector<std::int8_t> signs_of_classes(const Dataset& data);
/// Throws std::invalid_argument unless lambda is positive and finite.
void require_positive_regularization(double lambda);

/// A regularised risk, whatever its loss.
class LinearRisk : public Objective {
 public:
  /// The best intercept at a lifted point; 0 when there is none.
  virtual double intercept(const Point& p) const = 0;
  /// Where to look for it first, at a point where it has not been looked for yet. To be said before a run.
  virtual void expect_intercept(double b) = 0;
};

/// With Bias::free the function is F(w) = min_b f(w, b), as strongly convex as f is in w: the intercept is found anew
/// wherever F is asked for, from the image alone. (With Bias::regularized it is a feature of the data.)
template <Loss L>
class RegularizedRisk final : public LinearRisk {
 public:
  /// Classification: the two labels of `data` become -1 and +1 (InputError when there are not two).
  RegularizedRisk(const Dataset& data, double lambda, L loss = {}, Bias bias = Bias::none)
      : loss_(loss),
        lambda_(lambda),
        operator_(data, L::task == Task::classification ? signs_of_classes(data) : std::vector<std::int8_t>{}),
        weights_(data.weights),
        free_intercept_(bias == Bias::free),
        slopes_(data.rows->rows()) {
    require_positive_regularization(lambda);
    if constexpr (L::task == Task::regression) targets_ = data.targets;
    if (!free_intercept_) return;
    largest_intercept_ = bound_intercept();
    shift_.resize(operator_.rows());
    for (std::size_t i = 0; i < shift_.size(); ++i) shift_[i] = sign(i);
  }

  std::size_t dimension() const override { return span_ ? span_->size() : operator_.columns(); }
  std::size_t image_size() const override { return span_ ? span_->size() : operator_.rows(); }
  std::size_t columns() const override { return operator_.columns(); }
  std::size_t dual_size() const override { return operator_.rows(); }
  double strong_convexity() const override { return lambda_; }
  double trivial_bound() const override { return 0; }  // losses are not negative
  Cost cost() const override { return span_ ? span_->cost() : operator_.cost(); }
  InnerProduct product() const override { return span_ ? span_->product() : InnerProduct{}; }

  std::unique_ptr<Objective> by_rows(std::span<const double> x0) const override {
    if (span_ || !RowSpan::is_smaller(operator_, x0)) return nullptr;
    auto f = std::make_unique<RegularizedRisk>(*this);
    f->span_.emplace(operator_, x0);
    if (free_intercept_) f->shift_.resize(f->image_size());
    return f;
  }
  void expand(std::span<const double> multipliers, std::span<double> x) const override {
    span_->expand(operator_, multipliers, x);
  }

  void lift(Point& p) const override {
    if (span_)
      span_->lift(operator_, p.x, p.image);
    else
      operator_.forward(p.x, p.image);
  }

  Evaluation gradient(const Point& p, std::span<double> g) const override;

  LineValue on(Line& line, double t) const override {
    const double* z = line.origin().image.data();
    const double* d = line.direction().image.data();
    const double w = operator_.total_weight(), ridge = lambda_ * line.direction_squared_norm();
    const auto at = [=](std::size_t i) { return z[i] + t * d[i]; };
    if (!free_intercept_) {
      const auto sums = sum_rows<3>(0, [&](auto loss) {
        return [=](std::size_t i) {
          const LossValue phi = loss(i, at(i));
          return std::array{phi.value, phi.slope * d[i], phi.curvature * d[i] * d[i]};
        };
      });
      return {sums[0] / w + 0.5 * lambda_ * line.squared_norm(t), sums[1] / w + lambda_ * line.half_slope(t),
              sums[2] / w + ridge};
    }
    return on_with_intercept(line, t, at);
  }

  bool reduce(const Basis& basis, const Point& x, Reduced& out) const override {
    const double c = 1 / operator_.total_weight();
    const double total = sum_rows<1>(intercept(x), [&](auto loss) {
      return [&, loss](std::size_t i) {
        const LossValue phi = loss(i, x.image[i]);
        out.slopes[i] = c * phi.slope;
        out.curvatures[i] = c * phi.curvature;
        return std::array{phi.value};
      };
    })[0];
    out.value = c * total + 0.5 * lambda_ * product().squared_norm(x);
    reduce_separable(basis, lambda_, shift_, out);
    return true;
  }

  Hessian hessian_memory() const override { return operator_.hessian_memory(free_intercept_); }
  void hessian(const Point& p, double width, Hessian& out) const override {
    const double b = intercept(p);
    parallel::for_each(parallel::cut(operator_.rows()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        out.curvatures[i] = weight(i) * curvature(p.image[i] + b * sign(i), width, target(i));
    });
    operator_.hessian(lambda_, free_intercept_, out);
  }

  /// Where all rows move and the intercept moves them back, the losses do not notice.
  double image_change(const Point& from, const Point& to) const override {
    const double shift = free_intercept_ ? to.hint - from.hint : 0;
    double sum = 0;
    for (std::size_t i = 0; i < operator_.rows(); ++i) {
      const double change = to.image[i] - from.image[i] + shift * sign(i);
      sum += change * change;
    }
    return std::sqrt(sum / static_cast<double>(operator_.rows()));
  }

  void expect_intercept(double b) override { expected_intercept_ = b; }
  double intercept(const Point& p) const override {
    if (!free_intercept_) return 0;
    const double* z = p.image.data();
    return p.hint = best_intercept(InterceptSearch(first_guess(p.hint)), [=](std::size_t i) { return z[i]; });
  }

  const L& loss() const { return loss_; }
  /// An upper bound on beta that costs nothing: the largest eigenvalue of A'A/n is at most the mean of |a_i|^2.
  double smoothness_bound() const {
    return loss_.curvature_bound() * operator_.row_norm() * operator_.row_norm() + lambda_;
  }

 private:
  /// The K sums over all rows of what term_of(loss) returns for a row i, where loss(i, z) is the loss of row i at image
  /// z and intercept b, times the weight of the row. The common case of neither costs nothing.
  template <std::size_t K, class TermOf>
  std::array<double, K> sum_rows(double b, const TermOf& term_of) const {
    const auto sum = [&](auto loss) {
      const auto term = term_of(loss);
      return parallel::sum<parallel::Sums<K>>(
                 parallel::cut(operator_.rows()),
                 [&](std::size_t begin, std::size_t end) { return parallel::sum_in_lanes<K>(begin, end, term); })
          .of;
    };
    if (!weights_.empty()) return sum([this, b](std::size_t i, double z) { return weighted(i, z + b * sign(i)); });
    if (b == 0) return sum([this](std::size_t i, double z) { return loss_(z, target(i)); });
    return sum([this, b](std::size_t i, double z) { return loss_(z + b * sign(i), target(i)); });
  }

  /// The best intercept for the image z(i).
  template <class Image>
  double best_intercept(InterceptSearch search, const Image& z) const {
    for (;;) {
      const auto sums = sum_rows<3>(search.b(), [&](auto loss) {
        return [=, this](std::size_t i) {
          const LossValue phi = loss(i, z(i));
          return std::array{sign(i) * phi.slope, phi.curvature, std::abs(phi.slope)};
        };
      });
      if (!search.improve(sums[0], sums[1], sums[2])) return search.b();
    }
  }

  /// F at step t of a line, where the image is z(i). An intercept that is nearly the best will do: f is a parabola in b
  /// there, whose minimum is known from the slope and the curvature.
  template <class Image>
  LineValue on_with_intercept(Line& line, double t, const Image& z) const {
    const double* d = line.direction().image.data();
    const auto evaluate = [&] {
      return sum_rows<7>(line.hint, [&](auto loss) {
        return [=, this](std::size_t i) {
          const LossValue phi = loss(i, z(i));
          const double s = sign(i);
          return std::array{s * phi.slope,           phi.curvature,
                            std::abs(phi.slope),     phi.value,
                            phi.slope * d[i],        phi.curvature * d[i] * d[i],
                            s * phi.curvature * d[i]};
        };
      });
    };
    line.hint = first_guess(line.hint);
    auto sums = evaluate();
    if (!(std::abs(sums[0]) <= nearly * sums[2])) {
      line.hint = best_intercept(InterceptSearch(line.hint, nearly), z);
      sums = evaluate();
    }
    const double w = operator_.total_weight();
    const double move = sums[1] > 0 ? sums[0] / sums[1] : 0, bend = sums[1] > 0 ? sums[6] / sums[1] : 0;
    return {(sums[3] - 0.5 * sums[0] * move) / w + 0.5 * lambda_ * line.squared_norm(t),
            (sums[4] - move * sums[6]) / w + lambda_ * line.half_slope(t),
            // Where the best intercept moves along with t, F is curved less than f.
            std::max(0.0, sums[5] - bend * sums[6]) / w + lambda_ * line.direction_squared_norm()};
  }
  static constexpr double nearly = 1e-7;

  LossValue weighted(std::size_t i, double z) const {
    const LossValue phi = loss_(z, target(i));
    const double c = weights_[i];
    return {c * phi.value, c * phi.slope, c * phi.curvature};
  }

  /// The mean of phi'' over [z - width, z + width].
  double curvature(double z, double width, double y) const {
    // Closer together, slopes differ by their rounding.
    if (width <= 1e-6 * (1 + std::abs(z))) return loss_(z, y).curvature;
    return std::max(0.0, (loss_(z + width, y).slope - loss_(z - width, y).slope) / (2 * width));
  }

  double first_guess(double hint) const { return hint != 0 ? hint : expected_intercept_; }
  double bound_intercept();

  double weight(std::size_t i) const { return weights_.empty() ? 1 : weights_[i]; }
  double sign(std::size_t i) const {
    if constexpr (L::task == Task::classification)
      return operator_.sign(i);
    else
      return 1;
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
  Vector weights_;  // empty: all 1
  bool free_intercept_;
  double largest_intercept_ = 0;   // |b*| is at most this
  double expected_intercept_ = 0;  // that of a model without features, unless told otherwise
  Vector shift_;                   // with a free intercept: how it moves each entry of the image
  std::optional<RowSpan> span_;    // by rows
  mutable Vector slopes_;
};

// The lower model is written as a dual point: with slopes u_i the loss part of the slope is exactly A'u/n and the
// intercept is the mean of phi(z_i) - u_i z_i = -phi*(u_i). Both hold whatever the image z is, so an image that drifted
// by rounding over thousands of combinations cannot make the lower bound wrong.
// With a free intercept f(y, b') >= Q(y) + b' r with r the mean of u_i s_i, which is 0 up to rounding: Q is lowered by
// |b*| |r|.
template <Loss L>
Evaluation RegularizedRisk<L>::gradient(const Point& p, std::span<double> g) const {
  const double* z = p.image.data();
  const double b = intercept(p), w = operator_.total_weight();
  const auto slopes_of_rows = [&](std::size_t begin, std::size_t end, std::span<double> slopes) {
    return parallel::sum_in_lanes<6>(begin, end, [&](std::size_t i) {
      const double m = z[i] + b * sign(i), c = weight(i);
      const LossValue phi = loss_(m, target(i));
      const double u = phi.slope;
      slopes_[i] = u;
      slopes[i - begin] = c * u;
      return std::array{c * phi.value,   c * (u * m), c * std::abs(u * m),
                        c * std::abs(u), c * (u * u), c * (u * sign(i))};
    });
  };
  const auto sums = (span_ ? span_->template slope<parallel::Sums<6>>(operator_, slopes_of_rows)
                           : operator_.template backward<parallel::Sums<6>>(g, slopes_of_rows))
                        .of;
  combine(g, 1, span_ ? span_->multipliers() : std::span<const double>(g), lambda_, p.x);

  const double mean_loss = sums[0] / w;
  const double xx = std::max(0.0, product().squared_norm(p));
  const double magnitude = mean_loss + (sums[2] + sums[3]) / w;  // of all that is added up, without cancellation
  const double rms_slope = std::sqrt(sums[4] / w);
  constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();

  Evaluation e;
  e.value = mean_loss + 0.5 * lambda_ * xx;
  e.intercept = mean_loss - sums[1] / w;
  e.intercept_error = (operator_.sum_depth() + 8) * unit * magnitude;
  e.slope_error = (operator_.backward_depth() + 3) * unit * rms_slope * operator_.row_norm();
  e.value_error = e.intercept_error + (operator_.sum_depth() + 8) * unit * 0.5 * lambda_ * xx +
                  2 * operator_.forward_depth() * unit * rms_slope * operator_.row_norm() * std::sqrt(xx);
  if (free_intercept_)
    e.intercept_error += largest_intercept_ * (std::abs(sums[5]) + (operator_.sum_depth() + 8) * unit * sums[3]) / w;
  e.dual = slopes_;
  if (span_) span_->describe(operator_, e);
  return e;
}

/// At the minimum f is at most F(0), so |w*| is at most sqrt(2 F(0) / lambda) and the mean loss of each class at most
/// F(0) W / W_class. A tangent of the loss turns that into a bound on the mean prediction of the class, and so on b*.
template <Loss L>
double RegularizedRisk<L>::bound_intercept() {
  const Point zero(dimension(), image_size());
  const double b = intercept(zero), w = operator_.total_weight();
  expected_intercept_ = b;
  const double at_zero =
      sum_rows<1>(b, [&](auto loss) { return [&, loss](std::size_t i) { return std::array{loss(i, 0).value}; }; })[0] /
      w;
  const double norm_of_weights = std::sqrt(2 * at_zero / lambda_);
  const auto farthest = [&](double part, LossValue tangent) {
    const double beyond = std::max(0.0, at_zero / part - tangent.value) / std::abs(tangent.slope);
    return 1 + beyond + operator_.row_norm() / std::sqrt(part) * norm_of_weights;
  };
  double largest = 0;
  if constexpr (L::task == Task::classification) {
    double positive = 0;
    for (std::size_t i = 0; i < image_size(); ++i) positive += sign(i) > 0 ? weight(i) : 0;
    for (const double part : {positive / w, 1 - positive / w})
      largest = std::max(largest, farthest(part, loss_(-1, 1)));
  } else {
    double mean = 0;
    for (std::size_t i = 0; i < image_size(); ++i) mean += weight(i) * std::abs(targets_[i]) / w;
    largest = mean + farthest(1, loss_(1, 0));
  }
  return 1.01 * largest;  // for what rounding does to these numbers
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
std::unique_ptr<LinearRisk> make_risk(std::string_view loss, const Dataset& data, double lambda,
                                      const LossParameters& parameters = {}, Bias bias = Bias::none);

}  // namespace geodescent
