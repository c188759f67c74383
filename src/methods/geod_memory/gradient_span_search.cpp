// Search in the span of the gradients of a run. Every direction has its image, so this costs no
// pass.
//
//   span    the remembered directions
//   pairs   steps and changes of the gradient. They give one more direction, that of limited-memory BFGS,
//           which keeps information of dropped directions when the memory is too small.
//
// Theorem 1 needs three inequalities. Each of the three searches gives one:
//   along g        f(x_k^+) <= f(x_k) - |g_k|^2 / (2 beta)
//   over the span  f(x_{k+1}) <= f(x_k^+), since f never rises
//   towards c      g_{k+1}.(x_{k+1} - c_k) <= 0. A violation of a tenth of the gap is accepted: the rate is
//                  then 1 - 0.9/sqrt(kappa).
#include <algorithm>
#include <vector>

#include "methods/common.hpp"
#include "methods/geod_memory/plan/cost.hpp"
#include "methods/geod_memory/plan/memory_plan.hpp"
#include "methods/geod_memory/remembered_span.hpp"
#include "methods/geod_memory/search.hpp"
#include "methods/inverse_hessian.hpp"

namespace geodescent {
namespace {

/// The search over the span ends when the gradient in the span is at most this part of the whole
/// gradient before it.
constexpr double search_tolerance = 0.05;
/// The limit is rarely reached, mostly with the kinks of a hinge. A smaller one would cost
/// gradients, which are more expensive than steps.
constexpr int most_steps = 16;
/// A slope towards the centre counts if it predicts a decrease of this part of the gap.
constexpr double centre_tolerance = 0.1;

class GradientSpanSearch final : public Search {
 public:
  GradientSpanSearch(State& s, const Memory& memory, double tolerance)
      : line_tolerance(tolerance),
        learns_pairs(memory.pairs > 0),
        span(*s.f, memory.directions),
        pairs(memory.pairs, s.x, s.product),
        line(s.f->dimension(), s.product),
        direction(point_of(*s.f)),
        before(learns_pairs ? point_of(*s.f) : Point()),
        g_before(before) {
    span.start(s.x);
    aims.reserve(2);
  }

  bool descend(State& s) override {
    if (!s.product.by_rows) s.f->lift(s.g);
    aims.clear();
    if (!s.balls.estimated()) {
      s.balls.set_images(s.x, s.g);
      aims.push_back(&s.balls.linear());
    }
    span.remember(s.g, s.x, aims);
    if (learns_pairs) learn_pair(s);
    // Until a direction is dropped, the centre and the direction of the pairs lie in the span.
    if (!span.has_forgotten()) {
      aims.clear();
    } else if (learns_pairs) {
      pairs.direction(s.g, direction);
      if (!pairs.empty()) aims.push_back(&direction);
    }
    if (!search_along_gradient(s)) return false;
    if (!span.search(*s.f, s.x, s.f_x, aims, search_tolerance * s.product.norm(s.g), most_steps)) return false;
    if (!s.balls.estimated() && !search_towards_centre(s)) return false;
    s.evaluate();
    s.enclose();
    return true;
  }

 private:
  /// Adds the step from the last point to x. If the step or the change of the gradient is mostly
  /// rounding, so are its images, and a quasi-Newton direction would amplify the error.
  void learn_pair(const State& s) {
    const auto small = [&](const Point& difference, const Point& of) {
      return s.product.squared_norm(difference) <= 1e-10 * s.product.squared_norm(of);
    };
    if (has_before) {
      combine(pairs.next_s(), 1, s.x, -1, before);
      combine(pairs.next_y(), 1, s.g, -1, g_before);
      if (!small(pairs.next_s(), s.x) && !small(pairs.next_y(), s.g)) pairs.remember();
    }
    before = s.x;
    g_before = s.g;
    has_before = true;
  }

  bool search_along_gradient(State& s) {
    line.set(s.x, s.g);
    const LineStep down =
        line_minimum(*s.f, line, {s.at_x.value, line.direction_squared_norm(), 0}, last_down, line_tolerance);
    if (!down.finite) return false;
    last_down = down.t;
    if (!down.found || !(down.at.value < s.f_x)) return true;
    combine(s.x, 1, s.x, down.t, s.g);
    s.f_x = down.at.value;
    return true;
  }

  /// After an exact minimisation over the span the slope towards c, which lies in it, is 0. After
  /// an inexact one it may be negative.
  bool search_towards_centre(State& s) {
    combine(direction, -1 / s.balls.alpha(), s.balls.linear(), -1, s.x);
    line.set(s.x, direction);
    const LineValue here = s.f->on(line, 0);
    if (!(here.slope < -centre_tolerance * s.gap())) return true;
    const LineStep ahead = line_minimum(*s.f, line, here, 1, line_tolerance);
    if (!ahead.finite) return false;
    // Not beyond the centre: a convex combination cannot amplify rounding of images.
    const double t = std::min(ahead.t, 1.0), value = ahead.t > 1 ? s.f->on(line, t).value : ahead.at.value;
    if (!ahead.found || !(value < s.f_x)) return true;
    combine(s.x, 1, s.x, t, direction);
    s.f_x = value;
    return true;
  }

  double line_tolerance;
  bool learns_pairs;
  RememberedSpan span;
  InverseHessian<Point> pairs;
  Line line;
  Point direction, before, g_before;
  bool has_before = false;
  std::vector<const Point*> aims;  // directions that are searched but not remembered
  double last_down = 0;            // the first step that the search along the gradient tries
};

constexpr std::size_t fewest_directions = 20;
constexpr std::size_t most_columns = 1000;  // the capacity of a Basis, with a margin
constexpr std::size_t fewest_balls = 20;
// Evaluations of the losses in an iteration, and how often it reads the directions.
constexpr double evaluations = 12, readings_of_directions = 5;

double point_numbers(const Facts& f) { return number(f.dimension + f.image_size); }

/// The time of the searches over m directions in one iteration.
double span_time(const Facts& f, double m) { return vectors_time(readings_of_directions * m * point_numbers(f)); }

Memory plan(const Facts& f, const GeodMemory& settings, bool dual) {
  Memory plan;
  const auto time_of_balls = [&](double m) { return balls_time(f, dual, point_numbers(f), m); };
  plan.balls = settings.balls.value_or(affordable(fewest_balls, most_balls, 2 * pass_time(f), time_of_balls));
  // Twice the cost of the passes, plus the cost of limited-memory BFGS, which never works in row
  // form.
  const double budget = 2 * pass_time(f) + pairs_time(number(f.columns), number(usual_pairs(f)));
  plan.directions = settings.memory.value_or(
      affordable(fewest_directions, most_directions, budget, [&](double m) { return span_time(f, m / 2); }));
  plan.directions = std::min({plan.directions, f.dimension, most_columns});
  // With many directions, or if they fill the space, pairs add nothing.
  const auto time_of_pairs = [&](double m) { return pairs_time(point_numbers(f), m); };
  if (settings.pairs)
    plan.pairs = *settings.pairs;
  else if (plan.directions < std::min(most_pairs, f.dimension))
    plan.pairs = affordable(fewest_pairs, most_pairs, 2 * pass_time(f), time_of_pairs);
  return plan;
}

/// At most the number of directions; fewer if the problem is well conditioned.
double iterations(const Facts& f, double digits) {
  return std::min(expected_iterations(f, digits), number(std::min(f.dimension, f.image_size)));
}

double iteration_time(const Facts& f, const Memory& memory, double iterations) {
  return 2 * pass_time(f) + evaluations * losses_time(f) + span_time(f, on_average(memory.directions, iterations)) +
         remembered_time(f, memory, point_numbers(f), iterations);
}

double bytes(const Facts& f, const Memory& memory) {
  const double points = 9 + 2 * number(memory.pairs);
  return 8 * (points * point_numbers(f) + bundle_numbers(f, memory, point_numbers(f)) +
              basis_numbers(f, memory.directions));
}

}  // namespace

extern const SearchKind gradient_span_search{
    .name = "gradients",
    .is_candidate = true,
    .works_by_rows = true,
    .saves_passes = true,
    .lifts_gradients = true,
    .guarded = Guarded::never,
    .pace = Pace::of_condition,
    .applies = [](const Facts& f) { return f.image_size > 0; },
    .plan = plan,
    .iterations = iterations,
    .iteration_time = iteration_time,
    .bytes = bytes,
    .start = [](State& s, const Memory& memory, const GeodMemory& settings) -> std::unique_ptr<Search> {
      return std::make_unique<GradientSpanSearch>(s, memory, settings.line_tolerance);
    }};

}  // namespace geodescent
