// The cost of an iteration besides its two products with the data. The data have the shape of a9a
// with 30 times its rows.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <string>

#include "base/parallel.hpp"
#include "geodescent/data/generate.hpp"
#include "geodescent/geodescent.hpp"
#include "learn/linear/risk_operator.hpp"
#include "matrix/row_space.hpp"

namespace geodescent {
namespace {

const Dataset& a9a_times_30() {
  static const Dataset data = [] {
    LibsvmData d = generate(preset_options("a9a", 30));
    const std::size_t nonzeros = d.rows.nonzeros();
    return Dataset{"a9a x 30", std::make_shared<SparseRows>(std::move(d.rows)), std::move(d.targets), nonzeros};
  }();
  return data;
}

void count_nonzeros(benchmark::State& state, double products) {
  const double nonzeros = static_cast<double>(a9a_times_30().nonzeros);
  state.counters["time/nonzero"] = benchmark::Counter(
      products * nonzeros, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// A x and A'r once each: the lower bound of every iteration.
void two_bare_products(benchmark::State& state) {
  const Dataset& data = a9a_times_30();
  set_threads(static_cast<int>(state.range(0)));
  const RiskOperator a(data, signs_of_classes(data));
  Vector x(a.columns(), 0.01), image(a.rows()), g(a.columns()), buffers(a.buffer_size());
  for (auto _ : state) {
    a.forward(x, image);
    a.backward<1>(g, buffers, [&](std::size_t begin, std::size_t end, std::span<double> slopes) {
      std::copy(image.begin() + static_cast<std::ptrdiff_t>(begin), image.begin() + static_cast<std::ptrdiff_t>(end),
                slopes.begin());
      return parallel::Sums<1>{};
    });
    benchmark::DoNotOptimize(g.data());
  }
  count_nonzeros(state, 2);
}

void iteration(benchmark::State& state, const char* method, const char* loss) {
  const Dataset& data = a9a_times_30();
  set_threads(static_cast<int>(state.range(0)));
  const auto f = make_risk(loss, data, 1e-4)->oracle();
  const auto m = MethodChoice(method).make();
  m->start(*f, Vector(f->dimension()));
  for (auto _ : state) m->step();
  count_nonzeros(state, 2);
}

void line_evaluation(benchmark::State& state, const char* loss) {
  const Dataset& data = a9a_times_30();
  set_threads(static_cast<int>(state.range(0)));
  const auto f = make_risk(loss, data, 1e-4)->oracle();
  Point x(f->dimension(), f->image_size()), d = x;
  std::fill(d.x.begin(), d.x.end(), 0.01);
  f->lift(d);
  Line line(f->dimension());
  line.set(x, d);
  for (auto _ : state) benchmark::DoNotOptimize(f->on(line, 0.5));
  state.counters["time/row"] =
      benchmark::Counter(static_cast<double>(f->image_size()),
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

const bool registered = [] {
  const auto with_threads = [](benchmark::internal::Benchmark* b) {
    b->Arg(1)->Arg(2)->ArgName("threads")->Unit(benchmark::kMillisecond)->UseRealTime();
  };
  with_threads(benchmark::RegisterBenchmark("two_bare_products", two_bare_products));
  for (const MethodInfo& m : methods())
    with_threads(benchmark::RegisterBenchmark(("iteration/" + std::string(m.name) + "/smoothed-hinge").c_str(),
                                              iteration, m.name.data(), "smoothed-hinge"));
  with_threads(benchmark::RegisterBenchmark("iteration/geod/logistic", iteration, "geod", "logistic"));
  for (const LossInfo& l : losses())
    if (l.task == Task::classification)
      with_threads(benchmark::RegisterBenchmark(("line_evaluation/" + std::string(l.name)).c_str(), line_evaluation,
                                                l.name.data()));
  return true;
}();

}  // namespace
}  // namespace geodescent
