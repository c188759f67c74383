// What the memory of geod-memory costs, part by part: the constants of src/methods/memory_plan.cpp come from here.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "geodescent/generate.hpp"
#include "geodescent/geodescent.hpp"
#include "geodescent/reduced.hpp"

namespace geodescent {
namespace {

Dataset generated(std::size_t rows, std::size_t features, double density) {
  GenerateOptions options;
  options.rows = rows;
  options.features = features;
  options.density = density;
  LibsvmData d = generate(options);
  const std::size_t nonzeros = d.rows.nonzeros();
  return Dataset{"generated", in_best_form(std::move(d.rows)), std::move(d.targets), nonzeros};
}

void per(benchmark::State& state, const char* name, double count) {
  state.counters[name] =
      benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// A pass and a Hessian of the whole space, on data of 100 features.
void hessian(benchmark::State& state, double density) {
  set_threads(1);
  const Dataset data = generated(30000, 100, density);
  const auto f = make_risk("logistic", data, 1e-4);
  Hessian h = f->hessian_memory();
  const Point x(f->dimension(), f->image_size());
  for (auto _ : state) f->hessian(x, 0, h);
  per(state, "time/product", f->cost().hessian_products);
}

void pass(benchmark::State& state, double density) {
  set_threads(1);
  const Dataset data = generated(30000, 100, density);
  const auto f = make_risk("logistic", data, 1e-4);
  Point x(f->dimension(), f->image_size());
  for (auto _ : state) f->lift(x);
  per(state, "time/entry", f->cost().entries_per_pass);
}

/// Gradient and Hessian on a subspace of so many directions.
void subspace(benchmark::State& state) {
  set_threads(1);
  const Dataset data = generated(30000, 300, 0.05);
  const auto f = make_risk("logistic", data, 1e-4);
  const auto m = static_cast<std::size_t>(state.range(0));
  Basis basis(f->dimension(), f->image_size(), m);
  Point p(f->dimension(), f->image_size());
  for (std::size_t j = 0; j < m; ++j) {
    std::fill(p.x.begin(), p.x.end(), 0.0);
    p.x[j] = 1;
    f->lift(p);
    basis.add(p);
  }
  Reduced reduced(f->image_size(), m);
  const Point x(f->dimension(), f->image_size());
  for (auto _ : state) benchmark::DoNotOptimize(f->reduce(basis, x, reduced));
  per(state, "time/product", 0.5 * static_cast<double>(f->image_size() * m * m));
}

void dot_product(benchmark::State& state) {
  set_threads(1);
  const Vector a(1000000, 1.0), b(1000000, 2.0);
  for (auto _ : state) benchmark::DoNotOptimize(dot(a, b));
  per(state, "time/entry", 1e6);
}

const bool registered = [] {
  const auto named = [](const char* name, auto f, auto... a) {
    return benchmark::RegisterBenchmark(name, f, a...)->Unit(benchmark::kMillisecond);
  };
  named("memory/pass/sparse", pass, 0.12);
  named("memory/pass/dense", pass, 1.0);
  named("memory/hessian/sparse", hessian, 0.12);
  named("memory/hessian/dense", hessian, 1.0);
  named("memory/subspace", subspace)->Arg(20)->Arg(100)->Arg(200)->ArgName("directions");
  named("memory/dot_product", dot_product);
  return true;
}();

}  // namespace
}  // namespace geodescent
