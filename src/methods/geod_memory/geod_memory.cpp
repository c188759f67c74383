// Geometric Descent with memory: the answer to the question that the paper ends with.
//
// GeoD remembers one ball and searches two lines. Here the last balls are kept and intersected all at once (Bundle),
// and between the two line searches lies one over the span of many directions (GradientSpanSearch). An iteration is one
// product with the data each way, as before. The rate of Theorem 1 is kept.
//
// Other searches are faster where the space is small (Newton's), or where images are dear or do not exist
// (quasi-Newton). They leave the theorem, so a guard watches them: when they do not halve the gap in thirty iterations,
// they recover by an iteration of Algorithm 2, or the run goes on over the span of gradients.
#include <algorithm>
#include <cmath>

#include "methods/common.hpp"
#include "methods/geod_memory/guard.hpp"
#include "methods/geod_memory/memory_plan.hpp"
#include "methods/geod_memory/search.hpp"
#include "methods/geod_memory/state.hpp"

namespace geodescent {
namespace {

class GeometricDescentWithMemory final : public Method {
 public:
  GeometricDescentWithMemory(const GeodMemory& s, const Purpose& p) : settings(s), purpose(p) {}

  void start(Oracle& f, std::span<const double> x0) override {
    other.reset();
    state = State(settings.plan_for.value_or(purpose.gap));
    begin(f, x0, *plan(f.facts()));
    if (is_open() && kind->guarded == Guarded::by_forecast) other = plan_instead_of(kept, f.facts(), settings, purpose);
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
    if (balls.estimated()) return std::nullopt;  // nobody knows whether it holds the minimiser
    return Ball{vector(balls.model().centre()), 2 / balls.alpha() * (state.f_x - balls.model().minimum())};
  }

  std::optional<Memory> plan(const Facts& f) const override {
    Memory plan = plan_memory(f, settings, purpose);
    const Guarded guarded = find_search(plan.along)->guarded;
    if (may_be_left(guarded)) plan.bytes_after_guard = plan_after_guard(f, settings, purpose).bytes;
    if (guarded == Guarded::by_forecast && is_open())
      plan.bytes_after_guard = std::max(plan.bytes_after_guard, plan_instead_of(plan, f, settings, purpose).bytes);
    return plan;
  }

  std::optional<Memory> memory() const override {
    Memory memory = kept;
    memory.bytes_after_guard = 0;  // what is kept is known by now
    return memory;
  }

  bool works_by_rows() const override {
    const SearchKind* const named = find_search(settings.directions);
    return !named || named->works_by_rows;
  }

 private:
  void begin(Oracle& f, std::span<const double> x0, const Memory& chosen) {
    kept = chosen;
    kind = find_search(kept.along);
    search = nullptr;  // its memory is free before the next one takes more
    state.begin(f, x0, kept, kind->lifts_gradients);
    search = kind->start(state, kept, settings);
    guard = Guard(state.iterations);
  }

  /// The settings leave the search to us.
  bool is_open() const { return settings.directions == automatic_directions && !settings.memory; }

  /// Another search is predicted to finish sooner, from here.
  bool regrets() const {
    if (!other) return false;
    const Facts& f = state.f->facts();
    const double iterations = search->remaining_iterations(state);
    const double missing = state.wanted_gap() / state.gap();  // as a relative gap
    return iterations * kind->iteration_time(f, kept, iterations) > patience * run_time(*other, f, missing);
  }

  bool descend() {
    if (regrets()) {
      const Memory next = *other;
      other.reset();
      begin(*state.f, Vector(state.x.x), next);
    }
    const bool trusted = kind->guarded == Guarded::never || state.balls.estimated();
    if (trusted || guard.is_content(state.gap(), state.iterations)) return search->descend(state);
    guard.wait_from(state.iterations);
    if (kind->guarded == Guarded::by_recovery) return search->recover(state);
    begin(*state.f, Vector(state.x.x), plan_after_guard(state.f->facts(), settings, purpose));
    return search->descend(state);
  }

  /// What a point of our space is as a vector of the function's.
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
  std::optional<Memory> other;             // what the run goes on with when its forecast is bad
  static constexpr double patience = 1.2;  // forecasts are rough, and to change costs something
};

}  // namespace

std::unique_ptr<Method> GeodMemory::make(const Purpose& purpose) const {
  return std::make_unique<GeometricDescentWithMemory>(*this, purpose);
}

}  // namespace geodescent
