#include "experiments/geometry/run.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <geodescent/learn/losses.hpp>
#include <geodescent/learn/risk.hpp>
#include <geodescent/optimize/minimize.hpp>
#include <limits>
#include <tuple>

#include "comparison/methods.hpp"
#include "optimize/oracles/decorated_objective.hpp"

namespace geodescent::lab {
namespace {

constexpr double alpha = 0.024;

struct Row {
  double u, v, label;
};
// Chosen among random rows so that the balls of GeoD's first iterations intersect visibly.
constexpr std::array rows{Row{0.3, 0.1, 1}, Row{0.2, 0, 1}, Row{1.1, 2.2, -1}, Row{0.8, 1.5, -1}, Row{0, 0.6, -1}};

Dataset dataset() {
  Vector entries;
  Dataset data{"rows in the plane", nullptr, {}, 2 * rows.size()};
  for (const Row& row : rows) {
    entries.insert(entries.end(), {row.u, row.v});
    data.targets.push_back(row.label);
  }
  data.rows = std::make_shared<DenseRows>(std::move(entries), 2);
  return data;
}

/// The largest eigenvalue of A'A/n times the largest curvature of the loss, plus alpha.
double largest_curvature() {
  double uu = 0, uv = 0, vv = 0;
  for (const Row& row : rows) uu += row.u * row.u, uv += row.u * row.v, vv += row.v * row.v;
  const double largest = (uu + vv) / 2 + std::hypot((uu - vv) / 2, uv);
  return loss_named("logistic").curvature_bound * largest / static_cast<double>(rows.size()) + alpha;
}

/// A decorator that records the point of the last gradient, because methods do not report their
/// x_k.
class Recorder final : public OracleDecorator {
 public:
  struct Gradient {
    Vector x, g;
    double value = 0;
  };
  Recorder(std::unique_ptr<Oracle> f, Gradient& last) : OracleDecorator(std::move(f)), last_(last) {}

  Evaluation gradient(const Point& p, std::span<double> g) override {
    const Evaluation e = OracleDecorator::gradient(p, g);
    last_ = {p.x, Vector(g.begin(), g.end()), e.value};
    return e;
  }

 private:
  std::unique_ptr<Oracle> decorate(std::unique_ptr<Oracle> f) override {
    return std::make_unique<Recorder>(std::move(f), last_);
  }

  Gradient& last_;
};

Ball gradient_ball(const Recorder::Gradient& at, double a) {
  Ball ball{at.x, squared_norm(at.g) / (a * a)};
  combine(ball.centre, 1, at.x, -1 / a, at.g);
  return ball;
}

}  // namespace

double PlaneProblem::value(double u, double v) const {
  Vector g(2);
  return f->evaluate(Vector{u, v}, g);
}

PlaneProblem plane_problem() {
  PlaneProblem problem;
  problem.f = make_risk("logistic", dataset(), alpha);
  problem.smoothness = largest_curvature();
  problem.start = {7.4, -11.9};
  const Result found =
      minimize(*problem.f, "geod-memory", problem.start, {.gap_tolerance = 0, .gradient_tolerance = 1e-15});
  problem.minimiser = found.x;
  problem.minimum = found.value;
  return problem;
}

std::vector<BallStep> ball_steps(const PlaneProblem& problem, const std::string& method, std::size_t steps) {
  Recorder::Gradient last;
  const DecoratedObjective f(
      *problem.f, [&](std::unique_ptr<Oracle> oracle) { return std::make_unique<Recorder>(std::move(oracle), last); });
  const double a = f.strong_convexity();
  // Section 2.1 computes the gradient at the centre of the old ball, and that ball does not shrink.
  const bool one_ball = method == "ball";
  std::vector<BallStep> result;
  Ball before;
  double f_plus = 0;
  Recorder::Gradient centre;
  Options options;
  options.gap_tolerance = 0;
  options.max_iterations = steps;
  MethodChoice choice(method);
  if (choice.has("smoothness")) choice = with_smoothness(choice, problem.smoothness);
  std::ignore = minimize(f, choice, problem.start, options, [&](const Progress& progress) {
    const Ball ball = *progress.method->ball();
    const Iterate now = progress.method->iterate();
    if (progress.iteration == 0) {
      // f(x_0^+) is not reported yet. It follows from R_0^2 = |g|^2/alpha^2 - (2/alpha) (f(x_0) -
      // f(x_0^+)).
      f_plus = last.value - a / 2 * (gradient_ball(last, a).squared_radius - ball.squared_radius);
    } else {
      const Recorder::Gradient& at = one_ball ? centre : last;
      const Ball whole = gradient_ball(at, a);
      BallStep step{
          progress.iteration, progress.iteration - (one_ball ? 1 : 0), at.x, *now.x, before, before, whole, whole, ball,
          progress.gap()};
      if (!one_ball) step.before_shrunk.squared_radius -= 2 / a * (f_plus - now.value);
      step.gradient_shrunk.squared_radius -= 2 / a * (at.value - now.value);
      result.push_back(step);
      f_plus = now.value;
    }
    before = ball;
    centre = last;
    return progress.gap() > 1e-11;
  });
  return result;
}

double squared_distance(const Vector& a, const Vector& b) {
  Vector difference(a.size());
  combine(difference, 1, a, -1, b);
  return squared_norm(difference);
}

double squared_excess(const Ball& ball, const Vector& point) {
  return squared_distance(ball.centre, point) - ball.squared_radius;
}

double PlaneProblem::rounding() const {
  constexpr double operations = 64;  // an upper bound on the operations of a value
  return 2 / f->strong_convexity() * operations * std::numeric_limits<double>::epsilon() * minimum;
}

std::vector<Vector> intersection_border(const Ball& a, const Ball& b, std::size_t points) {
  const double distance = std::sqrt(squared_distance(a.centre, b.centre));
  std::vector<Vector> border;
  // The arc of `from` that lies in `other`.
  const auto add_arc = [&](const Ball& from, const Ball& other) {
    const double radius = std::sqrt(from.squared_radius);
    const double cosine = (from.squared_radius + distance * distance - other.squared_radius) / (2 * distance * radius);
    if (cosine > 1 || distance == 0) return;
    const double half = std::acos(std::max(-1.0, cosine));
    const double towards = std::atan2(other.centre[1] - from.centre[1], other.centre[0] - from.centre[0]);
    for (std::size_t i = 0; i <= points; ++i) {
      const double angle = towards + half * (2 * static_cast<double>(i) / static_cast<double>(points) - 1);
      border.push_back({from.centre[0] + radius * std::cos(angle), from.centre[1] + radius * std::sin(angle)});
    }
  };
  add_arc(a, b);
  add_arc(b, a);
  return border;
}

}  // namespace geodescent::lab
