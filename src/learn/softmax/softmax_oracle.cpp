#include "learn/softmax/softmax_oracle.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace geodescent {
namespace {

constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();
/// On a line, intercepts are good enough when the derivatives in them are this small beside what was added up for them:
/// one Newton step removes the rest, up to its cube in values and its square in slopes.
constexpr double nearly = 1e-7;
/// Such derivatives change no digit of a Hessian that matters.
constexpr double good = 1e-12;
/// A derivative of this size, measured likewise, is none.
constexpr double exact = 32 * std::numeric_limits<double>::epsilon();
/// Roundings, in units of 2^-53, of one loss or one of its derivatives, beside the sums over the classes.
constexpr double loss_roundings = 24;

Facts facts_of(const SoftmaxProblem& risk) {
  Facts facts = risk.data.facts();
  facts.strong_convexity = risk.regularizer.strong_convexity();
  facts.trivial_bound = 0;  // losses are not negative
  facts.condition = risk.smoothness_bound() / facts.strong_convexity;
  facts.curvature_is_smooth = true;
  return facts;
}

double times(std::span<const double> a, std::span<const double> b) {
  return kernels().dot(a.data(), b.data(), a.size());
}

}  // namespace

SoftmaxOracle::SoftmaxOracle(std::shared_ptr<const SoftmaxProblem> problem)
    : Oracle(facts_of(*problem)),
      problem_(std::move(problem)),
      intercepts_(*problem_),
      line_sums_(*problem_),
      dual_(problem_->data.rows() * problem_->classes),
      change_(problem_->classes),
      bend_(problem_->classes),
      sum_(1),
      scratch_(softmax_scratch(*problem_, sum_.size())) {}

Vector SoftmaxOracle::intercepts() const {
  Vector b = intercepts_.last();
  double mean = 0;
  for (const double e : b) mean += e / static_cast<double>(b.size());
  for (double& e : b) e -= mean;
  return b;
}

void SoftmaxOracle::arrive(const Line& line, double t) {
  if (!problem_->free_intercepts) return;
  intercepts_.predict(line, t);
  intercepts_.found();
}

/// Nearly optimal intercepts are enough: f is a parabola in b there, whose minimum is known from its derivatives.
LineValue SoftmaxOracle::on(Line& line, double t) {
  const SoftmaxProblem& risk = *problem_;
  const double w = risk.data.total_weight();
  const L2& r = risk.regularizer;
  const SoftmaxImages at{.z = line.origin().image.data(), .d = line.direction().image.data(), .t = t};
  const auto with_penalty = [&](double value, double slope, double curvature) {
    return LineValue{value / w + r.value(line.squared_norm(t)), slope / w + r.slope(line.half_slope(t)),
                     std::max(0.0, curvature) / w + r.curvature(line.direction_squared_norm())};
  };
  if (!risk.free_intercepts) {
    line_sums_.evaluate(at);
    return with_penalty(line_sums_.value(), line_sums_.slope(), line_sums_.curvature());
  }
  intercepts_.predict(line, t);
  const SoftmaxSums& f = intercepts_.search(at, nearly);
  std::copy(f.gradient().begin(), f.gradient().end(), change_.begin());
  std::copy(f.border().begin(), f.border().end(), bend_.begin());
  if (!intercepts_.solve(change_) || !intercepts_.solve(bend_)) {
    intercepts_.found();
    return with_penalty(f.value(), f.slope(), f.curvature());
  }
  for (double& e : change_) e = -e;
  for (double& e : bend_) e = -e;
  intercepts_.move(change_);
  intercepts_.follow(line, t, bend_);
  return with_penalty(f.value() + 0.5 * times(f.gradient(), change_), f.slope() + times(f.border(), change_),
                      f.curvature() + times(f.border(), bend_));
}

void SoftmaxOracle::reduce(const Basis& basis, const Point& x, Reduced& out) {
  const SoftmaxProblem& risk = *problem_;
  const double factor = 1 / risk.data.total_weight();
  SoftmaxImages at{.z = x.image.data()};
  if (risk.free_intercepts) {
    intercepts_.search(at, good);
    at.b = intercepts_.last().data();
  }
  sum_softmax(risk, sum_, scratch_, [&](SoftmaxChunk& rows, double* sum) {
    rows.evaluate(at, true);
    *sum += rows.total_value();
    for (std::size_t r = 0; r < rows.count; ++r) {
      const std::size_t first = (rows.begin + r) * rows.outputs;
      const double c = rows.weight(r);
      kernels().scale(out.slopes.data() + first, factor * c, rows.slope() + r * rows.outputs, rows.outputs);
      rows.curvatures(r, factor, out.curvatures.data() + first);
    }
  });
  out.value = factor * sum_[0] + risk.regularizer.value(product().squared_norm(x));
  reduce_grouped(risk.rows, basis, strong_convexity(), risk.free_intercepts, out);
}

void SoftmaxOracle::follow(const Line& line, const Reduced& at, std::span<const double> z) {
  if (!problem_->free_intercepts) return;
  at.intercepts_along(z, bend_);
  intercepts_.follow(line, 0, bend_);
}

// The lower model is written as a dual point. With u_i the derivatives of row i, the loss part of the linear term is
// A'u/n, and the offset is the mean of phi(z_i) - u_i.z_i = H(p_i). Both hold whatever the image z is. The computed u
// is that of the rounded differences z_k - max z to a few units of each number, so the errors need no drift of z; as
// the u_ik of a row add up to 0, the differences may stand for z in u.z. With free intercepts f(y, b') >= Q(y) + b'.r
// with r the mean of u_i, which is 0 up to rounding. Since its numbers add up to 0, |b*.r| is at most the range of b*
// times the sum of |r_k|.
Evaluation SoftmaxOracle::gradient(const Point& p, std::span<double> g) {
  const SoftmaxProblem& risk = *problem_;
  SoftmaxImages at{.z = p.image.data()};
  double residual = 0;
  if (risk.free_intercepts) {
    residual = intercepts_.search(at, exact).residual();
    intercepts_.found();
    at.b = intercepts_.last().data();
  }
  buffers_.resize(risk.data.buffer_size());
  const auto sums = risk.data.backward<5>(
      risk.rows, g, buffers_, [&](std::size_t begin, std::size_t end, std::span<double> weighted) {
        const Kernels& k = kernels();
        SoftmaxChunk rows(risk, begin, end - begin);
        rows.evaluate(at, true);
        const double *const u = rows.slope(), *const c = rows.weights();
        std::copy_n(u, rows.entries, dual_.data() + begin * rows.outputs);
        k.multiply(weighted.data(), u, c, rows.entries);
        std::array<double, 6> of_entries;  // the first and the last are for losses of one prediction
        k.dual_sums(u, u, rows.image(), c, c, rows.entries, of_entries.data());
        return parallel::Sums<5>{{rows.total_value(), of_entries[1], of_entries[2], of_entries[3], of_entries[4]}};
      });
  risk.regularizer.add_gradient(g, std::span<const double>(g), p.x);

  const double w = risk.data.total_weight();
  const double mean_loss = sums[0] / w;
  const double xx = product().squared_norm(p), penalty = risk.regularizer.value(xx);
  const double magnitude = mean_loss + (sums[2] + sums[3]) / w;  // of all that is added up, without cancellation
  const double rms_dual = std::sqrt(sums[4] / w);
  const double of_losses = loss_roundings + 2 * static_cast<double>(risk.classes);
  const double sum_error = (risk.data.sum_depth() + of_losses) * unit;

  Evaluation e;
  e.value = mean_loss + penalty;
  e.offset = mean_loss - sums[1] / w;
  e.offset_error = sum_error * magnitude;
  e.value_error = e.offset_error + sum_error * penalty +
                  2 * risk.data.forward_depth() * unit * rms_dual * risk.data.row_norm() * std::sqrt(xx);
  e.linear_error = (risk.data.backward_depth() + of_losses) * unit * rms_dual * risk.data.row_norm();
  if (risk.free_intercepts) {
    const double of_residual = (softmax_sum_depth(risk) + of_losses) * unit * sums[3];
    e.offset_error += risk.intercept_range * (residual + of_residual) / w;
    // Where intercepts are added to the images, and what they cost where they are not quite optimal.
    const double largest = largest_size(intercepts_.last());
    e.value_error += (2 * unit * largest * sums[3] + (2 * largest + 1) * residual) / w;
  }
  e.dual = dual_;
  return e;
}

}  // namespace geodescent
