#include "learn/softmax/softmax_oracle.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace geodescent {
namespace {

constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();
/// On a line, intercepts are accurate enough if the derivatives in them are at most this part of
/// the sum of the magnitudes of their terms. One Newton step removes the rest: values to third
/// order, slopes to second order.
constexpr double nearly = 1e-7;
/// Such derivatives change no digit of a Hessian that matters.
constexpr double good = 1e-12;
/// Derivatives below this part are rounding.
constexpr double exact = 32 * std::numeric_limits<double>::epsilon();
// The longest step in b that is taken by the parabola alone. If f is nearly flat in b, its minimum
// may be far away.
constexpr double longest_step = 1;
/// Roundings, in units of 2^-53, of one loss or one of its derivatives, beside the sums over the
/// classes.
constexpr double loss_roundings = 24;
/// Steps of the search for free intercepts in an evaluation, including the one that confirms
/// (measured on letter).
constexpr double usual_evaluations = 4;

Facts with_loss(Facts facts, const SoftmaxProblem& risk, bool by_rows) {
  facts.curvature_is_smooth = true;
  facts.losses_per_evaluation = risk.free_intercepts ? usual_evaluations : 1;
  if (!by_rows) add_hessian_facts(risk.data, facts);
  return facts;
}

double times(std::span<const double> a, std::span<const double> b) {
  return kernels().dot(a.data(), b.data(), a.size());
}

}  // namespace

SoftmaxOracle::SoftmaxOracle(std::shared_ptr<const SoftmaxProblem> problem, std::span<const double> expected)
    : SoftmaxOracle(std::move(problem), expected, nullptr) {}

SoftmaxOracle::SoftmaxOracle(std::shared_ptr<const SoftmaxProblem> problem, std::span<const double> expected,
                             std::unique_ptr<RowSpan> span)
    : LinearOracle(*problem, with_loss(facts_of(*problem, span.get()), *problem, span != nullptr), std::move(span)),
      problem_(std::move(problem)),
      intercepts_(*problem_, expected),
      line_sums_(*problem_),
      dual_(problem_->rows.local_rows() * problem_->classes),
      change_(problem_->classes),
      bend_(problem_->classes),
      kept_(problem_->classes),
      sum_(1),
      scratch_(softmax_scratch(*problem_, sum_.size())) {}

std::unique_ptr<Oracle> SoftmaxOracle::in_row_form(std::span<const double> x0) const {
  const auto& of_all = problem_->by_rows ? problem_->by_rows : problem_;
  return std::unique_ptr<Oracle>(
      new SoftmaxOracle(of_all, intercepts_.last(), std::make_unique<RowSpan>(of_all->data, of_all->rows, x0)));
}

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

/// Nearly optimal intercepts are enough: f is a parabola in b there, whose minimum is known from
/// its derivatives.
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
  const LineValue found =
      with_penalty(f.value() + 0.5 * times(f.gradient(), change_), f.slope() + times(f.border(), change_),
                   f.curvature() + times(f.border(), bend_));
  if (const double length = largest_size(change_); length > longest_step)
    for (double& e : change_) e *= longest_step / length;
  intercepts_.move(change_);
  intercepts_.follow(line, t, bend_);
  return found;
}

SoftmaxImages SoftmaxOracle::at_good_intercepts(const Point& p) {
  SoftmaxImages at{.z = p.image.data()};
  if (!problem_->free_intercepts) return at;
  intercepts_.search(at, good);
  at.b = intercepts_.last().data();
  return at;
}

void SoftmaxOracle::reduce(const Basis& basis, const Point& x, Reduced& out) {
  const SoftmaxProblem& risk = *problem_;
  const double factor = 1 / risk.data.total_weight();
  const SoftmaxImages at = at_good_intercepts(x);
  const auto take_derivatives = [&](SoftmaxChunk& rows) {
    rows.evaluate(at, true);
    for (std::size_t r = 0; r < rows.count; ++r) {
      const std::size_t first = (rows.begin + r) * rows.outputs;
      const double c = rows.weight(r);
      kernels().scale(out.slopes.data() + first, factor * c, rows.slope() + r * rows.outputs, rows.outputs);
      rows.curvatures(r, factor, out.curvatures.data() + first);
    }
  };
  RowSums total(risk.rows);
  sum_softmax(risk, total, sum_, scratch_, [&](SoftmaxChunk& rows, double* sum) {
    take_derivatives(rows);
    *sum += rows.total_value();
  });
  for_other_softmax_rows(risk, take_derivatives);
  reduce_grouped(total, basis, strong_convexity(), risk.free_intercepts, out);
  out.value = factor * sum_[0] + risk.regularizer.value(product().squared_norm(x));
}

void SoftmaxOracle::follow(const Line& line, const Reduced& at, std::span<const double> z) {
  if (!problem_->free_intercepts) return;
  at.intercepts_along(z, bend_);
  intercepts_.follow(line, 0, bend_);
}

/// Curvatures are smooth: no averages are needed.
void SoftmaxOracle::hessian_at(const Point& p, double /*width*/, Hessian& out) {
  softmax_hessian(*problem_, at_good_intercepts(p), out);
}

void SoftmaxOracle::follow(const Line& line, const Hessian& at, std::span<const double> d) {
  if (!problem_->free_intercepts) return;
  at.intercepts_along(d, bend_);
  intercepts_.follow(line, 0, bend_);
}

void SoftmaxOracle::begin_dual(std::span<const double> image) {
  const std::size_t entries = dual_.size();  // in row form an image may have one more
  ascent_ =
      std::make_unique<SoftmaxAscent>(*problem_, image.first(std::min(image.size(), entries)), intercepts_.last());
  ascent_point_ = Point(dimension(), image_size());
  if (image.empty()) return;
  Vector linear(dimension());
  dual_ball(linear);  // the coefficients of these dual values
}

double SoftmaxOracle::dual_epoch() {
  ascent_->epoch();
  return std::numeric_limits<double>::quiet_NaN();
}

// The lower model holds for every image (see `gradient`), and free intercepts make the dual values
// feasible.
Evaluation SoftmaxOracle::dual_ball(std::span<double> linear) {
  std::copy(ascent_->image().begin(), ascent_->image().end(), ascent_point_.image.begin());
  std::copy(intercepts_.last().begin(), intercepts_.last().end(), kept_.begin());
  intercepts_.restart({});
  Evaluation e = gradient(ascent_point_, linear);
  e.value = e.offset;  // of the lower model at 0, where the gradient is the linear term
  ascent_->move(intercepts_.last(), coefficients_of(linear));
  intercepts_.restart(kept_);
  return e;
}

// The lower model is written as a dual point. With u_i the derivatives of row i, the loss part of
// the linear term is A'u/n, and the offset is the mean of phi(z_i) - u_i.z_i = H(p_i). Both hold
// for every image z. The computed u is that of the rounded differences z_k - max z to a few units
// of each number, so the errors need no drift of z; as the u_ik of a row add up to 0, the
// differences may stand for z in u.z. With free intercepts f(y, b') >= Q(y) + b'.r with r the mean
// of u_i, which is 0 up to rounding. Since its numbers add up to 0, |b*.r| is at most the range of
// b* times the sum of |r_k|.
Evaluation SoftmaxOracle::gradient(const Point& p, std::span<double> g) {
  const SoftmaxProblem& risk = *problem_;
  SoftmaxImages at{.z = p.image.data()};
  double residual = 0;
  if (risk.free_intercepts) {
    residual = intercepts_.search(at, exact).residual();
    intercepts_.found();
    at.b = intercepts_.last().data();
  }
  const auto evaluate_rows = [&](std::size_t begin, std::size_t end, std::span<double> weighted) {
    const Kernels& k = kernels();
    SoftmaxChunk rows(risk, begin, end - begin);
    rows.evaluate(at, true);
    const double *const u = rows.slope(), *const c = rows.weights();
    std::copy_n(u, rows.entries, dual_.data() + begin * rows.outputs);
    k.multiply(weighted.data(), u, c, rows.entries);
    std::array<double, 6> of_entries;  // the first and the last are for losses of one prediction
    k.dual_sums(u, u, rows.image(), c, c, rows.entries, of_entries.data());
    return parallel::Sums<5>{{rows.total_value(), of_entries[1], of_entries[2], of_entries[3], of_entries[4]}};
  };
  const auto sums = linear_term<5>(g, evaluate_rows);

  const double of_losses = loss_roundings + 2 * static_cast<double>(risk.classes);
  InterceptErrors of_intercepts;
  if (risk.free_intercepts) {
    const double w = risk.data.total_weight();
    const double of_residual = (softmax_sum_depth(risk) + of_losses) * unit * sums[3];
    of_intercepts.offset = risk.intercept_range * (residual + of_residual) / w;
    // Where intercepts are added to the images, and what they cost where they are not quite
    // optimal.
    const double largest = largest_size(intercepts_.last());
    of_intercepts.value = (2 * unit * largest * sums[3] + (2 * largest + 1) * residual) / w;
  }
  Evaluation e =
      lower_model(p, g, {sums[0], sums[1], sums[2], sums[3], sums[4]}, {of_losses, of_losses}, of_intercepts);
  e.dual = risk.data.of_rows_here(dual_);
  return e;
}

}  // namespace geodescent
