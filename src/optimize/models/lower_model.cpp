#include "optimize/models/lower_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "geodescent/detail/parallel.hpp"

namespace geodescent {
namespace {

constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();

// How many additions deep a sum over a vector lies, with some room for the products.
double sum_depth(std::size_t size) {
  const parallel::Blocks blocks = parallel::cut(size);
  return static_cast<double>(blocks.length / parallel::lanes + parallel::lanes + blocks.count + 8);
}

/// What rounding can have done to v = intercept - |slope|^2 / (2 alpha).
double minimum_error(double intercept, double intercept_error, double squared_slope, double slope_error, double alpha,
                     std::size_t dimension) {
  const double regularizer = squared_slope / (2 * alpha);
  return intercept_error + 2 * unit * std::abs(intercept) + sum_depth(dimension) * unit * regularizer +
         slope_error * (std::sqrt(squared_slope) + 0.5 * slope_error) / alpha;
}

/// |g - alpha x|^2: the slope of the model at x, squared.
double squared_slope_at(std::span<const double> x, std::span<const double> g, double alpha) {
  return parallel::sum<parallel::Sums<1>>(parallel::cut(x.size()),
                                          [&](std::size_t begin, std::size_t end) {
                                            return parallel::sum_in_lanes<1>(begin, end, [&](std::size_t i) {
                                              const double s = g[i] - alpha * x[i];
                                              return std::array{s * s};
                                            });
                                          })
      .of[0];
}

/// Forming g - alpha x rounds once more.
double slope_error_at(const Evaluation& e, double squared_slope, double norm_x, double alpha) {
  return e.slope_error + 4 * unit * (std::sqrt(squared_slope) + alpha * norm_x);
}

/// By rows the square of the slope y = A'r is r.z with z the image of y, known up to `image_error`. What that leaves
/// open grows with |y| and not with the norm of z: r.(A dy) = y.dy.
double squared_slope_error(const Point& slope, double squared_slope, double slope_error, double image_error) {
  const double multipliers = norm(slope.x), image = norm(slope.image);
  const double of_product = multipliers * image_error + sum_depth(slope.x.size()) * unit * multipliers * image;
  const double longest = slope_error + std::sqrt(squared_slope + of_product);  // |y| is at most this
  return of_product + slope_error * (2 * longest + slope_error);
}

}  // namespace

void LowerModel::settle() {
  const double squared_slope = product_.squared_norm(slope_);
  minimum_ = intercept_ - squared_slope / (2 * alpha_);
  if (product_.by_rows)
    error_ = intercept_error_ + 2 * unit * (std::abs(intercept_) + squared_slope / alpha_) +
             squared_slope_error(slope_, squared_slope, slope_error_, image_error_) / (2 * alpha_);
  else
    error_ = minimum_error(intercept_, intercept_error_, squared_slope, slope_error_, alpha_, slope_.x.size());
}

void LowerModel::set(const Point& x, const Point& g, const Evaluation& e) {
  if (keeps_dual_) dual_.assign(e.dual.begin(), e.dual.end());
  intercept_ = e.intercept;
  intercept_error_ = e.intercept_error;
  if (product_.by_rows) {
    std::copy(e.slope_multipliers.begin(), e.slope_multipliers.end(), slope_.x.begin());
    std::copy(e.slope_image.begin(), e.slope_image.end(), slope_.image.begin());
    slope_error_ = e.slope_error;
    image_error_ = e.image_error;
    return settle();
  }
  combine(slope_.x, 1, g.x, -alpha_, x.x);
  if (!slope_.image.empty()) combine(slope_.image, 1, g.image, -alpha_, x.image);
  slope_error_ = slope_error_at(e, squared_norm(slope_.x), norm(x.x), alpha_);
  settle();
}

double LowerModel::enclose(const Point& x, const Point& g, const Evaluation& e) {
  // With c_B the centre of this model, v_B its minimum and h = x - c_B:
  //   N        = Q_A(c_B) - v_B = f(x) - v_B + alpha/2 |h|^2 - g.h,
  //   alpha d2 = alpha |c_A - c_B|^2 = alpha |h - g/alpha|^2,
  // the best weight of the model at x is N / (alpha d2), clipped to [0, 1]: Algorithm 1 with its three cases. The
  // textbook form 1/2 + (v_A - v_B)/(alpha d2) would lose all its digits when alpha is small.
  const double alpha = alpha_;
  const Vector &px = product_.partner(x), &pg = product_.partner(g), &ps = product_.partner(slope_);
  const auto sums =
      parallel::sum<parallel::Sums<4>>(parallel::cut(x.x.size()), [&](std::size_t begin, std::size_t end) {
        return parallel::sum_in_lanes<4>(begin, end, [&](std::size_t i) {
          const double h = x.x[i] + slope_.x[i] / alpha, partner = px[i] + ps[i] / alpha;
          const double to_new_centre = (h - g.x[i] / alpha) * (partner - pg[i] / alpha);
          const double slope_at_x = g.x[i] - alpha * x.x[i];
          return std::array{h * partner, g.x[i] * partner, to_new_centre, slope_at_x * slope_at_x};
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
  intercept_error_ = (1 - w) * intercept_error_ + w * e.intercept_error +
                     4 * unit * ((1 - w) * std::abs(intercept_) + w * std::abs(e.intercept));
  intercept_ = (1 - w) * intercept_ + w * e.intercept;
  settle();
  return w;
}

/// slope = (1 - w) slope + w (g - alpha x), on both parts.
void LowerModel::mix(double w, const Point& x, const Point& g, const Evaluation& e, double new_norm) {
  const double old_norm = norm(slope_.x);
  const auto mixed = [w, alpha = alpha_](Vector& s, const Vector& gs, const Vector& xs) {
    parallel::for_each(parallel::cut(s.size()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) s[i] = (1 - w) * s[i] + w * (gs[i] - alpha * xs[i]);
    });
  };
  mixed(slope_.x, g.x, x.x);
  mixed(slope_.image, g.image, x.image);
  const double new_error = slope_error_at(e, new_norm * new_norm, norm(x.x), alpha_);
  slope_error_ = (1 - w) * slope_error_ + w * new_error + 4 * unit * ((1 - w) * old_norm + w * new_norm);
}

void LowerModel::mix_by_rows(double w, const Evaluation& e) {
  const auto rounding = [w](const Vector& old, std::span<const double> newer) {
    return 4 * unit * ((1 - w) * norm(old) + w * norm(newer));
  };
  slope_error_ =
      (1 - w) * slope_error_ + w * e.slope_error + product_.matrix_norm * rounding(slope_.x, e.slope_multipliers);
  image_error_ = (1 - w) * image_error_ + w * e.image_error + rounding(slope_.image, e.slope_image);
  combine(slope_.x, 1 - w, slope_.x, w, e.slope_multipliers);
  combine(slope_.image, 1 - w, slope_.image, w, e.slope_image);
}

void LowerModel::average(const LowerModel& first, std::span<const LowerModel> others, std::span<const double> weights) {
  const auto model = [&](std::size_t i) -> const LowerModel& { return i == 0 ? first : others[i - 1]; };
  std::fill(slope_.x.begin(), slope_.x.end(), 0.0);
  std::fill(slope_.image.begin(), slope_.image.end(), 0.0);
  if (keeps_dual_) dual_.assign(first.dual_.size(), 0.0);
  intercept_ = intercept_error_ = slope_error_ = image_error_ = 0;
  double total = 0, slope_sum = 0, image_sum = 0, intercept_sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    const LowerModel& m = model(i);
    combine(slope_, 1, slope_, weights[i], m.slope_);
    if (!dual_.empty()) combine(dual_, 1, dual_, weights[i], m.dual_);
    intercept_ += weights[i] * m.intercept_;
    slope_error_ += weights[i] * m.slope_error_;
    image_error_ += weights[i] * m.image_error_;
    intercept_error_ += weights[i] * m.intercept_error_;
    slope_sum += weights[i] * norm(m.slope_.x);
    if (product_.by_rows) image_sum += weights[i] * norm(m.slope_.image);
    intercept_sum += weights[i] * std::abs(m.intercept_);
    total += weights[i];
  }
  // Sums of `size` terms are that many roundings deep; and the weights may miss 1 by as much.
  const double depth = 2 * static_cast<double>(weights.size()) + 4;
  const double missing = std::abs(total - 1) + 2 * depth * unit;
  slope_error_ += missing * slope_sum * (product_.by_rows ? product_.matrix_norm : 1);
  image_error_ += missing * image_sum;
  intercept_error_ += missing * intercept_sum;
  settle();
}

Vector LowerModel::centre() const {
  Vector c = slope_.x;
  for (double& v : c) v /= -alpha_;
  return c;
}

LowerBound single_point_bound(std::span<const double> x, std::span<const double> g, const Evaluation& e, double alpha) {
  if (alpha == 0) return {-std::numeric_limits<double>::infinity(), 0};  // convexity alone proves nothing
  const double squared_slope = squared_slope_at(x, g, alpha);
  const double error = minimum_error(e.intercept, e.intercept_error, squared_slope,
                                     slope_error_at(e, squared_slope, norm(x), alpha), alpha, x.size());
  return {e.intercept - squared_slope / (2 * alpha) - error, error};
}

}  // namespace geodescent
