// Geometric Descent with memory: the answer to the question that the paper ends with.
//
// GeoD remembers one ball and searches two lines. Here the last balls are kept and intersected all at once, and one
// search over the span of many directions replaces the two lines. Since every direction has its image, that costs no
// pass: an iteration is one product with the data each way, as before.
//
//   V           an orthonormal basis of the directions remembered: past gradients and points, the last one first
//   x, f_x      the minimum of f over the span of V, and f there
//   g, at_x     the gradient at x, and f with its ball
//   balls       the enclosing ball and the last ones; its centre is c
//
// Theorem 1 needs f(x_{k+1}) <= f(x_k^+), g_{k+1}.(x_{k+1} - c_k) <= 0 and f(x_k^+) <= f(x_k) - |g_k|^2/(2 beta). The
// minimum over a set that contains x_k, x_k - t g_k and c_k has all three, so V always holds x, g and c.
//
// On a function without image a search over a subspace would cost evaluations. There the same balls are kept, and the
// search goes along the direction that the remembered gradients give (limited-memory BFGS).
#include "core/bundle.hpp"
#include "core/subspace_search.hpp"
#include "methods/common.hpp"
#include "methods/inverse_hessian.hpp"

namespace geodescent {
namespace {

constexpr std::size_t most_directions = 200;
constexpr std::size_t most_balls = 40;
constexpr std::size_t pairs = 100;
/// When V is full, what is kept of it.
constexpr double kept_part = 0.5;
/// The search ends when the gradient in the span has fallen to this part of the whole gradient before it.
constexpr double search_tolerance = 0.05;

class GeometricDescentWithMemory final : public Method {
 public:
  explicit GeometricDescentWithMemory(const MethodSettings& s) : settings(s) {}

  void start(const Objective& objective, std::span<const double> x0) override {
    f = &objective;
    allocate();
    x = lifted(*f, x0);
    at_x = f->gradient(x, g.x);
    f_x = at_x.value;
    x_start = x.x;
    f_start = f_x;
    gradient_at_start = norm(g.x);
    iterations = 0;
    // The image of the centre is that of g, lifted first.
    remember_gradient();
    balls.start(x, g, at_x);
    bound = balls.model().lower_bound();
    if (std::isfinite(f_x)) search();
  }

  Step step() override {
    // Gradient.
    const double f_before = f_x, bound_before = bound;
    if (!knows_gradient) at_x = f->gradient(x, g.x);
    knows_gradient = false;
    if (!std::isfinite(at_x.value)) return Step::not_finite;
    remember_gradient();

    // New ball, and the smallest one around its intersection with those kept.
    balls.enclose(x, g, at_x);
    bound = std::max(bound, balls.model().lower_bound());

    // Search: the minimum over the span of what is remembered.
    ++iterations;
    if (!search()) return Step::not_finite;
    return f_x < f_before || bound > bound_before ? Step::progressed : Step::stalled;
  }

  Iterate iterate() const override {
    const double rounding = balls.model().error() + at_x.value_error;
    // The start is reported as it was given; what the first search found is offered with the first iteration.
    if (iterations == 0) return {&x_start, f_start, gradient_at_start, bound, rounding};
    return {&x.x, f_x, norm(g.x), bound, rounding};
  }

  std::optional<Ball> ball() const override {
    return Ball{balls.model().centre(), 2 / f->strong_convexity() * (f_x - balls.model().minimum())};
  }

 private:
  bool has_image() const { return f->image_size() > 0; }

  void allocate() {
    const std::size_t dimension = f->dimension(), n = f->image_size();
    const std::size_t directions =
        std::min({settings.memory.value_or(most_directions), dimension, most_directions}) + 3;
    V = has_image() ? Basis(dimension, n, directions) : Basis();
    subspace = has_image() ? SubspaceSearch(*f, directions) : SubspaceSearch();
    h = has_image() ? InverseHessian(0, 0)
                    : InverseHessian(std::max<std::size_t>(1, settings.memory.value_or(pairs)), dimension);
    // More than dimension + 1 balls are never needed at once.
    balls = Bundle(dimension, n, f->strong_convexity(), std::min(most_balls, dimension + 1));
    steps.assign(V.capacity(), Vector(V.capacity()));
    points.assign(V.capacity(), Vector(V.capacity()));
    step_count = 0;
    g = d = point_of(*f);
    g_next = Vector(dimension);
    line = Line(dimension);
    centre_in_basis = knows_gradient = false;
  }

  /// The image of g, and g among the directions.
  void remember_gradient() {
    f->lift(g);
    if (!has_image()) return;
    if (centre_in_basis) V.pop();
    centre_in_basis = false;
    if (V.size() == 0) V.add(x);
    if (V.size() + 2 > V.capacity()) make_room();
    V.add(g);
  }

  /// Keeps x, the centre and the last steps: steps before them are what conjugates the next one.
  void make_room() {
    const auto most = std::max<std::size_t>(2, static_cast<std::size_t>(kept_part * static_cast<double>(V.capacity())));
    V.coordinates(x.x, points[0]);
    V.coordinates(balls.model().slope().x, points[1]);
    std::size_t count = 2;
    for (std::size_t k = step_count; k-- > 0 && count < most;) points[count++] = steps[k];
    V.keep({points.data(), count});
    // The steps in the new coordinates, oldest first.
    step_count = count - 2;
    for (std::size_t k = 0; k < step_count; ++k) steps[k] = points[count - 1 - k];
  }

  bool search() { return has_image() ? search_span() : search_line(); }

  bool search_span() {
    // The centre is a multiple of the slope of its model. Its direction from x would be noise once the two agree.
    centre_in_basis = V.add(balls.model().slope());
    V.coordinates(x.x, points[0]);
    const auto found = subspace.minimize(*f, V, x, f_x, search_tolerance * norm(g.x));
    if (!found.finite) return false;
    f_x = found.value;
    V.coordinates(x.x, points[1]);
    if (step_count == steps.size()) {
      std::rotate(steps.begin(), steps.begin() + 1, steps.end());
      --step_count;
    }
    Vector& last = steps[step_count++];
    std::fill(last.begin(), last.end(), 0.0);
    for (std::size_t i = 0; i < V.size(); ++i) last[i] = points[1][i] - points[0][i];
    if (centre_in_basis) last[V.size() - 1] = 0;  // that column goes
    return true;
  }

  /// Along the quasi-Newton direction; the gradient there is kept for the next iteration.
  bool search_line() {
    h.direction(g.x, d.x);
    line.set(x, d);
    double first = 1;
    if (h.empty()) {
      double sum = 0;
      for (const double v : g.x) sum += std::abs(v);
      first = sum > 0 ? std::min(1.0, 1 / sum) : 1;
    }
    const LineStep ahead = wolfe_step(*f, line, {at_x.value, dot(g.x, d.x), 0}, first, WolfeConditions{});
    if (!ahead.finite) return false;
    knows_gradient = true;
    if (!ahead.found) {
      h.clear();  // what is remembered leads nowhere; the next search follows the gradient
      return true;
    }
    at_x = advance(*f, line, ahead.t, x, g_next);
    f_x = at_x.value;
    combine(h.next_s(), ahead.t, d.x, 0, d.x);
    combine(h.next_y(), 1, g_next, -1, g.x);
    h.remember();
    std::swap(g.x, g_next);
    return true;
  }

  MethodSettings settings;
  const Objective* f = nullptr;
  Basis V;
  Bundle balls;
  SubspaceSearch subspace;
  InverseHessian h{0, 0};
  Line line;
  Point x, g, d;
  Vector g_next, x_start;
  std::vector<Vector> steps, points;  // in coordinates of V
  std::size_t step_count = 0;
  Evaluation at_x;
  double f_x = 0, bound = 0, f_start = 0, gradient_at_start = 0;
  std::size_t iterations = 0;
  bool centre_in_basis = false;  // as its last column
  bool knows_gradient = false;   // at x, from a line search
};

}  // namespace

std::unique_ptr<Method> make_geod_memory(const MethodSettings& settings) {
  return std::make_unique<GeometricDescentWithMemory>(settings);
}

}  // namespace geodescent
