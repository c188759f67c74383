// Search along Newton's direction, from the Hessian of the whole space: one more pass.
//
// A Hessian that costs many iterations is kept. The directions are then those of limited-memory
// BFGS, which starts from the kept Hessian and learns its changes from the pairs of the iterations.
// A new Hessian is computed when the slopes along these directions say that it saves more than it
// costs.
//
// With smooth curvatures a memory adds nothing, because the direction minimises the second-order
// model over all directions. With the jumping curvature of a hinge the model is wrong for rows that
// cross a kink. A search over the span of the last directions then saves a fifth of the passes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/geod_memory/plan/cost.hpp"
#include "methods/geod_memory/plan/forecast.hpp"
#include "methods/geod_memory/remembered_span.hpp"
#include "methods/geod_memory/search.hpp"
#include "methods/inverse_hessian.hpp"
#include "optimize/search/line_search.hpp"
#include "optimize/search/newton_direction.hpp"

namespace geodescent {
namespace {

/// More exact line searches do not save iterations.
constexpr double line_tolerance = 0.01;
/// The same for directions of a kept Hessian, where the step then goes on to where the slope is
/// predicted to vanish.
constexpr double kept_line_tolerance = 0.3;
/// A Hessian is kept if its products take the time of more iterations without one (measured on
/// small sets: a few iterations more than with a Hessian in each, at worst twice as many).
constexpr double worth_keeping = 1.7;
/// The gap over the slope along such a direction. A proven gap is that much larger than the
/// decrease that is left.
constexpr double gap_of_slope = 30;
/// The iterations that usually follow a new Hessian, and the part of its time for which it is used
/// at least.
constexpr double iterations_after_hessian = 4, part_before_the_next = 0.8;
constexpr std::size_t kept_pairs = 30;
/// The search over the span ends when the gradient in the span is at most this part of the slope
/// along the new direction.
constexpr double span_tolerance = 0.05;
/// A limit of four saves no passes with either hinge, and needs 1.5 times the evaluations.
constexpr int most_steps = 2;

double hessian_time(const Facts& f, double products);
double time_of_kept(const Facts& f);

double rounding_of(double value) { return 4 * std::numeric_limits<double>::epsilon() * std::abs(value); }

class NewtonSearch final : public Search {
 public:
  NewtonSearch(State& s, const Memory& memory)
      : remembers_(memory.directions > 0),
        keeps_(memory.pairs > 0),
        newton_(*s.f->hessian(), s.f->dimension()),
        span_(remembers_ ? RememberedSpan(*s.f, memory.directions) : RememberedSpan()),
        direction_(s.f->dimension(), s.f->image_size()),
        before_(remembers_ ? direction_ : Point()),
        line_(s.f->dimension(), s.product) {
    if (remembers_) span_.start(s.x);
    if (!keeps_) return;
    pairs_ = InverseHessian<Vector>(memory.pairs, Vector(s.f->dimension()));
    iterations_of_hessian_ = hessian_time(s.f->facts(), s.f->facts().hessian_products) / time_of_kept(s.f->facts());
  }

  bool descend(State& s) override {
    if (keeps_ && !is_worth_a_hessian(s)) {
      pairs_.direction(s.g.x, direction_.x, [this](Vector& d) { newton_.solve(d); });
      if (const double slope = dot(s.g.x, direction_.x); slope < 0) {
        s.f->lift(direction_);
        if (!search_line(s, slope, kept_line_tolerance)) return false;
        if (found_.t != 0) return arrive_beside(s);
      }
    }
    has_hessian_ = newton_.at(s.x, s.g.x, direction_.x);
    if (!has_hessian_) combine(direction_.x, -1, s.g.x, 0, s.g.x);
    s.f->lift(direction_);
    const double slope = dot(s.g.x, direction_.x);
    since_hessian_ = 0;
    forecast_ = {};
    pairs_.clear();
    if (!(remembers_ ? search_span(s, slope) : search_line(s, slope, line_tolerance))) return false;
    arrive(s, found_.t);
    return true;
  }

 private:
  /// Whether a new Hessian is predicted to save time: the kept one has been used for a while, and
  /// needs more iterations from here than a new one with those that follow it.
  bool is_worth_a_hessian(const State& s) const {
    if (!has_hessian_) return true;
    return since_hessian_ >= part_before_the_next * iterations_of_hessian_ &&
           forecast_.iterations_to(s.wanted_gap()) > iterations_of_hessian_ + iterations_after_hessian;
  }

  /// Evaluates f at x, step t of the line, and encloses the ball there.
  void arrive(State& s, double t) {
    if (keeps_) pairs_.next_y() = s.g.x;
    s.evaluate();
    s.enclose();
    if (!keeps_) return;
    combine(pairs_.next_s(), t, direction_.x, 0, direction_.x);
    combine(pairs_.next_y(), 1, s.g.x, -1, pairs_.next_y());
    pairs_.remember();
  }

  /// The same where the slope vanishes if it is linear from the step found on, for no evaluation
  /// more. Where f has not fallen there, returns to the step found.
  bool arrive_beside(State& s) {
    const double beyond = found_.at.curvature > 0 ? -found_.at.slope / found_.at.curvature : 0;
    const double more = std::clamp(beyond, -0.5 * found_.t, found_.t);
    combine(s.x, 1, s.x, more, direction_);
    arrive(s, found_.t + more);
    if (more == 0 || s.f_x <= value_before_ + rounding_of(value_before_)) return true;
    combine(s.x, 1, s.x, -more, direction_);
    s.evaluate();
    s.enclose();
    return true;
  }

  bool search_line(State& s, double slope, double tolerance) {
    const bool fresh = since_hessian_ == 0;
    line_.set(s.x, direction_);
    if (fresh) newton_.follow(line_, direction_.x);
    const LineStep step = line_minimum(*s.f, line_, {s.f_x, slope, -slope}, 1, tolerance);
    if (!step.finite) return false;
    // Near the minimum slopes still distinguish points whose values are equal up to rounding.
    const bool better = step.found && step.at.value <= s.f_x + rounding_of(s.f_x);
    found_ = better ? step : LineStep{};
    if (fresh) newton_.learn(found_.t, line_, found_.t);
    forecast_.see(std::min(s.gap(), -gap_of_slope * slope), since_hessian_++);
    if (!better) return true;
    value_before_ = s.f_x;
    combine(s.x, 1, s.x, step.t, direction_);
    s.f_x = step.at.value;
    return true;
  }

  bool search_span(State& s, double slope) {
    span_.remember(direction_, s.x, {});
    before_ = s.x;
    // Newton's direction may be almost orthogonal to the gradient, so the slope along it is the
    // reference.
    const double length = norm(direction_.x);
    if (!span_.search(*s.f, s.x, s.f_x, {}, span_tolerance * std::abs(slope) / length, most_steps)) return false;
    const double part = (dot(s.x.x, direction_.x) - dot(before_.x, direction_.x)) / (length * length);
    combine(direction_, 1, s.x, -1, before_);
    line_.set(before_, direction_);
    newton_.learn(part, line_, 1);
    return true;
  }

  bool remembers_, keeps_, has_hessian_ = false;
  NewtonDirection newton_;
  RememberedSpan span_;
  Point direction_, before_;
  Line line_;
  LineStep found_;  // the end of the last line search; step 0 if it failed

  // With a kept Hessian.
  InverseHessian<Vector> pairs_;
  Forecast forecast_;
  double since_hessian_ = 0, iterations_of_hessian_ = 0, value_before_ = 0;
};

constexpr std::size_t usual_directions = 50;
// Most iterations of Newton's method are far from the minimum. Near it each step doubles the digits
// (measured like expected_iterations).
constexpr double iterations_far_away = 3, iterations_among_kinks = 2.5, iterations_per_digit = 0.3;
// With a kept Hessian, and how many of these iterations compute one (letter and dna, C = 1 and
// 100).
constexpr double kept_iterations_far_away = 6, kept_iterations_per_digit = 1.2, part_with_hessian = 0.15;
/// Few rows with many columns can be separated, and curvatures vanish on the way to large
/// coefficients. Measured on normal features, 2,000 x 800 and 1,000 x 300, C = 100 and 10^4.
constexpr double more_iterations_of_columns_per_row = 2;
/// The same with a kept Hessian, whose curvatures then vanish, too (dna, C = 100).
constexpr double more_kept_iterations_of_columns_per_row = 6;
constexpr double evaluations = 6, kept_evaluations = 2.5;  // of the losses in an iteration
constexpr double product_of_a_dense_hessian = 0.05, product_of_a_sparse_hessian = 0.5,
                 product_of_a_factorization = 0.05;
/// With several outputs, where the products of two entries serve all pairs of them (measured on
/// letter).
constexpr double product_of_a_multi_hessian = 0.05;
constexpr double blocks_of_a_hessian = 8;

/// The products, and the factorisation.
double hessian_work(const Facts& f, double products) {
  const double d = number(f.dimension);
  const double of_dense = f.outputs > 1 ? product_of_a_multi_hessian : product_of_a_dense_hessian;
  const double product = f.hessian_is_dense ? of_dense : product_of_a_sparse_hessian;
  return products * product + d * d * d / 6 * product_of_a_factorization;
}

/// Includes clearing and adding a matrix for each block of rows.
double hessian_time(const Facts& f, double products) {
  return hessian_work(f, products) + vectors_time(2 * blocks_of_a_hessian * number(f.dimension) * number(f.dimension));
}

double time_beside_hessian(const Facts& f) { return 3 * pass_time(f) + evaluations * losses_time(f); }
double time_of_kept(const Facts& f) {
  return 2 * pass_time(f) + kept_evaluations * losses_time(f) + vectors_time(number(f.dimension) * number(f.dimension));
}

bool is_kept(const Facts& f) {
  return f.curvature_is_smooth && hessian_work(f, f.hessian_products) > worth_keeping * time_of_kept(f);
}

Memory plan(const Facts& f, const GeodMemory& settings, bool /*dual*/) {
  const std::size_t wanted = f.curvature_is_smooth ? 0 : settings.memory.value_or(usual_directions);
  return {.directions = std::min(f.dimension, wanted),
          .pairs = is_kept(f) && settings.directions != few_passes_directions ? kept_pairs : 0,
          .balls = settings.balls.value_or(0)};
}

double iterations(const Facts& f, double digits) {
  const bool kept = is_kept(f);
  const double among_kinks = f.curvature_is_smooth ? 0 : iterations_among_kinks;
  const double far_away = kept ? kept_iterations_far_away : iterations_far_away + among_kinks;
  const double per_digit = kept ? kept_iterations_per_digit : iterations_per_digit;
  const double columns_per_row = number(f.dimension) / number(std::max<std::size_t>(1, f.image_size));
  const double more = kept ? more_kept_iterations_of_columns_per_row : more_iterations_of_columns_per_row;
  const double separable = 1 + more * columns_per_row;
  const double gradients = std::min(expected_iterations(f, digits), number(std::min(f.dimension, f.image_size)));
  return std::min(separable * (far_away + per_digit * digits), gradients);
}

double iteration_time(const Facts& f, const Memory& memory, double iterations) {
  const double hessian = hessian_time(f, f.hessian_products);
  const double search = is_kept(f) ? time_of_kept(f) + part_with_hessian * hessian : time_beside_hessian(f) + hessian;
  return search + remembered_time(f, memory, number(f.dimension), iterations);
}

/// With several outputs the Hessian at 0 has the same products for all pairs of them.
double first_time(const Facts& f) {
  const double k = number(f.outputs), pairs = k * (k - 1) / 2;
  if (pairs <= 1) return std::numeric_limits<double>::infinity();
  return time_beside_hessian(f) + hessian_time(f, f.hessian_products / pairs);
}

/// With those of blocks of rows. With K outputs these are of pairs of outputs, and have a quarter
/// of the entries.
double hessian_numbers(const Facts& f) {
  const double d = number(f.dimension), k = number(f.outputs);
  const double blocks = blocks_of_a_hessian * (f.outputs > 1 ? 0.25 * d * d + 64 * k * k : d * d);
  return d * d + blocks + 256 * d + number(f.image_size) + number(Cholesky::scratch(f.dimension));
}

double bytes(const Facts& f, const Memory& memory) {
  const double d = number(f.dimension), n = number(f.image_size);
  const double hessians = hessian_numbers(f);
  const double span = memory.directions > 0 ? basis_numbers(f, memory.directions) + 3 * (n + d) : 0;
  const double pairs = 2 * number(memory.pairs) * d;
  return 8 * (5 * (n + d) + bundle_numbers(f, memory, d) + hessians + span + pairs);
}

}  // namespace

extern const SearchKind newton_search{
    .name = "newton",
    .is_candidate = true,
    .works_by_rows = false,  // the row form has no Hessian
    .saves_passes = true,
    .lifts_gradients = false,
    .guarded = Guarded::by_fallback,
    .pace = Pace::superlinear,
    .applies = [](const Facts& f) { return f.hessian_products > 0; },
    .plan = plan,
    .iterations = iterations,
    .iteration_time = iteration_time,
    .first_time = first_time,
    .bytes = bytes,
    .start = [](State& s, const Memory& memory, const GeodMemory&) -> std::unique_ptr<Search> {
      return std::make_unique<NewtonSearch>(s, memory);
    }};

}  // namespace geodescent
