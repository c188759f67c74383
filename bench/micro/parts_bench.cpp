// The calls of a risk in one iteration, in nanoseconds per row, on data like a9a.
#include "geodescent/geodescent.hpp"
#include "micro/measure.hpp"
#include "optimize/oracles/hessian_model.hpp"
#include "optimize/oracles/subspace_model.hpp"
#include "optimize/search/hessian.hpp"
#include "optimize/search/reduced.hpp"

namespace geodescent {
namespace {

void part(benchmark::State& state, const std::string& name, const char* loss) {
  set_threads(static_cast<int>(state.range(0)));
  const auto f = make_risk(loss, bench::data_like("a9a", 1), 1e-4, {}, Bias::free)->oracle();
  Point x(f->dimension(), f->image_size()), d = x;
  std::fill(d.x.begin(), d.x.end(), 0.01);
  f->lift(d);
  Line line(f->dimension());
  line.set(x, d);
  Vector g(f->dimension());
  Hessian h = f->hessian()->hessian_memory();
  const std::size_t directions = 20;
  Basis basis(f->dimension(), f->image_size(), directions);
  Point v(f->dimension(), f->image_size());
  for (std::size_t j = 0; j < directions; ++j) {
    std::fill(v.x.begin(), v.x.end(), 0.0);
    v.x[j] = 1;
    f->lift(v);
    basis.add(v);
  }
  Reduced reduced(f->image_size(), directions);
  for (auto _ : state) {
    if (name == "lift") f->lift(d);
    if (name == "gradient") benchmark::DoNotOptimize(f->gradient(d, g));
    if (name == "line") benchmark::DoNotOptimize(f->on(line, 0.5));
    reduced.columns = 0;  // otherwise the Hessian would be kept, and not be measured
    if (name == "reduce_20") f->subspace()->reduce(basis, d, reduced);
    if (name == "hessian") f->hessian()->hessian_at(d, 0, h);
  }
  state.counters["s/row"] =
      benchmark::Counter(static_cast<double>(f->image_size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

const bool registered = [] {
  for (const char* loss : {"logistic", "smoothed-hinge"})
    for (const char* name : {"lift", "gradient", "line", "reduce_20", "hessian"})
      benchmark::RegisterBenchmark(("part/" + std::string(name) + "/" + loss).c_str(), part, std::string(name), loss)
          ->Arg(1)
          ->Arg(2)
          ->ArgName("threads")
          ->Unit(benchmark::kMicrosecond)
          ->UseRealTime();
  return true;
}();

}  // namespace
}  // namespace geodescent
