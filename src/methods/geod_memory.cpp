// Geometric Descent with memory: the answer to the question that the paper ends with.
//
// GeoD remembers one ball and searches two lines. Here the last balls are kept and intersected all at once, and between
// the two line searches lies one over the span of many directions. Since every direction has its image, that costs no
// pass: an iteration is one product with the data each way, as before.
//
//   x, f_x      the point, and f there
//   g, at_x     the gradient at x before the search, lifted, and f with its ball there
//   balls       the enclosing ball and the last ones; its centre is c
//   memory      the directions remembered
//
// Theorem 1 needs three inequalities, and each of the three searches gives one of them:
//   along g        f(x_k^+) <= f(x_k) - |g_k|^2 / (2 beta)
//   over the span  f(x_{k+1}) <= f(x_k^+)                      (f never rises)
//   towards c      g_{k+1}.(x_{k+1} - c_k) <= 0
//
// Where the space is small, the direction is Newton's instead of the gradient, from a Hessian that costs another pass.
// That leaves the theorem; so when it does not halve the proven gap in thirty iterations, the run goes on with
// gradients.
//
// On a function without image a search over a subspace would cost evaluations: see black_box_search.hpp.
#include "core/bundle.hpp"
#include "core/newton_direction.hpp"
#include "methods/black_box_search.hpp"
#include "methods/memory_plan.hpp"
#include "methods/remembered_span.hpp"

namespace geodescent {
namespace {

/// The search over the span ends when the gradient in it has fallen to this part of the whole gradient before it.
constexpr double search_tolerance = 0.05;
constexpr double line_tolerance = 1e-2;
/// A slope towards the centre counts when it promises this part of the gap.
constexpr double centre_tolerance = 0.1;
/// Newton's directions must halve the gap in so many iterations.
constexpr std::size_t newton_patience = 30;

class GeometricDescentWithMemory final : public Method {
 public:
  explicit GeometricDescentWithMemory(const MethodSettings& s) : settings(s) {}

  void start(const Objective& objective, std::span<const double> x0) override {
    f = &objective;
    bound = -std::numeric_limits<double>::infinity();
    iterations = 0;
    begin(plan_memory(*f, settings), x0);
    x_start = x.x;
    f_start = f_x;
    gradient_at_start = norm(g.x);
    if (std::isfinite(f_x)) descend();
  }

  Step step() override {
    const double f_before = f_x, bound_before = bound;
    ++iterations;
    if (newton_fails()) begin(plan_memory(*f, settings, Directions::gradients), Vector(x.x));
    if (!descend()) return Step::not_finite;
    return f_x < f_before || bound > bound_before ? Step::progressed : Step::stalled;
  }

  Iterate iterate() const override {
    const double rounding = balls.model().error() + at_x.value_error;
    const double estimate = balls.estimated() && balls.exists() ? balls.alpha() : 0;
    // The start is reported as it was given; what the first search found is offered with the first iteration.
    if (iterations == 0) return {&x_start, f_start, gradient_at_start, bound, rounding, estimate};
    return {&x.x, f_x, norm(g.x), bound, rounding, estimate};
  }

  std::optional<Ball> ball() const override {
    if (!balls.exists()) return std::nullopt;
    return Ball{balls.model().centre(), 2 / balls.alpha() * (f_x - balls.model().minimum())};
  }

 private:
  /// All memory, and the gradient at x0.
  void begin(const MemoryPlan& p, std::span<const double> x0) {
    plan = p;
    x = lifted(*f, x0);
    g = direction = before = point_of(*f);
    line = Line(f->dimension());
    // Newton's directions do without the image of the centre.
    balls = Bundle(f->dimension(), plan.whole_space ? 0 : f->image_size(), f->strong_convexity(), plan.balls);
    memory = has_image() ? RememberedSpan(*f, plan.directions) : RememberedSpan();
    black_box = has_image() ? BlackBoxSearch() : BlackBoxSearch(*f, plan.directions);
    if (has_image()) memory.start(x);
    newton.start();
    last_down = 0;
    at_x = f->gradient(x, g.x);
    f_x = at_x.value;
    knows_gradient = true;
    gap_to_halve = std::numeric_limits<double>::infinity();
    halved = iterations;
  }

  /// Gradient, new ball, enclose, search.
  bool descend() {
    if (!knows_gradient) at_x = f->gradient(x, g.x);
    knows_gradient = false;
    if (!std::isfinite(at_x.value)) return false;
    remember_direction();

    balls.enclose(x, g, at_x);
    if (balls.exists())
      bound = balls.estimated() ? balls.model().lower_bound() : std::max(bound, balls.model().lower_bound());

    return !has_image() ? search_black_box() : plan.whole_space ? search_newton() : search();
  }

  void remember_direction() {
    if (!has_image()) return;
    if (plan.whole_space) {
      if (!newton.at(*f, x, g.x, direction.x)) combine(direction.x, -1, g.x, 0, g.x);
      f->lift(direction);
      memory.remember(direction, x, nullptr);
    } else {
      f->lift(g);
      memory.remember(g, x, centre());
    }
  }

  bool search() {
    return search_along_gradient() && memory.search(*f, x, f_x, centre(), search_tolerance * norm(g.x)) &&
           search_towards_centre();
  }

  bool search_along_gradient() {
    line.set(x, g);
    const LineStep down =
        line_minimum(*f, line, {at_x.value, line.direction_squared_norm(), 0}, last_down, line_tolerance);
    if (!down.finite) return false;
    last_down = down.t;
    if (!down.found || !(down.at.value < f_x)) return true;
    combine(x, 1, x, down.t, g);
    f_x = down.at.value;
    return true;
  }

  /// Nothing to do, mostly: the minimum over the span has no slope towards c, which lies in it.
  bool search_towards_centre() {
    balls.model().direction_to_centre(x, direction);
    line.set(x, direction);
    const LineValue here = f->on(line, 0);
    if (!(here.slope < -centre_tolerance * (f_x - bound))) return true;
    const LineStep ahead = line_minimum(*f, line, here, 1, line_tolerance);
    if (!ahead.finite) return false;
    const double t = std::min(ahead.t, 1.0);  // a convex combination cannot amplify what rounding did to images
    if (!ahead.found || !(f->on(line, t).value < f_x)) return true;
    f_x = f->on(line, t).value;
    combine(x, 1, x, t, direction);
    return true;
  }

  bool search_newton() {
    // Newton's direction may be almost orthogonal to the gradient: what counts is the slope along it.
    const double length = norm(direction.x);
    const double slope = std::abs(dot(g.x, direction.x)) / length;
    before = x;
    if (!memory.search(*f, x, f_x, nullptr, search_tolerance * slope)) return false;
    combine(before, 1, x, -1, before);
    newton.learn(dot(before.x, direction.x) / (length * length),
                 norm(before.image) / std::sqrt(static_cast<double>(before.image.size())));
    return true;
  }

  /// The gradient where the search ends is kept for the next iteration.
  bool search_black_box() {
    if (balls.exists() && !black_box.towards_centre(*f, balls.model(), x, g, at_x)) return false;
    if (!black_box.along_memory(*f, x, g, at_x)) return false;
    f_x = at_x.value;
    knows_gradient = true;
    return true;
  }

  bool newton_fails() {
    if (!plan.whole_space) return false;
    const double gap = f_x - bound;
    if (gap <= gap_to_halve / 2) {
      gap_to_halve = gap;
      halved = iterations;
    }
    return iterations - halved > newton_patience;
  }

  bool has_image() const { return f->image_size() > 0; }
  /// The direction of c from the origin: of its difference from x only noise is left when the two agree.
  const Point* centre() const { return balls.exists() ? &balls.model().slope() : nullptr; }

  MethodSettings settings;
  const Objective* f = nullptr;
  MemoryPlan plan;
  Bundle balls;
  RememberedSpan memory;
  NewtonDirection newton;
  BlackBoxSearch black_box;
  Line line;
  Point x, g, direction, before;
  Evaluation at_x;
  double f_x = 0, bound = 0, last_down = 0;
  bool knows_gradient = false;
  std::size_t iterations = 0;
  // The start, as it was given.
  Vector x_start;
  double f_start = 0, gradient_at_start = 0;
  // The last time that the gap was half of what it had been.
  std::size_t halved = 0;
  double gap_to_halve = 0;
};

}  // namespace

std::unique_ptr<Method> make_geod_memory(const MethodSettings& settings) {
  return std::make_unique<GeometricDescentWithMemory>(settings);
}

}  // namespace geodescent
