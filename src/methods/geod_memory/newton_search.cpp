// Search along Newton's direction, from the Hessian of the whole space: one more pass.
//
// With smooth curvatures a memory adds nothing, because the direction minimises the second-order
// model over all directions. With the jumping curvature of a hinge the model is wrong for rows that
// cross a kink. A search over the span of the last directions then saves a fifth of the passes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/geod_memory/cost.hpp"
#include "methods/geod_memory/remembered_span.hpp"
#include "methods/geod_memory/search.hpp"
#include "optimize/search/line_search.hpp"
#include "optimize/search/newton_direction.hpp"

namespace geodescent {
namespace {

/// More exact line searches do not save iterations.
constexpr double line_tolerance = 0.01;
/// The search over the span ends when the gradient in the span is at most this part of the slope
/// along the new direction.
constexpr double span_tolerance = 0.05;
/// A limit of four saves no passes with either hinge, and needs 1.5 times the evaluations.
constexpr int most_steps = 2;

class NewtonSearch final : public Search {
 public:
  NewtonSearch(State& s, std::size_t directions)
      : remembers_(directions > 0),
        newton_(*s.f->hessian(), s.f->dimension()),
        span_(remembers_ ? RememberedSpan(*s.f, directions) : RememberedSpan()),
        direction_(s.f->dimension(), s.f->image_size()),
        before_(remembers_ ? direction_ : Point()),
        line_(s.f->dimension(), s.product) {
    if (remembers_) span_.start(s.x);
  }

  bool descend(State& s) override {
    if (!newton_.at(s.x, s.g.x, direction_.x)) combine(direction_.x, -1, s.g.x, 0, s.g.x);
    s.f->lift(direction_);
    const double slope = dot(s.g.x, direction_.x);
    if (!(remembers_ ? search_span(s, slope) : search_line(s, slope))) return false;
    s.evaluate();
    s.enclose();
    return true;
  }

 private:
  bool search_line(State& s, double slope) {
    line_.set(s.x, direction_);
    newton_.follow(line_, direction_.x);
    const LineStep step = line_minimum(*s.f, line_, {s.f_x, slope, -slope}, 1, line_tolerance);
    if (!step.finite) return false;
    // Near the minimum slopes still distinguish points whose values are equal up to rounding.
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::abs(s.f_x);
    const bool better = step.found && step.at.value <= s.f_x + rounding;
    const double taken = better ? step.t : 0;
    newton_.learn(taken, line_, taken);
    if (!better) return true;
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

  bool remembers_;
  NewtonDirection newton_;
  RememberedSpan span_;
  Point direction_, before_;
  Line line_;
};

constexpr std::size_t usual_directions = 50;
// Most iterations of Newton's method are far from the minimum. Near it each step doubles the digits
// (measured like expected_iterations).
constexpr double iterations_far_away = 3, iterations_among_kinks = 2.5, iterations_per_digit = 0.3;
/// Few rows with many columns can be separated, and curvatures vanish on the way to large
/// coefficients. Measured on normal features, 2,000 x 800 and 1,000 x 300, C = 100 and 10^4.
constexpr double more_iterations_of_columns_per_row = 2;
constexpr double evaluations = 6;  // evaluations of the losses in an iteration
constexpr double product_of_a_dense_hessian = 0.1, product_of_a_sparse_hessian = 0.5, product_of_a_factorization = 0.2;
constexpr double blocks_of_a_hessian = 8;

Memory plan(const Facts& f, const GeodMemory& settings, bool /*dual*/) {
  const std::size_t wanted = f.curvature_is_smooth ? 0 : settings.memory.value_or(usual_directions);
  return {.directions = std::min(f.dimension, wanted), .balls = settings.balls.value_or(0)};
}

double iterations(const Facts& f, double digits) {
  const double far_away = iterations_far_away + (f.curvature_is_smooth ? 0 : iterations_among_kinks);
  const double columns_per_row = number(f.dimension) / number(std::max<std::size_t>(1, f.image_size));
  const double separable = 1 + more_iterations_of_columns_per_row * columns_per_row;
  const double gradients = std::min(expected_iterations(f, digits), number(std::min(f.dimension, f.image_size)));
  return std::min(separable * (far_away + iterations_per_digit * digits), gradients);
}

/// Includes clearing and adding a matrix for each block of rows.
double hessian_time(const Facts& f) {
  const double d = number(f.dimension);
  const double product = f.hessian_is_dense ? product_of_a_dense_hessian : product_of_a_sparse_hessian;
  return f.hessian_products * product + vectors_time(2 * blocks_of_a_hessian * d * d) +
         d * d * d / 6 * product_of_a_factorization;
}

double iteration_time(const Facts& f, const Memory& memory, double iterations) {
  return 3 * pass_time(f) + evaluations * losses_time(f) + hessian_time(f) +
         remembered_time(f, memory, number(f.dimension), iterations);
}

double bytes(const Facts& f, const Memory& memory) {
  const double d = number(f.dimension), n = number(f.image_size);
  const double hessians = n + 9 * d * d + 256 * d + number(Cholesky::scratch(f.dimension));  // of blocks of rows
  const double span = memory.directions > 0 ? basis_numbers(f, memory.directions) + 3 * (n + d) : 0;
  return 8 * (5 * (n + d) + bundle_numbers(f, memory, d) + hessians + span);
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
    .bytes = bytes,
    .start = [](State& s, const Memory& memory, const GeodMemory&) -> std::unique_ptr<Search> {
      return std::make_unique<NewtonSearch>(s, memory.directions);
    }};

}  // namespace geodescent
