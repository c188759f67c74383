// The cost of the memory of geod-memory by part. The constants of
// src/methods/geod_memory/plan/cost.cpp are measured here.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "geodescent/data/generate.hpp"
#include "geodescent/geodescent.hpp"
#include "methods/inverse_hessian.hpp"
#include "optimize/models/bundle.hpp"
#include "optimize/oracles/hessian_model.hpp"
#include "optimize/oracles/subspace_model.hpp"
#include "optimize/search/cholesky.hpp"
#include "optimize/search/hessian.hpp"
#include "optimize/search/reduced.hpp"

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

/// A pass and a Hessian of the whole space, with 100 features.
void hessian(benchmark::State& state, double density) {
  set_threads(1);
  const Dataset data = generated(30000, 100, density);
  const auto f = make_risk("logistic", data, 1e-4)->oracle();
  Hessian h = f->hessian()->hessian_memory();
  const Point x(f->dimension(), f->image_size());
  for (auto _ : state) f->hessian()->hessian_at(x, 0, h);
  per(state, "time/product", f->facts().hessian_products);
}

void pass(benchmark::State& state, double density) {
  set_threads(1);
  const Dataset data = generated(30000, 100, density);
  const auto f = make_risk("logistic", data, 1e-4)->oracle();
  Point x(f->dimension(), f->image_size());
  for (auto _ : state) f->lift(x);
  per(state, "time/entry", f->facts().entries_per_pass);
}

/// Gradient and Hessian on a subspace with a number of directions.
void subspace(benchmark::State& state) {
  set_threads(1);
  const Dataset data = generated(30000, 300, 0.05);
  const auto f = make_risk("logistic", data, 1e-4)->oracle();
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
  for (auto _ : state) f->subspace()->reduce(basis, x, reduced);
  per(state, "time/product", 0.5 * static_cast<double>(f->image_size() * m * m));
}

void dot_product(benchmark::State& state) {
  set_threads(1);
  const Vector a(1000000, 1.0), b(1000000, 2.0);
  for (auto _ : state) benchmark::DoNotOptimize(dot(a, b));
  per(state, "time/entry", 1e6);
}

/// The quasi-Newton direction from a number of pairs.
void pairs(benchmark::State& state) {
  set_threads(1);
  const std::size_t d = 20000, count = static_cast<std::size_t>(state.range(0));
  InverseHessian<Vector> h(count, Vector(d));
  Vector g(d, 1.0), direction(d);
  for (std::size_t k = 0; k < count; ++k) {
    std::fill(h.next_s().begin(), h.next_s().end(), 1.0 + static_cast<double>(k));
    h.next_y() = h.next_s();
    h.remember();
  }
  for (auto _ : state) h.direction(g, direction);
  per(state, "time/number", static_cast<double>(4 * count * d));
}

/// The smallest enclosing ball of a number of balls.
void balls(benchmark::State& state) {
  set_threads(1);
  const std::size_t d = 20000, count = static_cast<std::size_t>(state.range(0));
  Bundle bundle(d, 0, 1, count);
  Point x(d, 0), g(d, 0);
  std::size_t k = 0;
  const auto enclose = [&] {
    for (std::size_t i = 0; i < d; ++i) g.x[i] = x.x[i] = 1 + 0.1 * static_cast<double>((i * (k + 3)) % 17);
    ++k;
    bundle.enclose(x, g, {.value = squared_norm(x.x)});
  };
  for (std::size_t i = 0; i < count; ++i) enclose();
  for (auto _ : state) enclose();
  per(state, "time/number", static_cast<double>(3 * count * d));
}

void factorization(benchmark::State& state) {
  set_threads(1);
  const auto d = static_cast<std::size_t>(state.range(0));
  Vector h(d * d, 0.1), l(d * d);
  for (std::size_t i = 0; i < d; ++i) h[i * d + i] += 1;
  Cholesky factorization(d);
  for (auto _ : state) {
    l = h;
    benchmark::DoNotOptimize(factorization.factorize(l.data(), d, d));
  }
  per(state, "time/product", static_cast<double>(d * d * d) / 6);
}

void first_touch(benchmark::State& state) {
  const std::size_t numbers = 8 << 20;  // large enough that malloc returns the memory to the system each time
  for (auto _ : state) {
    const Vector v(numbers);
    benchmark::DoNotOptimize(v.data());
  }
  per(state, "time/number", static_cast<double>(numbers));
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
  named("memory/pairs", pairs)->Arg(10)->Arg(100)->ArgName("pairs");
  named("memory/balls", balls)->Arg(20)->Arg(40)->ArgName("balls");
  named("memory/factorization", factorization)->Arg(100)->Arg(300)->Arg(1000)->ArgName("columns");
  named("memory/first_touch", first_touch);
  return true;
}();

}  // namespace
}  // namespace geodescent
