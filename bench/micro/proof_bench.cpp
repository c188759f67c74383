// A proof and its parts beside one forward and one backward product. "x products" is the multiple
// of their time.
#include <algorithm>
#include <chrono>
#include <functional>
#include <string>

#include "base/parallel.hpp"
#include "certificate/proof/prove.hpp"
#include "geodescent/certificate.hpp"
#include "geodescent/data/generate.hpp"
#include "geodescent/threads.hpp"
#include "micro/measure.hpp"

namespace geodescent {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const std::function<void()>& body) {
  const auto start = Clock::now();
  body();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Case {
  const char* name;
  const char* loss;
  GenerateOptions shape;
};

std::vector<Case> cases() {
  GenerateOptions wide, narrow;
  wide.rows = 20000;
  wide.features = 500;
  narrow.rows = 500000;
  narrow.features = 30;
  narrow.regression = true;
  for (GenerateOptions* dense : {&wide, &narrow}) {
    dense->density = 1;
    dense->label_noise = 0.1;
  }
  return {{"dense", "logistic", wide},
          {"ridge", "squared", narrow},
          {"a9a", "logistic", preset_options("a9a", 1)},
          {"rcv1", "logistic", preset_options("rcv1", 1)}};
}

/// Data with a model and a dual point. Their quality does not affect the time of a proof.
struct Claim {
  Dataset data;
  LinearModel model;
  DualPoint dual;

  explicit Claim(const Case& of) {
    LibsvmData made = generate(of.shape);
    data = {of.name, in_best_form(made.rows), std::move(made.targets), made.rows.nonzeros()};
    model.risk.loss = of.loss;
    model.risk.l2 = 1e-4;
    model.risk.bias = Bias::free;
    model.weights.assign(data.rows->columns(), 0.01);
    dual = rounded_dual(data, model.risk, slopes_at(data, model), 3);
  }
};

/// The minimum of several trials.
double seconds_of_two_products(const RowMatrix& matrix) {
  const parallel::Blocks blocks = parallel::cut(matrix.rows(), 256, 8);
  const Vector x(matrix.columns(), 0.01);
  Vector image(matrix.rows());
  std::vector<Vector> sums(blocks.count, Vector(matrix.columns()));
  double best = 1e9;
  for (int k = 0; k < 10; ++k) {
    best = std::min(best, seconds_of([&] {
                      parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
                        matrix.forward(begin, end, x, std::span(image).subspan(begin, end - begin));
                      });
                      parallel::for_each(blocks, [&](std::size_t begin, std::size_t end) {
                        matrix.backward(begin, end, std::span<const double>(image).subspan(begin, end - begin),
                                        sums[begin / blocks.length]);
                      });
                    }));
  }
  return best;
}

void proof_part(benchmark::State& state, const Case& of, const std::string& part) {
  set_threads(static_cast<int>(state.range(0)));
  const Claim claim(of);
  const proof::Problem problem(claim.data, claim.model.risk);
  const double floor = seconds_of_two_products(*claim.data.rows);
  double best = 1e9;
  for (auto _ : state) {
    const double seconds = seconds_of([&] {
      if (part == "value" || part == "all") benchmark::DoNotOptimize(proof::value_above(problem, claim.model));
      if (part == "bound" || part == "all") benchmark::DoNotOptimize(proof::bound_below(problem, claim.dual));
      if (part == "reference" || part == "all") benchmark::DoNotOptimize(proof::reference_below(problem));
      if (part == "fingerprint" || part == "all") benchmark::DoNotOptimize(fingerprint(claim.data));
    });
    state.SetIterationTime(seconds);
    best = std::min(best, seconds);
  }
  state.counters["x products"] = best / floor;
  state.counters["ns/entry"] = 1e9 * best / static_cast<double>(claim.data.rows->nonzeros());
}

const bool registered = [] {
  for (const Case& of : cases())
    for (const char* part : {"value", "bound", "reference", "fingerprint", "all"})
      benchmark::RegisterBenchmark((std::string("proof/") + of.name + "/" + part).c_str(), proof_part, of,
                                   std::string(part))
          ->Arg(1)
          ->Arg(2)
          ->ArgName("threads")
          ->Unit(benchmark::kMillisecond)
          ->UseManualTime();
  return true;
}();

}  // namespace
}  // namespace geodescent
