// A regularised risk from the losses of its rows. Rows are worked on in chunks that stay in the first cache: their
// losses first, then the sums that are asked for.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "geodescent/detail/parallel.hpp"
#include "geodescent/learn/risk.hpp"
#include "kernels/kernels.hpp"

namespace geodescent {
namespace {

constexpr std::size_t chunk_size = RiskOperator::chunk;
/// An intercept whose slope is this small, measured by what was added up for it, will do on a line: what is left, a
/// step of Newton's removes, up to its cube in values and its square in slopes.
constexpr double nearly = 1e-7;
/// From here a step of Newton's leads to the best intercept, as far as rounding lets it be told.
constexpr double one_step_away = 1e-8;
/// Roundings, in units of 2^-53, of one loss and of what it is multiplied by: logistic, the worst, has 3 of exp, 2 of
/// log1p, one of their sum.
constexpr double loss_roundings = 16;

}  // namespace

/// The images z + t d + b s of all rows. Null: 0.
struct LinearRisk::Images {
  const double* z = nullptr;
  const double* d = nullptr;
  double t = 0;
  double b = 0;
};

/// Some rows: what is known of each, in arrays of its own. (Aligned, and not a power of two apart, which would make
/// them push each other out of the cache.)
class LinearRisk::Chunk {
 public:
  Chunk(const LinearRisk& risk, std::size_t first_row, std::size_t rows)
      : begin(first_row), count(rows), k_(kernels()), risk_(risk) {}

  const std::size_t begin, count;

  LossArrays phi() { return {value_, slope_, curvature_}; }
  double* value() { return value_; }
  double* slope() { return slope_; }
  double* curvature() { return curvature_; }

  /// +1 or -1 for each row.
  const double* sign() {
    if (!signs_are_known_) {
      if (const std::int8_t* const signs = risk_.operator_.signs())
        k_.widen(sign_, signs + begin, count);
      else
        std::fill_n(sign_, count, 1.0);
    }
    signs_are_known_ = true;
    return sign_;
  }
  /// 1 where rows have no weights.
  const double* weight() {
    if (!risk_.weights_.empty()) return risk_.weights_.data() + begin;
    std::fill_n(weight_, count, 1.0);
    return weight_;
  }
  const double* target() const { return risk_.targets_.empty() ? nullptr : risk_.targets_.data() + begin; }

  const double* image(const Images& at) {
    if (!at.z) std::fill_n(image_, count, 0.0);
    const double* z = at.z ? at.z + begin : image_;
    if (at.d) {
      k_.axpby(image_, 1, z, at.t, at.d + begin, count);
      z = image_;
    }
    if (at.b != 0) {
      k_.axpby(image_, 1, z, at.b, sign(), count);
      z = image_;
    }
    return z;
  }
  /// phi at these images, not weighted. Where values are not wanted they are not computed.
  void evaluate(const double* z, bool values) {
    risk_.evaluate(z, target(), count, {values ? value_ : nullptr, slope_, curvature_});
  }
  void apply_weights(bool values) {
    if (risk_.weights_.empty()) return;
    if (values) k_.multiply(value_, value_, weight(), count);
    k_.multiply(slope_, slope_, weight(), count);
    k_.multiply(curvature_, curvature_, weight(), count);
  }

 private:
  static constexpr std::size_t room = chunk_size + 24;

  const Kernels& k_;
  const LinearRisk& risk_;
  bool signs_are_known_ = false;
  alignas(64) double image_[room];
  alignas(64) double value_[room];
  alignas(64) double slope_[room];
  alignas(64) double curvature_[room];
  alignas(64) double sign_[room];
  alignas(64) double weight_[room];
};

LinearRisk::LinearRisk(const Dataset& data, double lambda, Task task, Bias bias)
    : task_(task),
      lambda_(lambda),
      operator_(data, task == Task::classification ? signs_of_classes(data) : std::vector<std::int8_t>{}),
      weights_(data.weights),
      free_intercept_(bias == Bias::free),
      slopes_(data.rows->rows()) {
  require_positive_regularization(lambda);
  if (task == Task::regression) targets_ = data.targets;
  if (free_intercept_ && !operator_.signs()) ones_.assign(operator_.rows(), 1);
}

Cost LinearRisk::cost() const {
  Cost cost = span_ ? span_->cost() : operator_.cost();
  cost.condition = smoothness_bound() / lambda_;
  cost.curvature_is_smooth = curvature_is_smooth();
  return cost;
}

std::unique_ptr<Objective> LinearRisk::by_rows(std::span<const double> x0) const {
  if (span_ || !RowSpan::is_smaller(operator_, x0)) return nullptr;
  std::unique_ptr<LinearRisk> f = copy();
  f->span_.emplace(operator_, x0);
  return f;
}

void LinearRisk::expand(std::span<const double> multipliers, std::span<double> x) const {
  if (span_) return span_->expand(operator_, multipliers, x);
  Objective::expand(multipliers, x);
}

void LinearRisk::lift(Point& p) const {
  if (span_) return span_->lift(operator_, p.x, p.image);
  operator_.forward(p.x, p.image);
}

/// The K sums over all rows that sum(chunk, out) writes for a chunk whose losses, weighted, are known.
template <std::size_t K, class Sum>
std::array<double, K> LinearRisk::sum_rows(const Images& at, bool values, const Sum& sum) const {
  return parallel::sum<parallel::Sums<K>>(parallel::cut(operator_.rows()),
                                          [&](std::size_t begin, std::size_t end) {
                                            parallel::Sums<K> total{}, part;
                                            for (std::size_t i = begin; i < end; i += chunk_size) {
                                              Chunk chunk(*this, i, std::min(chunk_size, end - i));
                                              chunk.evaluate(chunk.image(at), values);
                                              chunk.apply_weights(values);
                                              sum(chunk, part.of.data());
                                              total += part;
                                            }
                                            return total;
                                          })
      .of;
}

LossValue LinearRisk::loss_at(double z, double y) const {
  LossValue phi;
  evaluate(&z, task_ == Task::regression ? &y : nullptr, 1, {&phi.value, &phi.slope, &phi.curvature});
  return phi;
}

double LinearRisk::best_intercept(InterceptSearch search, Images at, bool unconfirmed) const {
  for (;;) {
    at.b = search.b();
    const auto sums = sum_rows<3>(
        at, false, [](Chunk& rows, double* out) { kernels().shift_sums(rows.phi(), rows.sign(), rows.count, out); });
    if (!search.improve(sums[0], sums[1], sums[2])) return search.b();
    if (unconfirmed && std::abs(sums[0]) <= one_step_away * sums[2]) return search.b();
  }
}

double LinearRisk::intercept(const Point& p) const { return intercept(p, false); }

double LinearRisk::intercept(const Point& p, bool unconfirmed) const {
  if (!free_intercept_) return 0;
  const InterceptSearch search(first_guess(p.hint.value));
  p.hint = {best_intercept(search, {.z = p.image.data()}, unconfirmed), true};
  return p.hint.value;
}

double LinearRisk::good_intercept(const Point& p) const {
  return p.hint.is_of_here ? p.hint.value : intercept(p, true);
}

LineValue LinearRisk::on(Line& line, double t) const {
  if (free_intercept_) return on_with_intercept(line, t);
  const double* const d = line.direction().image.data();
  const double w = operator_.total_weight();
  const auto sums = sum_rows<3>({.z = line.origin().image.data(), .d = d, .t = t}, true, [=](Chunk& rows, double* out) {
    kernels().line_sums(rows.phi(), d + rows.begin, rows.count, out);
  });
  return {sums[0] / w + 0.5 * lambda_ * line.squared_norm(t), sums[1] / w + lambda_ * line.half_slope(t),
          sums[2] / w + lambda_ * line.direction_squared_norm()};
}

/// An intercept that is nearly the best will do: f is a parabola in b there, whose minimum is known from the slope and
/// the curvature.
LineValue LinearRisk::on_with_intercept(Line& line, double t) const {
  const double* const d = line.direction().image.data();
  Images at{.z = line.origin().image.data(), .d = d, .t = t};
  const auto evaluate_at = [&](double b) {
    at.b = b;
    return sum_rows<7>(at, true, [=](Chunk& rows, double* out) {
      kernels().shifted_line_sums(rows.phi(), d + rows.begin, rows.sign(), rows.count, out);
    });
  };
  InterceptSearch search(first_guess(line.guess(t)), nearly);
  auto sums = evaluate_at(search.b());
  while (search.improve(sums[0], sums[1], sums[2])) sums = evaluate_at(search.b());
  const double w = operator_.total_weight();
  const double move = sums[1] > 0 ? sums[0] / sums[1] : 0, bend = sums[1] > 0 ? sums[6] / sums[1] : 0;
  line.hint = search.b() - move;
  line.hint_slope = -bend;
  line.hint_step = t;
  return {(sums[3] - 0.5 * sums[0] * move) / w + 0.5 * lambda_ * line.squared_norm(t),
          (sums[4] - move * sums[6]) / w + lambda_ * line.half_slope(t),
          // Where the best intercept moves along with t, F is curved less than f.
          std::max(0.0, sums[5] - bend * sums[6]) / w + lambda_ * line.direction_squared_norm()};
}

bool LinearRisk::reduce(const Basis& basis, const Point& x, Reduced& out) const {
  const double c = 1 / operator_.total_weight();
  const double total = sum_rows<1>({.z = x.image.data(), .b = good_intercept(x)}, true, [&](Chunk& rows, double* sum) {
    kernels().scale(out.slopes.data() + rows.begin, c, rows.slope(), rows.count);
    kernels().scale(out.curvatures.data() + rows.begin, c, rows.curvature(), rows.count);
    *sum = kernels().sum(rows.value(), rows.count);
  })[0];
  out.value = c * total + 0.5 * lambda_ * product().squared_norm(x);
  reduce_separable(basis, lambda_, shift(), out);
  return true;
}

std::span<const std::int8_t> LinearRisk::shift() const {
  if (!free_intercept_) return {};
  return {operator_.signs() ? operator_.signs() : ones_.data(), operator_.rows()};
}

void LinearRisk::hessian(const Point& p, double width, Hessian& out) const {
  const Images at{.z = p.image.data(), .b = good_intercept(p)};
  parallel::for_each(parallel::cut(operator_.rows()), [&](std::size_t begin, std::size_t end) {
    const Kernels& k = kernels();
    for (std::size_t i = begin; i < end; i += chunk_size) {
      Chunk rows(*this, i, std::min(chunk_size, end - i));
      double* const curvatures = out.curvatures.data() + i;
      rows.evaluate(rows.image(at), false);
      std::copy_n(rows.curvature(), rows.count, curvatures);
      if (width > 1e-6) {  // else no row is averaged
        alignas(64) std::array<double, chunk_size> z, moved, above;
        std::copy_n(rows.image(at), rows.count, z.data());
        for (std::size_t j = 0; j < rows.count; ++j) moved[j] = z[j] + width;
        rows.evaluate(moved.data(), false);
        std::copy_n(rows.slope(), rows.count, above.data());
        for (std::size_t j = 0; j < rows.count; ++j) moved[j] = z[j] - width;
        rows.evaluate(moved.data(), false);
        k.mean_curvatures(curvatures, z.data(), above.data(), rows.slope(), width, rows.count);
      }
      if (!weights_.empty()) k.multiply(curvatures, curvatures, rows.weight(), rows.count);
    }
  });
  operator_.hessian(lambda_, free_intercept_, out);
}

double LinearRisk::image_change(const Line& line, double t) const {
  if (curvature_is_smooth()) return 0;
  const double shift = free_intercept_ ? line.guess(t) - line.origin().hint.value : 0;
  const Images change{.d = line.direction().image.data(), .t = t, .b = shift};
  const double sum =
      parallel::sum<parallel::Sums<1>>(parallel::cut(operator_.rows()), [&](std::size_t begin, std::size_t end) {
        parallel::Sums<1> total{};
        for (std::size_t i = begin; i < end; i += chunk_size) {
          Chunk rows(*this, i, std::min(chunk_size, end - i));
          const double* const by = rows.image(change);
          total.of[0] += kernels().dot(by, by, rows.count);
        }
        return total;
      }).of[0];
  return std::sqrt(sum / static_cast<double>(operator_.rows()));
}

// The lower model is written as a dual point: with slopes u_i the loss part of the slope is exactly A'u/n and the
// intercept is the mean of phi(z_i) - u_i z_i = -phi*(u_i). Both hold whatever the image z is, so an image that drifted
// by rounding over thousands of combinations cannot make the lower bound wrong.
// With a free intercept f(y, b') >= Q(y) + b' r with r the mean of u_i s_i, which is 0 up to rounding: Q is lowered by
// |b*| |r|.
Evaluation LinearRisk::gradient(const Point& p, std::span<double> g) const {
  Images at{.z = p.image.data(), .b = intercept(p, true)};
  const auto evaluate_rows = [&](std::size_t begin, std::size_t end, std::span<double> slopes) {
    const Kernels& k = kernels();
    Chunk rows(*this, begin, end - begin);
    const double *const z = rows.image(at), *const c = rows.weight();
    rows.evaluate(z, true);
    std::copy_n(rows.slope(), rows.count, slopes_.data() + begin);
    k.multiply(slopes.data(), rows.slope(), c, rows.count);
    parallel::Sums<6> sums;
    k.dual_sums(rows.value(), rows.slope(), z, rows.sign(), c, rows.count, sums.of.data());
    return sums;
  };
  const auto sum_all = [&] {
    return (span_ ? span_->slope<parallel::Sums<6>>(operator_, evaluate_rows)
                  : operator_.backward<parallel::Sums<6>>(g, evaluate_rows))
        .of;
  };
  auto sums = sum_all();
  if (free_intercept_ && !(std::abs(sums[5]) <= InterceptSearch::exact * sums[3])) {
    at.b = intercept(p, false);
    sums = sum_all();
  }
  combine(g, 1, span_ ? span_->multipliers() : std::span<const double>(g), lambda_, p.x);

  const double w = operator_.total_weight();
  const double mean_loss = sums[0] / w;
  const double xx = product().squared_norm(p);
  const double magnitude = mean_loss + (sums[2] + sums[3]) / w;  // of all that is added up, without cancellation
  const double rms_slope = std::sqrt(sums[4] / w);
  constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();
  const double sum_error = (operator_.sum_depth() + loss_roundings) * unit;

  Evaluation e;
  e.value = mean_loss + 0.5 * lambda_ * xx;
  e.intercept = mean_loss - sums[1] / w;
  e.intercept_error = sum_error * magnitude;
  e.slope_error = (operator_.backward_depth() + 3) * unit * rms_slope * operator_.row_norm();
  e.value_error = e.intercept_error + sum_error * 0.5 * lambda_ * xx +
                  2 * operator_.forward_depth() * unit * rms_slope * operator_.row_norm() * std::sqrt(xx);
  if (free_intercept_) e.intercept_error += largest_intercept_ * (std::abs(sums[5]) + sum_error * sums[3]) / w;
  e.dual = slopes_;
  if (span_) {
    span_->describe(operator_, e);
    e.value_error += sum_error * 0.5 * lambda_ * norm(p.x) * norm(p.image);  // of |x|^2, a sum of terms of both signs
  }
  return e;
}

/// At the minimum f is at most F(0), so |w*| is at most sqrt(2 F(0) / lambda) and the mean loss of each class at most
/// F(0) W / W_class. A tangent of the loss turns that into a bound on the mean prediction of the class, and so on b*.
void LinearRisk::find_largest_intercept() {
  if (!free_intercept_) return;
  const double w = operator_.total_weight();
  const auto weight = [&](std::size_t i) { return weights_.empty() ? 1 : weights_[i]; };
  double positive = 0, mean = 0;
  for (std::size_t i = 0; i < operator_.rows(); ++i)
    if (task_ == Task::classification)
      positive += operator_.sign(i) > 0 ? weight(i) : 0;
    else
      mean += weight(i) * std::abs(targets_[i]) / w;

  const double at_zero = task_ == Task::classification ? best_at_zero(positive / w) : best_at_zero();
  const double norm_of_weights = std::sqrt(2 * at_zero / lambda_);
  const auto farthest = [&](double part, LossValue tangent) {
    const double beyond = std::max(0.0, at_zero / part - tangent.value) / std::abs(tangent.slope);
    return 1 + beyond + operator_.row_norm() / std::sqrt(part) * norm_of_weights;
  };
  double largest = 0;
  if (task_ == Task::classification)
    for (const double part : {positive / w, 1 - positive / w})
      largest = std::max(largest, farthest(part, loss_at(-1, 1)));
  else
    largest = mean + farthest(1, loss_at(1, 0));
  largest_intercept_ = 1.01 * largest;  // for what rounding does to these numbers
}

/// F(0), and the best intercept there.
double LinearRisk::best_at_zero() {
  Images at;
  expected_intercept_ = at.b = best_intercept(InterceptSearch(0), at);
  return sum_rows<1>(at, true, [](Chunk& rows, double* sum) { *sum = kernels().sum(rows.value(), rows.count); })[0] /
         operator_.total_weight();
}

/// The same for two classes: without features, all rows of a class are alike.
double LinearRisk::best_at_zero(double positive) {
  const double negative = 1 - positive;
  InterceptSearch search(0);
  for (;;) {
    const LossValue p = loss_at(search.b(), 1), n = loss_at(-search.b(), 1);
    if (!search.improve(positive * p.slope - negative * n.slope, positive * p.curvature + negative * n.curvature,
                        positive * std::abs(p.slope) + negative * std::abs(n.slope))) {
      expected_intercept_ = search.b();
      return positive * p.value + negative * n.value;
    }
  }
}

}  // namespace geodescent
