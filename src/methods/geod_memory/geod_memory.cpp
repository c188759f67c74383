// Geometric Descent with memory, which answers the question at the end of the paper.
//
// GeoD remembers one ball and searches two lines. This method keeps the last balls and intersects
// all of them (Bundle). Between the two line searches it searches the span of many directions
// (GradientSpanSearch). An iteration still costs one product with the data each way, and the rate
// of Theorem 1 is kept.
//
// Other searches are faster if the dimension is small (Newton), or if images are expensive or do
// not exist (quasi-Newton). They are not covered by the theorem, so a guard watches them. If a
// search does not halve the gap in thirty iterations, it recovers by an iteration of Algorithm 2,
// or the run continues in the span of gradients. A schedule watches the gap and changes the search
// when another one is predicted to finish sooner.
#include <algorithm>
#include <cmath>

#include "methods/common.hpp"
#include "methods/geod_memory/guard.hpp"
#include "methods/geod_memory/plan/memory_plan.hpp"
#include "methods/geod_memory/plan/schedule.hpp"
#include "methods/geod_memory/search.hpp"
#include "methods/geod_memory/state.hpp"

namespace geodescent {
namespace {

class GeometricDescentWithMemory final : public Method {
 public:
  GeometricDescentWithMemory(const GeodMemory& s, const Purpose& p) : settings(s), purpose(p) {}

  void start(Oracle& f, std::span<const double> x0) override {
    const double gap = settings.plan_for.value_or(purpose.gap);
    schedule = Schedule(f.facts(), plan_searches(f.facts(), settings, purpose), gap);
    state = State(gap);
    search = nullptr;
    kept = schedule.current();
    kind = find_search(kept.along);
    state.begin(f, x0, kept, kind->lifts_gradients);
    start_search();
  }

  Step step() override {
    const double f_before = state.f_x, bound_before = state.bound;
    ++state.iterations;
    if (!descend() || !std::isfinite(state.f_x)) return Step::not_finite;
    return state.f_x < f_before || state.bound > bound_before ? Step::progressed : Step::stalled;
  }

  Iterate iterate() const override {
    const Bundle& balls = state.balls;
    return {&state.x.x,
            state.f_x,
            state.product.norm(state.g),
            state.bound,
            balls.model().error() + state.at_x.value_error,
            balls.estimated() && balls.exists() ? balls.alpha() : 0,
            balls.model().lower_bound() >= state.bound ? balls.model().dual() : std::span<const double>{}};
  }

  std::optional<Ball> ball() const override {
    const Bundle& balls = state.balls;
    if (balls.estimated()) return std::nullopt;  // with an estimated alpha it may not contain the minimiser
    return Ball{vector(balls.model().centre()), 2 / balls.alpha() * (state.f_x - balls.model().minimum())};
  }

  std::optional<Memory> plan(const Facts& f) const override {
    const std::vector<Memory> plans = plan_searches(f, settings, purpose);
    Memory plan = plans.front();
    for (const Memory& each : plans) {
      if (plans.size() > 1) plan.bytes_after_guard = std::max(plan.bytes_after_guard, each.bytes);
      if (find_search(each.along)->guarded == Guarded::by_fallback)
        plan.bytes_after_guard = std::max(plan.bytes_after_guard, plan_after_guard(f, settings, purpose).bytes);
    }
    return plan;
  }

  std::optional<Memory> memory() const override {
    Memory memory = kept;
    memory.bytes_after_guard = 0;  // the search is known now
    return memory;
  }

  bool works_by_rows() const override {
    const SearchKind* const named = find_search(settings.directions);
    return !named || named->works_by_rows;
  }

 private:
  bool descend() {
    if (schedule.changes(made, search->gap(state), state.wanted_gap())) change_to(schedule.current());
    made = 0;
    const bool trusted = kind->guarded == Guarded::never || state.balls.estimated();
    if (!trusted && !guard.is_content(state.gap(), state.iterations)) {
      guard.wait_from(state.iterations);
      if (kind->guarded == Guarded::by_recovery) return search->recover(state);
      const std::optional<Memory> covered = schedule.covered_by_theorem();
      schedule = {};
      change_to(covered ? *covered : plan_after_guard(state.f->facts(), settings, purpose));
    }
    const bool finite = search->descend(state);
    made = search->iterations_made();
    return finite;
  }

  /// Changes the search. x, the bound and the enclosing ball are handed over.
  void change_to(const Memory& next) {
    search = nullptr;  // frees its memory before the next search allocates
    kept = next;
    kind = find_search(kept.along);
    state.change(kept, kind->lifts_gradients);
    start_search();
  }

  void start_search() {
    search = kind->start(state, kept, settings);
    guard = Guard(state.iterations);
    made = 0;
  }

  /// A point of the method's space as a vector of the function's space.
  Vector vector(Vector point) const {
    if (!state.product.by_rows) return point;
    Vector expanded(state.f->columns());
    state.f->expand(point, expanded);
    return expanded;
  }

  GeodMemory settings;
  Purpose purpose;
  Memory kept;
  const SearchKind* kind = nullptr;
  State state;
  std::unique_ptr<Search> search;
  Guard guard;
  Schedule schedule;
  double made = 0;  // iterations of the last step, as SearchKind::iterations counts them
};

}  // namespace

std::unique_ptr<Method> GeodMemory::make(const Purpose& purpose) const {
  return std::make_unique<GeometricDescentWithMemory>(*this, purpose);
}

}  // namespace geodescent
