// Limited-memory BFGS (Nocedal, 1980; Liu and Nocedal, 1989) with the line search on cached images.
// Defaults as in minFunc, which the paper compares with: memory 100, strong Wolfe with c1 = 1e-4,
// c2 = 0.9.
#include "methods/common.hpp"
#include "methods/inverse_hessian.hpp"

namespace geodescent {
namespace {

class LimitedMemoryBfgs final : public Method {
 public:
  explicit LimitedMemoryBfgs(const Lbfgs& s) : settings(s) {}

  void start(Oracle& objective, std::span<const double> x0) override {
    f = &objective;
    line = Line(f->dimension());
    h = {std::max<std::size_t>(settings.memory, 1), Vector(f->dimension())};
    x = lifted(*f, x0);
    d = point_of(*f);
    g = g_next = Vector(f->dimension());
    at_x = f->gradient(x, g);
    bounds = {};
    bounds.add(x, g, at_x, f->strong_convexity());
  }

  Step step() override {
    h.direction(g, d.x);
    f->lift(d);
    line.set(x, d);
    const LineStep ahead = search();
    if (!ahead.finite) return Step::not_finite;
    if (!ahead.found) {
      // The search failed: discard the memory, and stop only if the gradient alone also fails.
      const bool had_memory = !h.empty();
      h.clear();
      return had_memory ? Step::progressed : Step::stalled;
    }
    const double f_before = at_x.value, bound_before = bounds.value();
    at_x = advance(*f, line, ahead.t, x, g_next);
    combine(h.next_s(), ahead.t, d.x, 0, d.x);
    combine(h.next_y(), 1, g_next, -1, g);
    h.remember();
    std::swap(g, g_next);
    bounds.add(x, g, at_x, f->strong_convexity());
    return at_x.value < f_before || bounds.value() > bound_before ? Step::progressed : Step::stalled;
  }

  Iterate iterate() const override {
    return {&x.x, at_x.value, norm(g), bounds.value(), bounds.rounding(), 0, bounds.dual()};
  }

 private:
  LineStep search() {
    const LineValue start{at_x.value, dot(g, d.x), 0};
    // The first direction has no natural length: as in minFunc, its first step is at most 1/|g|_1.
    double first = 1;
    if (h.empty()) {
      double sum = 0;
      for (const double v : g) sum += std::abs(v);
      first = std::min(1.0, 1 / sum);
    }
    return settings.line_search == LineSearch::wolfe ? wolfe_step(*f, line, start, first, WolfeConditions{})
                                                     : line_minimum(*f, line, start, first, settings.line_tolerance);
  }

  Lbfgs settings;
  Oracle* f = nullptr;
  Line line;
  InverseHessian<Vector> h;
  Point x, d;
  Vector g, g_next;
  Evaluation at_x;
  BestBound bounds;
};

}  // namespace

std::unique_ptr<Method> Lbfgs::make(const Purpose&) const { return std::make_unique<LimitedMemoryBfgs>(*this); }

}  // namespace geodescent
