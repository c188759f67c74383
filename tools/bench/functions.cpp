// `geodescent bench functions`: the test problems of the library, by evaluations.
#include <fmt/format.h>

#include <memory>

#include "bench/bench.hpp"
#include "common/interrupt.hpp"
#include "common/options/options.hpp"
#include "common/output.hpp"
#include "common/progress.hpp"
#include "experiments/functions/functions.hpp"
#include "geodescent/optimize/test_problems.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* functions_description =
    R"(Compares the methods on functions of unknown strong convexity, by evaluations.

The library has test problems that are smooth, convex, ill-conditioned and not quadratic; docs/reference/test-problems.md has their formulas. The methods see values and gradients only. Evaluations, including those of line searches, are counted until (f - f*) / (f(x0) - f*) is 1e-1, 1e-2, ..., 1e-10; f* is computed by Newton's method in long double.

Without a known strong convexity nothing can be proven. geod-memory estimates its gap; it also runs until the estimate is 1e-6, and the estimate is compared with the true gap.)";

constexpr const char* functions_examples = R"(Examples:

  geodescent bench functions
  geodescent bench functions --methods geod-memory,lbfgs:memory=10
  geodescent bench functions --problems powell-singular,logistic-regression)";

struct FunctionsWishes {
  lab::FunctionsOptions experiment = lab::default_functions_options();
  std::vector<std::string> methods;
  BenchOutput output = {.folder = "geodescent-functions"};

  FunctionsWishes() {
    for (const lab::Contender& method : experiment.methods) methods.push_back(method.text);
  }
};

int run(FunctionsWishes& w) {
  w.experiment.methods = lab::parse_methods(w.methods);
  for (const lab::Contender& method : w.experiment.methods) lab::require_no_strong_convexity(method);
  require_folder(w.output.folder);
  const InterruptGuard guard;
  ProgressLine line(w.output.quiet);
  const auto watch = [&](const lab::FunctionsState& state) {
    if (interrupted() != 0) throw Interrupted{interrupted()};
    line.update([&] {
      if (state.method.empty()) return fmt::format("{}  computing the minimum", state.problem);
      return fmt::format("{}  {}  evaluation {}  accuracy {:.1e}", state.problem, state.method, state.evaluations,
                         state.accuracy);
    });
  };
  const lab::Report report = lab::functions_report(w.experiment, watch);
  line.clear();
  if (!w.output.quiet)
    for (const lab::Table& table : report.tables)
      if (table.name == "problems-1e-06" || table.name == "estimates") print_out(text_of(table) + "\n");
  write_bench(report, w.output);
  return success;
}

}  // namespace

void add_bench_functions(Command& bench, Action& action) {
  const auto w = std::make_shared<FunctionsWishes>();
  lab::FunctionsOptions& e = w->experiment;
  Command& app = bench.add_command("functions", functions_description);
  app.start_group("The experiment");
  add_list(
      app,
      {"--methods", "LIST",
       fmt::format("methods, with settings after colons: lbfgs:memory=10 (default {})", fmt::join(w->methods, ", "))},
      w->methods);
  add_list(app, {"--problems", "LIST", "names of test problems (default: all)"}, e.problems, names_in(test_problems()));
  add_whole(
      app,
      {"--max-evaluations", "N", fmt::format("evaluations of a method on a problem (default {})", e.max_evaluations)},
      e.max_evaluations, {.least = 1, .most = 1e9});
  add_bench_output(app, w->output);
  app.footer = functions_examples;
  app.callback = [w, &action] { action = [w] { return run(*w); }; };
}

}  // namespace geodescent::cli
