// Geometric Descent with memory: the answer to the question that the paper ends with.
//
// GeoD remembers one ball and searches two lines. Here the last balls are kept and intersected all at once, and between
// the two line searches lies one over the span of many directions. Since every direction has its image, that costs no
// pass: an iteration is one product with the data each way, as before.
//
//   x, f_x      the point, and f there
//   g, at_x     the gradient at x, and f with its ball there
//   balls       the enclosing ball and the last ones; its centre is c
//   span        of the directions remembered
//   pairs       of steps and changes of the gradient, which give one direction more: that of limited-memory BFGS. What
//               is dropped from a memory too small for the problem lives on in them.
//
// Theorem 1 needs three inequalities, and each of the three searches gives one of them:
//   along g        f(x_k^+) <= f(x_k) - |g_k|^2 / (2 beta)
//   over the span  f(x_{k+1}) <= f(x_k^+), since f never rises
//   towards c      g_{k+1}.(x_{k+1} - c_k) <= 0; a tenth of the gap is let pass: the rate is then 1 - 0.9/sqrt(kappa)
//
// Where the space is small, the direction is Newton's instead of the gradient, from a Hessian that costs another pass.
// That leaves the theorem; so when it does not halve the proven gap in thirty iterations, the run goes on with
// gradients.
//
// On a function without image a search over a subspace would cost evaluations, and where rows are many and short,
// images cost more than passes. There the direction is that of limited-memory BFGS, and when the gap is not halved in
// thirty iterations, one iteration of Algorithm 2 follows.
#include <algorithm>
#include <array>

#include "methods/geod_memory/memory_plan.hpp"
#include "methods/geod_memory/newton_search.hpp"
#include "methods/geod_memory/quasi_newton_search.hpp"
#include "methods/geod_memory/remembered_span.hpp"
#include "optimize/models/bundle.hpp"

namespace geodescent {
namespace {

/// The search over the span ends when the gradient in it has fallen to this part of the whole gradient before it.
constexpr double search_tolerance = 0.05;
/// Far from the minimum of a loss with kinks in its slope more steps would be needed, but the next gradient is worth
/// more than the fifth.
constexpr int most_steps = 4;
/// A slope towards the centre counts when it promises this part of the gap.
constexpr double centre_tolerance = 0.1;
/// Directions outside the theorem must halve the gap in so many iterations.
constexpr std::size_t patience = 30;

class GeometricDescentWithMemory final : public Method {
 public:
  explicit GeometricDescentWithMemory(const MethodSettings& s) : settings(s) {}

  void start(Oracle& objective, std::span<const double> x0) override {
    f = &objective;
    bound = -std::numeric_limits<double>::infinity();
    iterations = 0;
    begin(plan_memory(f->facts(), settings), x0);
  }

  Step step() override {
    const double f_before = f_x, bound_before = bound;
    ++iterations;
    if (along(Directions::newton) && !gap_halves()) begin(plan_after_newton(f->facts(), settings), Vector(x.x));

    if (!search()) return Step::not_finite;
    if (!std::isfinite(at_x.value)) return Step::not_finite;
    f_x = at_x.value;
    enclose();
    return f_x < f_before || bound > bound_before ? Step::progressed : Step::stalled;
  }

  Iterate iterate() const override {
    return {&x.x,
            f_x,
            product.norm(g),
            bound,
            balls.model().error() + at_x.value_error,
            balls.estimated() && balls.exists() ? balls.alpha() : 0,
            balls.model().lower_bound() >= bound ? balls.model().dual() : std::span<const double>{}};
  }

  std::optional<Ball> ball() const override {
    if (balls.estimated()) return std::nullopt;  // nobody knows whether it holds the minimiser
    return Ball{vector(balls.model().centre()), 2 / balls.alpha() * (f_x - balls.model().minimum())};
  }

  std::optional<Memory> memory() const override { return plan; }

  /// By rows there is no Hessian, and images are what vectors are multiplied with.
  bool works_by_rows() const override {
    return settings.directions != Directions::newton && settings.directions != Directions::quasi_newton;
  }

 private:
  /// All memory, the gradient at x0 and the first ball.
  void begin(const Memory& p, std::span<const double> x0) {
    plan = p;
    product = f->product();
    columns = f->columns();
    x = lifted(*f, x0);
    // Only the search over a span needs images of the gradient, the centre and the pairs. What is not needed is not
    // asked for: the first touch of a page costs as much as a thousand losses.
    const bool spans = along(Directions::gradients);
    const std::size_t image_size = spans ? f->image_size() : 0;
    g = Point(f->dimension(), image_size);
    direction = spans ? point_of(*f) : Point();
    before = spans && plan.pairs > 0 ? point_of(*f) : Point();
    line = spans ? Line(f->dimension(), product) : Line();
    balls = Bundle(f->dimension(), image_size, f->strong_convexity(), plan.balls, plan.dual, product);
    span = spans ? RememberedSpan(*f, plan.directions) : RememberedSpan();
    if (spans) span.start(x);
    pairs = spans ? InverseHessian<Point>(plan.pairs, x, product) : InverseHessian<Point>();
    quasi_newton = along(Directions::quasi_newton) ? QuasiNewtonSearch(*f, plan.pairs, settings.line_tolerance)
                                                   : QuasiNewtonSearch();
    newton = along(Directions::newton) ? NewtonSearch(*f, plan.directions) : NewtonSearch();
    if (along(Directions::newton)) newton.start(x);
    g_before = before;
    has_before = false;
    aims.reserve(2);
    last_down = 0;
    halved = iterations;
    gap_to_halve = std::numeric_limits<double>::infinity();
    evaluate();
    f_x = at_x.value;
    if (std::isfinite(f_x)) enclose();
  }

  /// f and its gradient at x. By rows the gradient comes with its image.
  void evaluate() {
    at_x = f->gradient(x, g.x);
    if (product.by_rows) combine(g.image, 1, at_x.linear_image, f->strong_convexity(), x.image);
  }

  /// The ball at x, and the smallest one around its intersection with those kept.
  void enclose() {
    balls.enclose(x, g, at_x);
    if (balls.estimated())
      estimate_bound();
    else
      bound = std::max(bound, balls.model().lower_bound());
  }

  /// Early in a run the points seen tell little about alpha. So the gap is not believed to be less than what the last
  /// iterations have gained: the second half of a young run, ten iterations of an old one.
  void estimate_bound() {
    const std::size_t window = std::clamp<std::size_t>((iterations + 1) / 2, 1, last_values.size() - 1);
    last_values[iterations % last_values.size()] = f_x;
    if (iterations == 0 || !balls.exists()) return;
    const bool falls = f_x < last_values[(iterations - 1) % last_values.size()];
    const double gained = falls ? last_values[(iterations - window) % last_values.size()] - f_x : 0;
    bound = std::min(balls.model().lower_bound(), f_x - gained);
  }

  /// Moves x downhill, and brings its value and gradient up to date.
  bool search() {
    if (along(Directions::quasi_newton)) return search_lines();
    if (!(along(Directions::newton) ? newton.descend(*f, x, g.x, f_x) : search_span())) return false;
    evaluate();
    return true;
  }

  bool search_span() {
    if (!product.by_rows) f->lift(g);
    aims.clear();
    if (!balls.estimated()) {
      balls.set_images(x, g);
      aims.push_back(&balls.linear());
    }
    span.remember(g, x, aims);
    if (plan.pairs > 0) learn_pair();
    // As long as nothing was forgotten, the centre and all that pairs could tell lies in the span.
    if (!span.has_forgotten()) {
      aims.clear();
    } else if (plan.pairs > 0) {
      pairs.direction(g, direction);
      if (!pairs.empty()) aims.push_back(&direction);
    }
    return search_along_gradient() && span.search(*f, x, f_x, aims, search_tolerance * product.norm(g), most_steps) &&
           (balls.estimated() || search_towards_centre());
  }

  /// The step from the last point to x. Where it, or the change of the gradient, is mostly rounding, so are their
  /// images, and a quasi-Newton direction would amplify that.
  void learn_pair() {
    const auto small = [this](const Point& difference, const Point& of) {
      return product.squared_norm(difference) <= 1e-10 * product.squared_norm(of);
    };
    if (has_before) {
      combine(pairs.next_s(), 1, x, -1, before);
      combine(pairs.next_y(), 1, g, -1, g_before);
      if (!small(pairs.next_s(), x) && !small(pairs.next_y(), g)) pairs.remember();
    }
    before = x;
    g_before = g;
    has_before = true;
  }

  bool search_along_gradient() {
    line.set(x, g);
    const LineStep down =
        line_minimum(*f, line, {at_x.value, line.direction_squared_norm(), 0}, last_down, settings.line_tolerance);
    if (!down.finite) return false;
    last_down = down.t;
    if (!down.found || !(down.at.value < f_x)) return true;
    combine(x, 1, x, down.t, g);
    f_x = down.at.value;
    return true;
  }

  /// An exact minimum over the span has no slope towards c, which lies in it. One that is not so exact may have.
  bool search_towards_centre() {
    combine(direction, -1 / balls.alpha(), balls.linear(), -1, x);
    line.set(x, direction);
    const LineValue here = f->on(line, 0);
    if (!(here.slope < -centre_tolerance * (f_x - bound))) return true;
    const LineStep ahead = line_minimum(*f, line, here, 1, settings.line_tolerance);
    if (!ahead.finite) return false;
    // Not beyond the centre: a convex combination cannot amplify what rounding did to images.
    const double t = std::min(ahead.t, 1.0), value = ahead.t > 1 ? f->on(line, t).value : ahead.at.value;
    if (!ahead.found || !(value < f_x)) return true;
    combine(x, 1, x, t, direction);
    f_x = value;
    return true;
  }

  bool search_lines() {
    if (balls.estimated() || gap_halves()) return quasi_newton.along_memory(*f, x, g, at_x);
    // An iteration of Algorithm 2.
    halved = iterations;
    if (!quasi_newton.towards_centre(*f, balls.model(), x, g, at_x)) return false;
    enclose();
    return quasi_newton.along_gradient(*f, x, g, at_x);
  }

  /// Directions outside the theorem must halve the proven gap from time to time.
  bool gap_halves() {
    const double gap = f_x - bound;
    if (gap <= gap_to_halve / 2) {
      gap_to_halve = gap;
      halved = iterations;
    }
    return iterations - halved <= patience;
  }

  bool along(Directions directions) const { return plan.along == directions; }

  /// What a point of our space is as a vector of the function's.
  Vector vector(Vector point) const {
    if (!product.by_rows) return point;
    Vector expanded(columns);
    f->expand(point, expanded);
    return expanded;
  }

  MethodSettings settings;
  Oracle* f = nullptr;
  InnerProduct product;
  std::size_t columns = 0;
  Memory plan;
  Bundle balls;
  RememberedSpan span;
  NewtonSearch newton;
  QuasiNewtonSearch quasi_newton;
  InverseHessian<Point> pairs;
  std::vector<const Point*> aims;  // searched and not remembered
  Line line;
  Point x, g, direction, before, g_before;
  bool has_before = false;
  Evaluation at_x;
  double f_x = 0, bound = 0, last_down = 0;
  std::size_t iterations = 0;
  std::array<double, 11> last_values{};
  // The last time that the gap was half of what it had been.
  std::size_t halved = 0;
  double gap_to_halve = 0;
};

}  // namespace

std::unique_ptr<Method> make_geod_memory(const MethodSettings& settings) {
  return std::make_unique<GeometricDescentWithMemory>(settings);
}

}  // namespace geodescent
