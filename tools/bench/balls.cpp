// `geodescent bench balls`: the question of section 4.1, taken literally.
#include "experiments/balls/balls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/suite.hpp"
#include "common/interrupt.hpp"
#include "common/progress.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* balls_description =
    R"(Measures what the intersection of many balls gains alone.

The paper asks whether GeoD competes with L-BFGS if it intersects many balls instead of two. This experiment runs GeoD with one ball, and for each m: balls alone, which is Algorithm 2 with the centre of m balls and its two line searches; directions alone, a search over m directions and the centre of the two-ball rule; both; and L-BFGS with memory m. Each runs until it has proven the smallest gap or reached the limit.

The problems are the data sets of 'geodescent bench paper' and the worst-case function of section 4.2. The report shows iterations and passes to each accuracy and to each proven gap, as ratios to GeoD with one ball.

Finished cells are kept on disk: after a stop or a crash the same command continues.)";

constexpr const char* balls_examples = R"(Examples:

  geodescent bench balls --quick
  geodescent bench balls --data DIR --sizes 2,10,100 --out results/balls)";

struct BallsWishes {
  SuiteOptions suite;
  std::vector<double> sizes;
  lab::BallsOptions balls;
  DataBenchOptions bench;

  BallsWishes() {
    bench.experiment.lambdas = {1e-4, 1e-6, 1e-8};
    bench.experiment.limits.iterations = 3000;
    bench.experiment.prove = true;
    bench.decades = 8;
    bench.output.folder = "geodescent-balls";
  }
};

/// Takes over --sizes, increasing.
void complete(BallsWishes& w) {
  for (const double size : w.sizes)
    if (size != std::floor(size)) throw UsageError(fmt::format("--sizes takes whole numbers, but {:g} is given", size));
  if (!w.sizes.empty()) w.balls.sizes.assign(w.sizes.begin(), w.sizes.end());
  std::ranges::sort(w.balls.sizes);
  w.bench.methods = lab::methods_of(w.balls);
}

std::vector<lab::WorstCaseTrace> run_worst_case(const BallsWishes& w) {
  const InterruptGuard guard;
  ProgressLine line(w.bench.output.quiet);
  auto traces = lab::worst_case_traces(w.balls, [&](const lab::WorstCaseState& state) {
    if (interrupted() != 0) throw Interrupted{interrupted()};
    line.update([&] { return fmt::format("worst case, {}: iteration {}", state.method, state.iteration); });
  });
  line.clear();
  return traces;
}

int run(BallsWishes& w) {
  complete(w);
  lab::Report report;
  report.name = "balls";
  report.title = "What the intersection of many balls gains";
  const std::vector<lab::DataSource> sources = sources_of(w.suite, w.bench.output, report);
  lab::BallsResults results{run_with_progress(w.bench, sources), {}};
  results.worst_case = run_worst_case(w);
  const lab::ExperimentOptions& e = w.bench.experiment;
  report.lead = fmt::format(
      "Section 4.1 of \"A geometric alternative to Nesterov's accelerated gradient descent\" (Bubeck, Lee, Singh) asks "
      "whether GeoD competes with L-BFGS if it intersects many balls. {} data sets, {} strengths of the "
      "regularisation, "
      "loss {}. \"Balls alone\" is geod:balls=m. \"Directions alone\" is geod-memory with m directions and no pairs; "
      "its bound and its centre come from the two-ball rule of Algorithm 1. \"Balls and directions\" intersects m "
      "balls "
      "as well.",
      sources.size(), e.lambdas.size(), e.loss);
  if (w.suite.quick)
    report.warnings.emplace_back("A quick run: small sets, six decades of accuracy, a low limit of iterations.");
  report.claims = lab::balls_claims(w.balls, e, results.data);
  report.figures = lab::balls_figures(w.balls, e, results);
  report.tables = lab::balls_tables(w.balls, e, results);
  lab::add_tables(report, e, results.data);
  lab::add_doubts(report, e, results.data);
  add_facts(report, w.bench);
  write_bench(report, w.bench.output);
  return success;
}

}  // namespace

void add_bench_balls(Command& bench, Action& action) {
  const auto w = std::make_shared<BallsWishes>();
  Command& app = bench.add_command("balls", balls_description);
  add_suite(app, w->suite, "small sets, proofs to 1e-6, 2000 iterations");
  app.start_group("The methods");
  add_list(app,
           {"--sizes", "LIST",
            fmt::format("numbers of balls, directions and pairs that are kept (default {})",
                        fmt::join(w->balls.sizes, ","))},
           w->sizes, {.least = 1, .most = 1000});
  add_data_bench(app, w->bench, Methods::fixed);
  app.footer = balls_examples;
  app.callback = [w, &action, &app] {
    if (w->suite.quick) make_quick(w->bench, app);
    action = [w] { return run(*w); };
  };
}

}  // namespace geodescent::cli
