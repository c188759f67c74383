#include "optimize/models/lower_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"

namespace geodescent {
namespace {

constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();

// The depth of additions in a sum over a vector, with a margin for the products.
double sum_depth(std::size_t size) {
  const parallel::Blocks blocks = parallel::cut(size);
  const std::size_t in_a_lane = blocks.length / parallel::lanes;
  return static_cast<double>(in_a_lane + parallel::lanes + blocks.count + 8);
}

/// A bound on the rounding of v = offset - |linear|^2 / (2 alpha).
double minimum_error(double offset, double offset_error, double squared_linear, double linear_error, double alpha,
                     std::size_t dimension) {
  const double regularizer = squared_linear / (2 * alpha);
  return offset_error + 2 * unit * std::abs(offset) + sum_depth(dimension) * unit * regularizer +
         linear_error * (std::sqrt(squared_linear) + 0.5 * linear_error) / alpha;
}

/// g - alpha x|^2, the squared norm of the linear term of the model at x.
double squared_linear_at(std::span<const double> x, std::span<const double> g, double alpha) {
  return parallel::sum<parallel::Sums<1>>(parallel::cut(x.size()),
                                          [&](std::size_t begin, std::size_t end) {
                                            return parallel::sum_in_lanes<1>(begin, end, [&](std::size_t i) {
                                              const double s = g[i] - alpha * x[i];
                                              return std::array{s * s};
                                            });
                                          })
      .of[0];
}

/// The error of the linear term, including the rounding of g - alpha x.
double linear_error_at(const Evaluation& e, double squared_linear, double norm_x, double alpha) {
  return e.linear_error + 4 * unit * (std::sqrt(squared_linear) + alpha * norm_x);
}

/// In row form |y|^2 of the linear term y = A'r is r.z, with z the image of y, known up to
/// `image_error`. The remaining error grows with |y|, not with |z|: r.(A dy) = y.dy.
double squared_linear_error(const Point& linear, double squared_linear, double linear_error, double image_error) {
  const double multipliers = norm(linear.x), image = norm(linear.image);
  const double of_product = multipliers * image_error + sum_depth(linear.x.size()) * unit * multipliers * image;
  const double longest = linear_error + std::sqrt(squared_linear + of_product);  // an upper bound on |y|
  return of_product + linear_error * (2 * longest + linear_error);
}

}  // namespace

void LowerModel::settle() {
  const double squared_linear = product_.squared_norm(linear_);
  minimum_ = offset_ - squared_linear / (2 * alpha_);
  if (product_.by_rows)
    error_ = offset_error_ + 2 * unit * (std::abs(offset_) + squared_linear / alpha_) +
             squared_linear_error(linear_, squared_linear, linear_error_, image_error_) / (2 * alpha_);
  else
    error_ = minimum_error(offset_, offset_error_, squared_linear, linear_error_, alpha_, linear_.x.size());
}

void LowerModel::set(const Point& x, const Point& g, const Evaluation& e) {
  if (keeps_dual_) dual_.assign(e.dual.begin(), e.dual.end());
  offset_ = e.offset;
  offset_error_ = e.offset_error;
  if (product_.by_rows) {
    std::copy(e.linear_multipliers.begin(), e.linear_multipliers.end(), linear_.x.begin());
    std::copy(e.linear_image.begin(), e.linear_image.end(), linear_.image.begin());
    linear_error_ = e.linear_error;
    image_error_ = e.image_error;
    return settle();
  }
  combine(linear_.x, 1, g.x, -alpha_, x.x);
  if (!linear_.image.empty()) combine(linear_.image, 1, g.image, -alpha_, x.image);
  linear_error_ = linear_error_at(e, squared_norm(linear_.x), norm(x.x), alpha_);
  settle();
}

double LowerModel::enclose(const Point& x, const Point& g, const Evaluation& e) {
  // With c_B the centre of this model, v_B its minimum and h = x - c_B:
  //   N        = Q_A(c_B) - v_B = f(x) - v_B + alpha/2 |h|^2 - g.h,
  //   alpha d2 = alpha |c_A - c_B|^2 = alpha |h - g/alpha|^2.
  // The best weight of the model at x is N / (alpha d2), clipped to [0, 1]: the three cases of
  // Algorithm 1. The textbook form 1/2 + (v_A - v_B)/(alpha d2) would lose all its digits for small
  // alpha.
  const double alpha = alpha_;
  const Vector &px = product_.partner(x), &pg = product_.partner(g), &ps = product_.partner(linear_);
  const auto sums =
      parallel::sum<parallel::Sums<4>>(parallel::cut(x.x.size()), [&](std::size_t begin, std::size_t end) {
        return parallel::sum_in_lanes<4>(begin, end, [&](std::size_t i) {
          const double h = x.x[i] + linear_.x[i] / alpha, partner = px[i] + ps[i] / alpha;
          const double to_new_centre = (h - g.x[i] / alpha) * (partner - pg[i] / alpha);
          const double linear_at_x = g.x[i] - alpha * x.x[i];
          return std::array{h * partner, g.x[i] * partner, to_new_centre, linear_at_x * linear_at_x};
        });
      }).of;
  const double n = e.value - minimum_ + 0.5 * alpha * sums[0] - sums[1];
  const double alpha_d2 = alpha * sums[2];
  const double w = n <= 0 ? 0 : n >= alpha_d2 ? 1 : n / alpha_d2;
  if (w == 0) return 0;

  if (product_.by_rows)
    mix_by_rows(w, e);
  else
    mix(w, x, g, e, std::sqrt(sums[3]));
  if (!dual_.empty()) combine(dual_, 1 - w, dual_, w, e.dual);
  offset_error_ =
      (1 - w) * offset_error_ + w * e.offset_error + 4 * unit * ((1 - w) * std::abs(offset_) + w * std::abs(e.offset));
  offset_ = (1 - w) * offset_ + w * e.offset;
  settle();
  return w;
}

/// linear = (1 - w) linear + w (g - alpha x), for vector and image.
void LowerModel::mix(double w, const Point& x, const Point& g, const Evaluation& e, double new_norm) {
  const double old_norm = norm(linear_.x);
  const auto mixed = [w, alpha = alpha_](Vector& s, const Vector& gs, const Vector& xs) {
    parallel::for_each(parallel::cut(s.size()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) s[i] = (1 - w) * s[i] + w * (gs[i] - alpha * xs[i]);
    });
  };
  mixed(linear_.x, g.x, x.x);
  mixed(linear_.image, g.image, x.image);
  const double new_error = linear_error_at(e, new_norm * new_norm, norm(x.x), alpha_);
  linear_error_ = (1 - w) * linear_error_ + w * new_error + 4 * unit * ((1 - w) * old_norm + w * new_norm);
}

void LowerModel::mix_by_rows(double w, const Evaluation& e) {
  const auto rounding = [w](const Vector& old, std::span<const double> newer) {
    return 4 * unit * ((1 - w) * norm(old) + w * norm(newer));
  };
  linear_error_ =
      (1 - w) * linear_error_ + w * e.linear_error + product_.matrix_norm * rounding(linear_.x, e.linear_multipliers);
  image_error_ = (1 - w) * image_error_ + w * e.image_error + rounding(linear_.image, e.linear_image);
  combine(linear_.x, 1 - w, linear_.x, w, e.linear_multipliers);
  combine(linear_.image, 1 - w, linear_.image, w, e.linear_image);
}

void LowerModel::average(const LowerModel& first, std::span<const LowerModel> others, std::span<const double> weights) {
  const auto model = [&](std::size_t i) -> const LowerModel& { return i == 0 ? first : others[i - 1]; };
  std::fill(linear_.x.begin(), linear_.x.end(), 0.0);
  std::fill(linear_.image.begin(), linear_.image.end(), 0.0);
  if (keeps_dual_) dual_.assign(first.dual_.size(), 0.0);
  offset_ = offset_error_ = linear_error_ = image_error_ = 0;
  double total = 0, linear_sum = 0, image_sum = 0, offset_sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const LowerModel& m = model(i);
    combine(linear_, 1, linear_, weights[i], m.linear_);
    if (!dual_.empty()) combine(dual_, 1, dual_, weights[i], m.dual_);
    offset_ += weights[i] * m.offset_;
    linear_error_ += weights[i] * m.linear_error_;
    image_error_ += weights[i] * m.image_error_;
    offset_error_ += weights[i] * m.offset_error_;
    linear_sum += weights[i] * norm(m.linear_.x);
    if (product_.by_rows) image_sum += weights[i] * norm(m.linear_.image);
    offset_sum += weights[i] * std::abs(m.offset_);
    total += weights[i];
  }
  // A sum of n terms is n roundings deep, and the sum of the weights may miss 1 by as much.
  const double depth = 2 * static_cast<double>(weights.size()) + 4;
  const double missing = std::abs(total - 1) + 2 * depth * unit;
  linear_error_ += missing * linear_sum * (product_.by_rows ? product_.matrix_norm : 1);
  image_error_ += missing * image_sum;
  offset_error_ += missing * offset_sum;
  settle();
}

Vector LowerModel::centre() const {
  Vector c = linear_.x;
  for (double& v : c) v /= -alpha_;
  return c;
}

LowerBound single_point_bound(std::span<const double> x, std::span<const double> g, const Evaluation& e, double alpha) {
  if (alpha == 0) return {-std::numeric_limits<double>::infinity(), 0};  // convexity alone proves no bound
  const double squared_linear = squared_linear_at(x, g, alpha);
  const double error = minimum_error(e.offset, e.offset_error, squared_linear,
                                     linear_error_at(e, squared_linear, norm(x), alpha), alpha, x.size());
  return {e.offset - squared_linear / (2 * alpha) - error, error};
}

}  // namespace geodescent
