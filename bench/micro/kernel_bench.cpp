// The kernels beside their lower bounds: products with the data as multiples of reading their bytes
// once, losses in nanoseconds per row, Gram matrices in GFLOP/s. One thread, every instruction set
// of the machine.
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>

#include "base/parallel.hpp"
#include "geodescent/data/matrix_view.hpp"
#include "geodescent/detail/row_loss.hpp"
#include "geodescent/instruction_set.hpp"
#include "geodescent/learn/losses.hpp"
#include "geodescent/learn/risk.hpp"
#include "kernels/kernels.hpp"
#include "learn/linear/risk_operator.hpp"
#include "micro/measure.hpp"

namespace geodescent {
namespace {

/// The shortest iteration in seconds, which other load on the machine disturbed least.
double quickest(benchmark::State& state, const std::function<void()>& body) {
  double best = 1e9;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    body();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    state.SetIterationTime(seconds);
    best = std::min(best, seconds);
  }
  return best;
}

void use(InstructionSet set) {
  set_threads(1);
  set_instruction_set(set);
}

struct Shape {
  const char* preset;
  double row_factor;
};

void product(benchmark::State& state, InstructionSet set, Shape shape, bool forward) {
  use(set);
  const RowMatrix& a = *bench::data_like(shape.preset, shape.row_factor).rows;
  Vector x(a.columns(), 0.01), image(a.rows(), 0.5);
  const double seconds = quickest(state, [&] {
    if (forward)
      a.forward(0, a.rows(), x, image);
    else
      a.backward(0, a.rows(), image, x);
  });
  const double bytes = a.bytes() + 8 * static_cast<double>(a.rows());
  state.counters["ns/nonzero"] = 1e9 * seconds / static_cast<double>(a.nonzeros());
  bench::times_floor(state, seconds, bench::seconds_to_stream(bytes));
}

/// Products with numbers stored by rows or by columns. The two differ by less than a factor of two.
void strided_product(benchmark::State& state, InstructionSet set, bool columns, bool forward) {
  use(set);
  const std::size_t n = 20000, d = 200;
  const Vector numbers(n * d, 0.5);
  const auto a = columns ? dense_view(numbers.data(), n, d, 1, n) : dense_view(numbers.data(), n, d);
  Vector x(d, 0.01), image(n, 0.5);
  const double seconds = quickest(state, [&] {
    if (forward)
      a->forward(0, n, x, image);
    else
      a->backward(0, n, image, x);
  });
  state.counters["ns/entry"] = 1e9 * seconds / static_cast<double>(n * d);
}

void hessian(benchmark::State& state, InstructionSet set, Shape shape) {
  use(set);
  const RowMatrix& a = *bench::data_like(shape.preset, shape.row_factor).rows;
  const Vector w(a.rows(), 0.25);
  Vector sum(a.columns() * a.columns()), scratch(a.gram_scratch());
  const double seconds = quickest(state, [&] { a.add_gram(0, a.rows(), w, sum, scratch); });
  state.counters["GFLOP/s"] = 2e-9 * a.gram_products() / seconds;
}

void reduced_hessian(benchmark::State& state, InstructionSet set) {
  use(set);
  const std::size_t n = 30000, m = static_cast<std::size_t>(state.range(0));
  const Vector columns(n * m, 0.5), w(n, 0.25);
  Vector sum(m * m), scratch(columns_gram_scratch(m));
  const double seconds = quickest(
      state, [&] { kernels().columns_gram(columns.data(), n, m, n, w.data(), sum.data(), m, scratch.data()); });
  state.counters["GFLOP/s"] = 1e-9 * static_cast<double>(n * m * (m + 1)) / seconds;
}

void loss_rows(benchmark::State& state, InstructionSet set, std::size_t loss, bool values) {
  use(set);
  constexpr std::size_t n = RiskOperator::chunk;
  alignas(64) static double z[n], y[n], value[n + 8], slope[n + 16], curvature[n + 24];
  for (std::size_t i = 0; i < n; ++i) z[i] = 0.03 * (static_cast<double>(i) - 200);
  const auto phi = make_row_loss(losses()[loss].name);
  constexpr int repeats = 16;
  const double seconds = quickest(state, [&] {
    for (int k = 0; k < repeats; ++k) phi->evaluate(z, y, n, {values ? value : nullptr, slope, curvature});
  });
  state.counters["ns/row"] = 1e9 * seconds / static_cast<double>(repeats * n);
}

void vector_operation(benchmark::State& state, InstructionSet set, const std::string& name) {
  use(set);
  const std::size_t n = 100000, count = 20;
  const Vector vectors(n * count, 0.5), x(n, 0.25), c(count, 1e-3);
  Vector y(n), out(count);
  const Kernels& k = kernels();
  const bool many = name.starts_with("multi");
  const double seconds = quickest(state, [&] {
    if (name == "dot") benchmark::DoNotOptimize(k.dot(vectors.data(), x.data(), n));
    if (name == "axpby") k.axpby(y.data(), 0.5, vectors.data(), 0.25, x.data(), n);
    if (name == "multi_dot") k.multi_dot(vectors.data(), n, count, x.data(), n, out.data());
    if (name == "multi_axpy") k.multi_axpy(y.data(), c.data(), vectors.data(), n, count, n);
  });
  const double numbers = static_cast<double>(n) * (many ? static_cast<double>(count) + 1 : 2);
  state.counters["ns/number"] = 1e9 * seconds / numbers;
  bench::times_floor(state, seconds, bench::seconds_to_stream(8 * numbers));
}

const bool registered = [] {
  constexpr Shape shapes[] = {{"a9a", 1}, {"epsilon", 0.005}, {"rcv1", 2}};
  for (const InstructionSet set : {InstructionSet::portable, InstructionSet::avx2, InstructionSet::avx512}) {
    if (set > best_instruction_set()) continue;
    const auto add = [&](const std::string& name, auto f, auto... a) {
      return benchmark::RegisterBenchmark((name + "/" + std::string(to_string(set))).c_str(), f, set, a...)
          ->Unit(benchmark::kMicrosecond)
          ->UseManualTime();
    };
    for (const Shape& s : shapes) {
      add(std::string("kernel/forward/") + s.preset, product, s, true);
      add(std::string("kernel/backward/") + s.preset, product, s, false);
      if (std::string_view(s.preset) != "rcv1") add(std::string("kernel/hessian/") + s.preset, hessian, s);
    }
    for (const bool columns : {false, true})
      for (const bool forward : {true, false})
        add(std::string("kernel/") + (forward ? "forward" : "backward") + (columns ? "/columns" : "/rows"),
            strided_product, columns, forward);
    add("kernel/reduced_hessian", reduced_hessian)->Arg(10)->Arg(50)->Arg(100)->ArgName("directions");
    for (std::size_t l = 0; l < losses().size(); ++l) {
      const std::string name(losses()[l].name);
      add("kernel/loss/" + name, loss_rows, l, true);
      add("kernel/slopes_of_loss/" + name, loss_rows, l, false);
    }
    for (const char* name : {"dot", "axpby", "multi_dot", "multi_axpy"})
      add(std::string("kernel/") + name, vector_operation, std::string(name));
  }
  return true;
}();

}  // namespace
}  // namespace geodescent
