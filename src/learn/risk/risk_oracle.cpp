#include "learn/risk/risk_oracle.hpp"

#include <cmath>
#include <limits>
#include <new>

namespace geodescent {
namespace {

/// On a line, the intercept is accepted if its slope is at most this part of the sum of the
/// magnitudes of its terms. One Newton step corrects the rest: values to third order, slopes to
/// second order.
constexpr double nearly = 1e-7;
/// The same limit for Hessians: a more accurate intercept changes no digit that matters.
constexpr double good = 1e-12;
/// From a relative slope this small, one Newton step reaches the optimal intercept up to rounding.
constexpr double one_step_away = 1e-8;
/// Roundings, in units of 2^-53, of one loss and its factor. Logistic has the most: 3 of exp, 2 of
/// log1p, one of their sum.
constexpr double loss_roundings = 16;
/// The same of a dual value with its factors.
constexpr double dual_roundings = 3;

Facts with_loss(Facts facts, const RiskProblem& risk) {
  facts.curvature_is_smooth = risk.loss->curvature_is_smooth();
  facts.parallel_epochs = risk.data.alone() && DualAscent::begins_parallel(risk.data);
  return facts;
}

}  // namespace

RiskOracle::RiskOracle(std::shared_ptr<const RiskProblem> problem, double expected_intercept)
    : RiskOracle(std::move(problem), expected_intercept, nullptr) {}

RiskOracle::RiskOracle(std::shared_ptr<const RiskProblem> problem, double expected_intercept,
                       std::unique_ptr<RowSpan> span)
    : LinearOracle(*problem, with_loss(facts_of(*problem, span.get()), *problem), std::move(span)),
      problem_(std::move(problem)),
      dual_(problem_->rows.local_rows()),
      intercept_(expected_intercept) {}

std::unique_ptr<Oracle> RiskOracle::in_row_form(std::span<const double> x0) const {
  const auto& of_all = problem_->by_rows ? problem_->by_rows : problem_;
  return std::unique_ptr<Oracle>(
      new RiskOracle(of_all, intercept_.last(), std::make_unique<RowSpan>(of_all->data, of_all->rows, x0)));
}

void RiskOracle::lift(Point& p) {
  if (refined_) return refined_->forward(p.x, p.image);
  LinearOracle::lift(p);
}

bool RiskOracle::refine() {
  if (is_by_rows() || refined_) return false;
  try {
    refined_ = std::make_unique<RefinedProducts>(*problem_);
  } catch (const std::bad_alloc&) {
    if (!problem_->data.alone()) throw;  // the others go on with more digits
    return false;                        // running out of memory must not discard the result so far
  }
  return true;
}

// The intercept ----------------------------------------------------------------------------------

Vector RiskOracle::intercepts() const { return problem_->free_intercept ? Vector{intercept_.last()} : Vector(); }

void RiskOracle::arrive(const Line& line, double t) { intercept_.found(intercept_.at(line, t)); }

/// Starts from the last intercept. Without `confirm` the result of the last Newton step is not
/// evaluated.
double RiskOracle::search_intercept(const Images& from, bool confirm) const {
  InterceptSearch search(intercept_.last());
  for (Images at = from;;) {
    at.b = search.b();
    const auto sums = sum_losses<3>(*problem_, at, false, intercept_sums);
    if (!search.improve(sums[0], sums[1], sums[2])) return search.b();
    if (!confirm && std::abs(sums[0]) <= one_step_away * sums[2]) return search.b();
  }
}

/// sum_losses at an intercept that is accurate enough for a Hessian or a direction. Usually the
/// last intercept is, which the sums show; then rows are evaluated once.
template <std::size_t K, class Sum>
std::array<double, K> RiskOracle::sum_at_good_intercept(Images at, bool values, const Sum& sum) {
  if (!problem_->free_intercept) return sum_losses<K>(*problem_, at, values, sum);
  std::array<double, K> result;
  InterceptSearch search(intercept_.last());
  for (;;) {
    at.b = search.b();
    const auto sums = sum_losses<K + 3>(*problem_, at, values, [&](LossChunk& rows, double* out) {
      sum(rows, out);
      intercept_sums(rows, out + K);
    });
    std::copy_n(sums.begin(), K, result.begin());
    if (std::abs(sums[K]) <= good * sums[K + 2] || !search.improve(sums[K], sums[K + 1], sums[K + 2])) break;
  }
  if (at.b != intercept_.last()) intercept_.found(at.b);
  return result;
}

// Lines ------------------------------------------------------------------------------------------

LineValue RiskOracle::on(Line& line, double t) {
  if (problem_->free_intercept) return on_with_intercept(line, t);
  const double* const d = line.direction().image.data();
  const double w = problem_->data.total_weight();
  const L2& r = problem_->regularizer;
  const auto sums = sum_losses<3>(
      *problem_, {.z = line.origin().image.data(), .d = d, .t = t}, true,
      [=](LossChunk& rows, double* out) { kernels().line_sums(rows.phi(), d + rows.begin, rows.count, out); });
  return {sums[0] / w + r.value(line.squared_norm(t)), sums[1] / w + r.slope(line.half_slope(t)),
          sums[2] / w + r.curvature(line.direction_squared_norm())};
}

/// A nearly optimal intercept is enough: f is quadratic in b there, and its minimum follows from
/// slope and curvature.
LineValue RiskOracle::on_with_intercept(Line& line, double t) {
  const double* const d = line.direction().image.data();
  Images at{.z = line.origin().image.data(), .d = d, .t = t};
  const auto evaluate_at = [&](double b) {
    at.b = b;
    return sum_losses<7>(*problem_, at, true, [=](LossChunk& rows, double* out) {
      kernels().shifted_line_sums(rows.phi(), d + rows.begin, rows.sign(), rows.count, out);
    });
  };
  InterceptSearch search(intercept_.at(line, t), nearly);
  auto sums = evaluate_at(search.b());
  while (search.improve(sums[0], sums[1], sums[2])) sums = evaluate_at(search.b());
  const double w = problem_->data.total_weight();
  const double move = sums[1] > 0 ? sums[0] / sums[1] : 0, bend = sums[1] > 0 ? sums[6] / sums[1] : 0;
  intercept_.found(line, t, search.b() - move, -bend);
  const L2& r = problem_->regularizer;
  return {(sums[3] - 0.5 * sums[0] * move) / w + r.value(line.squared_norm(t)),
          (sums[4] - move * sums[6]) / w + r.slope(line.half_slope(t)),
          // The optimal intercept moves with t, which reduces the curvature.
          std::max(0.0, sums[5] - bend * sums[6]) / w + r.curvature(line.direction_squared_norm())};
}

// Second order -----------------------------------------------------------------------------------

void RiskOracle::reduce(const Basis& basis, const Point& x, Reduced& out) {
  const RiskProblem& risk = *problem_;
  const double c = 1 / risk.data.total_weight();
  const auto take_derivatives = [&](LossChunk& rows, double* sum) {
    kernels().scale(out.slopes.data() + rows.begin, c, rows.slope(), rows.count);
    kernels().scale(out.curvatures.data() + rows.begin, c, rows.curvature(), rows.count);
    *sum = kernels().sum(rows.value(), rows.count);
  };
  const Images at{.z = x.image.data()};
  RowSums sums(risk.rows);
  std::array<double, 1> total;
  if (risk.free_intercept)
    total = sum_at_good_intercept<1>(at, true, take_derivatives);
  else
    sum_losses(risk, at, true, sums, total, take_derivatives);
  reduce_separable(sums, basis, strong_convexity(), risk.intercept_signs(), out);
  out.value = c * total[0] + risk.regularizer.value(product().squared_norm(x));
}

void RiskOracle::follow(const Line& line, const Reduced& at, std::span<const double> z) {
  intercept_.found(line, 0, intercept_.last(), at.intercept_along(z));
}

Hessian RiskOracle::hessian_memory() const { return problem_->data.hessian_memory(problem_->free_intercept); }

void RiskOracle::hessian_at(const Point& p, double width, Hessian& out) {
  const RiskProblem& risk = *problem_;
  sum_at_good_intercept<0>({.z = p.image.data()}, false, [&](LossChunk& rows, double*) {
    std::copy_n(rows.curvature(), rows.count, out.curvatures.data() + rows.begin);
  });
  intercept_of_hessian_ = risk.free_intercept ? intercept_.last() : 0;
  if (width > 1e-6) {  // for smaller widths no curvature changes
    const Images at{.z = p.image.data(), .b = intercept_of_hessian_};
    sum_chunks<0>(risk, [&](LossChunk& rows, double*) {
      alignas(64) std::array<double, LossChunk::size> z, moved, above;
      double* const curvatures = out.curvatures.data() + rows.begin;
      std::copy_n(rows.image(at), rows.count, z.data());
      rows.evaluate(z.data(), false);
      std::copy_n(rows.curvature(), rows.count, curvatures);
      for (std::size_t j = 0; j < rows.count; ++j) moved[j] = z[j] + width;
      rows.evaluate(moved.data(), false);
      std::copy_n(rows.slope(), rows.count, above.data());
      for (std::size_t j = 0; j < rows.count; ++j) moved[j] = z[j] - width;
      rows.evaluate(moved.data(), false);
      kernels().mean_curvatures(curvatures, z.data(), above.data(), rows.slope(), width, rows.count);
      if (!risk.weights.empty()) kernels().multiply(curvatures, curvatures, rows.weight(), rows.count);
    });
  }
  risk.data.hessian(strong_convexity(), risk.free_intercept, out);
}

void RiskOracle::follow(const Line& line, const Hessian& at, std::span<const double> d) {
  intercept_.found(line, 0, intercept_of_hessian_, at.intercept_along(d));
}

/// Includes the move of the intercept, which may undo the change of all images.
double RiskOracle::image_change(const Line& line, double t) {
  if (facts().curvature_is_smooth) return 0;
  const double moved = problem_->free_intercept ? intercept_.at(line, t) - intercept_of_hessian_ : 0;
  const Images change{.d = line.direction().image.data(), .t = t, .b = moved};
  const double sum = sum_chunks<1>(*problem_, [&](LossChunk& rows, double* out) {
    const double* const by = rows.image(change);
    *out = kernels().dot(by, by, rows.count);
  })[0];
  return std::sqrt(sum / static_cast<double>(problem_->rows.rows()));
}

// The dual ---------------------------------------------------------------------------------------

void RiskOracle::begin_dual(std::span<const double> image) {
  ascent_ = std::make_unique<DualAscent>(*problem_, image, intercept_.last());
  ascent_point_ = Point(dimension(), image_size());
  if (image.empty()) return;
  Vector linear(dimension());
  dual_ball(linear);  // the coefficients of these dual values
}

// The lower model holds for every image (see `gradient`), and a free intercept makes the dual
// values feasible.
Evaluation RiskOracle::dual_ball(std::span<double> linear) {
  std::copy(ascent_->image().begin(), ascent_->image().end(), ascent_point_.image.begin());
  const double intercept = intercept_.last();
  intercept_.found(0);
  Evaluation e = gradient(ascent_point_, linear);
  e.value = e.offset;  // of the lower model at 0, where the gradient is the linear term
  const double moved = problem_->free_intercept ? intercept_.last() : 0;
  intercept_.found(intercept);
  ascent_->move(moved, coefficients_of(linear));
  return e;
}

// First order ------------------------------------------------------------------------------------

// With a free intercept f(y, b') >= Q(y) + b' r, with Q the lower model and r the mean of u_i s_i,
// which is 0 up to rounding: Q is lowered by |b*| |r|.
Evaluation RiskOracle::gradient(const Point& p, std::span<double> g) {
  const RiskProblem& risk = *problem_;
  Images at{.z = p.image.data()};
  const auto find_intercept = [&](bool confirm) {
    if (!risk.free_intercept) return;
    intercept_.found(search_intercept(at, confirm));
    at.b = intercept_.last();
  };
  const auto evaluate_rows = [&](std::size_t begin, std::size_t end, std::span<double> weighted) {
    const Kernels& k = kernels();
    LossChunk rows(risk, begin, end - begin);
    const double *const z = rows.image(at), *const c = rows.weight();
    rows.evaluate(z, true);
    std::copy_n(rows.slope(), rows.count, dual_.data() + begin);
    k.multiply(weighted.data(), rows.slope(), c, rows.count);
    parallel::Sums<6> sums;
    k.dual_sums(rows.value(), rows.slope(), z, rows.sign(), c, rows.count, sums.of.data());
    return sums;
  };
  find_intercept(false);
  auto sums = linear_term<6>(g, evaluate_rows);
  if (risk.free_intercept && !(std::abs(sums[5]) <= InterceptSearch::exact * sums[3])) {
    find_intercept(true);
    sums = linear_term<6>(g, evaluate_rows);
  }
  std::optional<ProductErrors> refined;
  if (refined_) {
    const double linear = refined_->backward(dual_, g);
    refined = {linear, refined_->loss_error(p.image, dual_, std::sqrt(product().squared_norm(p)))};
  }
  InterceptErrors of_intercept;
  if (risk.free_intercept) {
    const double pull = std::abs(sums[5]) + sum_error(loss_roundings) * sums[3];
    of_intercept.offset =
        refined_ ? refined_->intercept_error(dual_) : risk.largest_intercept * pull / risk.data.total_weight();
  }
  Evaluation e = lower_model(p, g, {sums[0], sums[1], sums[2], sums[3], sums[4]}, {loss_roundings, dual_roundings},
                             of_intercept, refined);
  e.dual = risk.data.of_rows_here(dual_);
  return e;
}

}  // namespace geodescent
