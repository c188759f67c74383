// `geodescent bench worst-case`: section 4.2 of the paper.
#include <fmt/format.h>

#include <memory>

#include "bench/bench.hpp"
#include "common/interrupt.hpp"
#include "common/options/options.hpp"
#include "common/progress.hpp"
#include "experiments/worst_case/worst_case.hpp"
#include "geodescent/optimize/method.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* worst_case_description =
    R"(Runs the methods on a function that is slow for every gradient method (section 4.2).

The function is f(x) = beta/2 ((1 - x_1)^2 + sum (x_i - x_{i+1})^2 + x_n^2) + 1/2 |x|^2. Its first n iterations are slow for every method that uses gradients only; methods differ after that. Three sizes are run: n larger than the number of iterations, n = 200 and n = 100. The minimum is computed directly, and its error is proven.)";

constexpr const char* worst_case_examples = R"(Examples:

  geodescent bench worst-case
  geodescent bench worst-case --beta 1e3 --out results/beta-1e3
  geodescent bench worst-case --methods geod,geod-fixed,lbfgs)";

struct WorstCaseWishes {
  lab::WorstCaseOptions experiment;
  BenchOutput output = {.folder = "geodescent-worst-case"};
};

int run(const WorstCaseWishes& w) {
  require_folder(w.output.folder);
  const InterruptGuard guard;
  ProgressLine line(w.output.quiet);
  const auto watch = [&](const lab::WorstCaseState& state) {
    if (interrupted() != 0) throw Interrupted{interrupted()};
    line.update([&] {
      return fmt::format("n = {}  {}  iteration {}  accuracy {:.1e}", state.n, state.method, state.iteration,
                         state.accuracy);
    });
  };
  const lab::Report report = lab::worst_case_report(w.experiment, watch);
  line.clear();
  write_bench(report, w.output);
  return success;
}

}  // namespace

void add_bench_worst_case(Command& bench, Action& action) {
  const auto w = std::make_shared<WorstCaseWishes>();
  lab::WorstCaseOptions& e = w->experiment;
  Command& app = bench.add_command("worst-case", worst_case_description);
  app.start_group("The experiment");
  add_real(app, {"--beta", "B", fmt::format("the smoothness parameter (default {:g})", e.beta)}, e.beta,
           {.least = 1, .most = 1e8});
  add_list(app, {"--methods", "LIST", fmt::format("methods (default {})", fmt::join(e.methods, ","))}, e.methods,
           names_in(methods()));
  add_bench_output(app, w->output);
  app.footer = worst_case_examples;
  app.callback = [w, &action] { action = [w] { return run(*w); }; };
}

}  // namespace geodescent::cli
