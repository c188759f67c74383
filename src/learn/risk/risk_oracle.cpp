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

Facts facts_of(const RiskProblem& risk, const RowSpan* span) {
  Facts facts = span ? span->facts() : risk.data.facts();
  facts.strong_convexity = risk.regularizer.strong_convexity();
  facts.trivial_bound = 0;  // losses are not negative
  facts.condition = risk.smoothness_bound() / facts.strong_convexity;
  facts.curvature_is_smooth = risk.loss->curvature_is_smooth();
  facts.dual_condition = risk.dual_condition();
  facts.parallel_epochs = DualAscent::begins_parallel(risk.data);
  return facts;
}

}  // namespace

RiskOracle::RiskOracle(std::shared_ptr<const RiskProblem> problem, double expected_intercept)
    : RiskOracle(std::move(problem), expected_intercept, nullptr) {}

RiskOracle::RiskOracle(std::shared_ptr<const RiskProblem> problem, double expected_intercept,
                       std::unique_ptr<RowSpan> span)
    : Oracle(facts_of(*problem, span.get())),
      problem_(std::move(problem)),
      span_(std::move(span)),
      dual_(problem_->rows.local_rows()),
      intercept_(expected_intercept) {}

std::unique_ptr<Oracle> RiskOracle::row_form(std::span<const double> x0) {
  const RiskProblem& risk = *problem_;
  if (span_ || !RowSpan::is_smaller(risk.data, x0)) return nullptr;
  auto span = std::make_unique<RowSpan>(risk.data, risk.rows, x0);
  return std::unique_ptr<Oracle>(new RiskOracle(problem_, intercept_.last(), std::move(span)));
}

void RiskOracle::expand(std::span<const double> multipliers, std::span<double> x) {
  if (span_) return span_->expand(multipliers, x);
  Oracle::expand(multipliers, x);
}

void RiskOracle::lift(Point& p) {
  if (span_) return span_->lift(p.x, p.image);
  if (refined_) return refined_->forward(p.x, p.image);
  problem_->data.forward(p.x, p.image);
}

bool RiskOracle::refine() {
  if (span_ || refined_) return false;
  try {
    refined_ = std::make_unique<RefinedProducts>(*problem_);
  } catch (const std::bad_alloc&) {
    return false;  // running out of memory must not discard the result so far
  }
  return true;
}

// The intercept ------------------------------------------------------------------------------------------------------

std::optional<double> RiskOracle::intercept() const {
  return problem_->free_intercept ? std::optional(intercept_.last()) : std::nullopt;
}

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
  std::array<double, K> result;
  InterceptSearch search(intercept_.last());
  for (;;) {
    at.b = problem_->free_intercept ? search.b() : 0;
    const auto sums = sum_losses<K + 3>(*problem_, at, values, [&](LossChunk& rows, double* out) {
      sum(rows, out);
      if (problem_->free_intercept)
        intercept_sums(rows, out + K);
      else
        std::fill_n(out + K, 3, 0.0);
    });
    std::copy_n(sums.begin(), K, result.begin());
    if (!problem_->free_intercept) return result;
    if (std::abs(sums[K]) <= good * sums[K + 2] || !search.improve(sums[K], sums[K + 1], sums[K + 2])) break;
  }
  if (at.b != intercept_.last()) intercept_.found(at.b);
  return result;
}

// Lines --------------------------------------------------------------------------------------------------------------

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

// Second order -------------------------------------------------------------------------------------------------------

void RiskOracle::reduce(const Basis& basis, const Point& x, Reduced& out) {
  const RiskProblem& risk = *problem_;
  const double c = 1 / risk.data.total_weight();
  const double total = sum_at_good_intercept<1>({.z = x.image.data()}, true, [&](LossChunk& rows, double* sum) {
    kernels().scale(out.slopes.data() + rows.begin, c, rows.slope(), rows.count);
    kernels().scale(out.curvatures.data() + rows.begin, c, rows.curvature(), rows.count);
    *sum = kernels().sum(rows.value(), rows.count);
  })[0];
  out.value = c * total + risk.regularizer.value(product().squared_norm(x));
  reduce_separable(risk.rows, basis, strong_convexity(), risk.intercept_signs(), out);
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
  risk.data.hessian(risk.rows, strong_convexity(), risk.free_intercept, out);
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

// The dual -----------------------------------------------------------------------------------------------------------

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
  ascent_->move(moved, span_ ? span_->expanded() : linear);
  return e;
}

// First order --------------------------------------------------------------------------------------------------------

// The lower model is a dual point. With dual values u_i the loss part of the linear term is exactly
// A'u/n, and the offset is the mean of phi(z_i) - u_i z_i = -phi*(u_i). Both hold for every image
// z, so the drift of an image over thousands of combinations cannot invalidate the lower bound.
// With a free intercept f(y, b') >= Q(y) + b' r, with r the mean of u_i s_i, which is 0 up to
// rounding: Q is lowered by |b*| |r|.
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
  if (!span_) buffers_.resize(risk.data.buffer_size());
  const auto sum_all = [&] {
    return span_ ? span_->linear_term<6>(evaluate_rows) : risk.data.backward<6>(risk.rows, g, buffers_, evaluate_rows);
  };
  find_intercept(false);
  auto sums = sum_all();
  if (risk.free_intercept && !(std::abs(sums[5]) <= InterceptSearch::exact * sums[3])) {
    find_intercept(true);
    sums = sum_all();
  }
  const double refined_error = refined_ ? refined_->backward(dual_, g) : 0;
  risk.regularizer.add_gradient(g, span_ ? span_->multipliers() : std::span<const double>(g), p.x);

  const double w = risk.data.total_weight();
  const double mean_loss = sums[0] / w;
  const double xx = product().squared_norm(p), penalty = risk.regularizer.value(xx);
  const double magnitude = mean_loss + (sums[2] + sums[3]) / w;  // the sum of the magnitudes of all terms
  const double rms_dual = std::sqrt(sums[4] / w);
  constexpr double unit = 0.5 * std::numeric_limits<double>::epsilon();
  const double sum_error = (risk.data.sum_depth() + loss_roundings) * unit;

  Evaluation e;
  e.value = mean_loss + penalty;
  e.offset = mean_loss - sums[1] / w;
  e.offset_error = sum_error * magnitude;
  e.value_error = e.offset_error + sum_error * penalty;
  if (refined_) {
    e.linear_error = refined_error;
    e.value_error += refined_->loss_error(p.image, dual_, std::sqrt(xx));
  } else {
    e.linear_error = (risk.data.backward_depth() + 3) * unit * rms_dual * risk.data.row_norm();
    e.value_error += 2 * risk.data.forward_depth() * unit * rms_dual * risk.data.row_norm() * std::sqrt(xx);
  }
  if (risk.free_intercept) {
    const double plain = risk.largest_intercept * (std::abs(sums[5]) + sum_error * sums[3]) / w;
    e.offset_error += refined_ ? refined_->intercept_error(dual_) : plain;
  }
  e.dual = dual_;
  if (span_) {
    span_->describe(e);
    // |x|^2 has terms of both signs in row form
    e.value_error += sum_error * risk.regularizer.value(norm(p.x) * norm(p.image));
  }
  return e;
}

}  // namespace geodescent
