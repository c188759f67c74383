// Search along single lines in the direction of limited-memory BFGS. To recover, it searches the
// two lines of Algorithm 2. It remembers vectors without images. An iteration costs one lift and
// one gradient, rarely two gradients. Suited to functions without image, where a subspace search
// would cost evaluations, and to data with many short rows, where images cost more than passes.
#include <algorithm>
#include <cmath>

#include "methods/common.hpp"
#include "methods/geod_memory/plan/cost.hpp"
#include "methods/geod_memory/plan/memory_plan.hpp"
#include "methods/geod_memory/search.hpp"
#include "methods/inverse_hessian.hpp"

namespace geodescent {
namespace {

constexpr double part_of_first_line = 0.3;

class QuasiNewtonSearch final : public Search {
 public:
  QuasiNewtonSearch(State& s, std::size_t pairs, double line_tolerance)
      : h_(std::max<std::size_t>(1, pairs), Vector(s.f->dimension())),
        d_(point_of(*s.f)),
        g_next_(s.f->dimension()),
        line_(s.f->dimension()),
        line_tolerance_(line_tolerance) {}

  bool descend(State& s) override {
    if (!step(s)) return false;
    s.enclose();
    return true;
  }

  /// One iteration of Algorithm 2.
  bool recover(State& s) override {
    if (!towards_centre(s)) return false;
    s.enclose();
    if (!along_gradient(s)) return false;
    s.enclose();
    return true;
  }

 private:
  bool step(State& s) {
    if (h_.empty()) return along_first_gradient(s);
    h_.direction(s.g.x, d_.x);
    s.f->lift(d_);
    line_.set(s.x, d_);
    const LineValue start{s.at_x.value, dot(s.g.x, d_.x), 0};
    const LineStep ahead = wolfe_step(*s.f, line_, start, 1, WolfeConditions{});
    if (ahead.found) return s.f->image_size() > 0 ? take_beside(s, ahead, start) : take(s, ahead);
    h_.clear();  // the remembered pairs give no descent
    return along_gradient(s);
  }

  /// The first direction has no natural length, so its line is minimised: the run then does not
  /// depend on the units of x and f. The curvature of a loss may change by orders of magnitude
  /// along that step. If evaluations are cheap only a part of it is taken, so that the first pair
  /// describes the curvature near the start.
  bool along_first_gradient(State& s) {
    combine(d_.x, -1, s.g.x, 0, s.g.x);
    LineStep ahead = minimum(s);
    if (s.f->image_size() > 0) ahead.t *= part_of_first_line;
    return take(s, ahead);
  }

  bool along_gradient(State& s) {
    combine(d_.x, -1, s.g.x, 0, s.g.x);
    return take(s, minimum(s));
  }

  bool towards_centre(State& s) {
    s.balls.model().direction_to_centre(s.x.x, d_.x);
    // Between x and c, as in geod. If the two agree up to rounding, a longer step would follow
    // noise.
    if (!(dot(s.g.x, d_.x) < 0)) return true;
    LineStep ahead = minimum(s);
    ahead.t = std::min(ahead.t, 1.0);
    return take(s, ahead);
  }

  /// Takes the step where the slope would vanish if it were linear on the way, not the step that
  /// the search found. It saves a quarter of the iterations (docs/explanations/geod-memory.md) and
  /// no line evaluation: the gradient is needed anyway. Where f has not fallen there, returns to
  /// the step found, for one gradient more.
  bool take_beside(State& s, const LineStep& found, const LineValue& start) {
    const double even = start.slope / (start.slope - found.at.slope);
    const double t = found.t * (even > 0 ? std::clamp(even, 0.1, 10.0) : 1);
    s.at_x = advance(*s.f, line_, t, s.x, g_next_);
    const bool falls = t == found.t || s.at_x.value <= start.value + WolfeConditions{}.c1 * t * start.slope;
    if (!falls) {
      line_.set(s.x, d_);
      s.at_x = advance(*s.f, line_, found.t - t, s.x, g_next_);
    }
    learn(s, falls ? t : found.t);
    return true;
  }

  LineStep minimum(State& s) {
    s.f->lift(d_);
    line_.set(s.x, d_);
    return line_minimum(*s.f, line_, {s.at_x.value, dot(s.g.x, d_.x), 0}, 1, line_tolerance_);
  }

  bool take(State& s, const LineStep& ahead) {
    if (!ahead.finite || !ahead.found) return ahead.finite;
    s.at_x = advance(*s.f, line_, ahead.t, s.x, g_next_);
    learn(s, ahead.t);
    return true;
  }

  /// x has moved by t along the line; g_next_ is the gradient there.
  void learn(State& s, double t) {
    combine(h_.next_s(), t, d_.x, 0, d_.x);
    combine(h_.next_y(), 1, g_next_, -1, s.g.x);
    h_.remember();
    std::swap(s.g.x, g_next_);
  }

  InverseHessian<Vector> h_;
  Point d_;
  Vector g_next_;
  Line line_;
  double line_tolerance_ = 0;
};

// The ratio of iterations to those of a memory that holds all gradients of a run. It is larger on
// hard problems, but there a memory that holds only some gradients needs more iterations, too.
constexpr double iterations_of_gradients = 1.1;
constexpr double evaluations = 3;  // evaluations of the losses in an iteration

Memory plan(const Facts& f, const GeodMemory& settings, bool /*dual*/) {
  // Evaluations of a user's function are assumed to cost more than vectors. For other functions
  // balls save at most one iteration in fifty.
  const std::size_t usual_balls = f.image_size == 0 ? most_balls : 0;
  return {.pairs = settings.memory.value_or(usual_pairs(f)), .balls = settings.balls.value_or(usual_balls)};
}

double iterations(const Facts& f, double digits) { return iterations_of_gradients * expected_iterations(f, digits); }

double iteration_time(const Facts& f, const Memory& memory, double iterations) {
  return 2 * pass_time(f) + evaluations * losses_time(f) + remembered_time(f, memory, number(f.dimension), iterations);
}

double bytes(const Facts& f, const Memory& memory) {
  const double d = number(f.dimension), pairs = number(std::max<std::size_t>(1, memory.pairs));
  return 8 * (5 * (number(f.image_size) + d) + bundle_numbers(f, memory, d) + 2 * pairs * d);
}

}  // namespace

extern const SearchKind quasi_newton_search{
    .name = "quasi-newton",
    .is_candidate = true,
    .works_by_rows = false,  // it has no images, which the inner product of the row form needs
    .saves_passes = false,
    .lifts_gradients = false,
    .guarded = Guarded::by_recovery,
    .pace = Pace::of_condition,
    .applies = [](const Facts&) { return true; },
    .plan = plan,
    .iterations = iterations,
    .iteration_time = iteration_time,
    .bytes = bytes,
    .start = [](State& s, const Memory& memory, const GeodMemory& settings) -> std::unique_ptr<Search> {
      return std::make_unique<QuasiNewtonSearch>(s, memory.pairs, settings.line_tolerance);
    }};

}  // namespace geodescent
