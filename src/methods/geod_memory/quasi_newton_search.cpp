// Along single lines, in the direction of limited-memory BFGS; to recover, along the two of Algorithm 2. Of all that is
// remembered only vectors are needed and no images: one lift and one gradient an iteration, rarely two. For functions
// without image, where a search over a subspace would cost evaluations, and for data with many short rows, where images
// cost more than passes.
#include <algorithm>
#include <cmath>

#include "methods/common.hpp"
#include "methods/geod_memory/cost.hpp"
#include "methods/geod_memory/memory_plan.hpp"
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

  /// An iteration of Algorithm 2.
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
    h_.clear();  // what is remembered leads nowhere
    return along_gradient(s);
  }

  /// The first direction has no length of its own, so its line is searched for the minimum: then the run is the same in
  /// all units of x and f. But on all the way there the curvature of a loss may change by orders of magnitude. Where
  /// evaluations are cheap, only a part of it is gone: the first pair shall tell of the curvature near the start.
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
    // Between x and c, as in geod: beyond, where the two agree up to rounding, the search would follow noise.
    if (!(dot(s.g.x, d_.x) < 0)) return true;
    LineStep ahead = minimum(s);
    ahead.t = std::min(ahead.t, 1.0);
    return take(s, ahead);
  }

  /// Takes the step where the slope would vanish if it were linear on the way, not the step that the search found. It
  /// saves a quarter of the iterations (docs/explanations/geod-memory.md) and no line evaluation: the gradient is
  /// needed anyway. Where f has not fallen there, returns to the step found, for one gradient more.
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

  /// x is t along the line from where it was, and g_next_ is the gradient there.
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

// Where a memory of gradients holds all of a run, quasi-Newton directions need so many times its iterations. On hard
// problems it is more, but there a memory that does not hold all needs more, too.
constexpr double iterations_of_gradients = 1.1;
constexpr double evaluations = 3;  // of the losses in an iteration

Memory plan(const Facts& f, const GeodMemory& settings, bool /*dual*/) {
  // Evaluations of a user's function are assumed to cost more than vectors. Elsewhere balls were not seen to save more
  // than one iteration in fifty.
  const std::size_t usual_balls = f.image_size == 0 ? most_balls : 0;
  return {.pairs = settings.memory.value_or(most_pairs), .balls = settings.balls.value_or(usual_balls)};
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
    .works_by_rows = false,  // images are what vectors are multiplied with, and it has none
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
