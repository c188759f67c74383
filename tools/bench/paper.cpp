// `geodescent bench paper`: section 4.1 of the paper.
#include <fmt/format.h>

#include <memory>

#include "bench/suite.hpp"
#include "comparison/comparison.hpp"
#include "experiments/paper/open_question.hpp"
#include "experiments/paper/paper.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* paper_description =
    R"(Repeats section 4.1: every method on the paper's data sets, counted to each accuracy.

For each data set and each l2 the minimum f* is computed and proven first. Then every method runs until (f - f*) / (f(0) - f*) is 1e-10 (see --decades). Iterations, passes over the data and line evaluations are counted to each accuracy from 1e-1 on, with --time also seconds. As in the paper, AFG and AFGwR get the best power of two for each data set as their constant, and L-BFGS has memory 100. A problem that is not solved within the limit counts as infinite and is never left out.

Section 4.1 ends with the question whether GeoD can compete with L-BFGS when it remembers more than one ball. The answer is given on equal terms, by geod-memory with 100 balls and 100 directions from gradients alone. Its default, which may use Hessians, is shown beside it.

Finished cells are kept on disk: after a stop or a crash the same command continues, with the same result. Sets, methods and values of l2 may be added later in the same folder; another loss, limit or accuracy needs another folder or --restart.

Without --data the sets are expected where 'geodescent fetch' puts them.)";

constexpr const char* paper_examples = R"(Examples:

  geodescent fetch                            gets the data, once
  geodescent bench paper --quick              small sets, two minutes at most
  geodescent bench paper --data DIR --out results
  geodescent bench paper --time --methods geod,lbfgs,lbfgs:memory=10
  geodescent bench paper --stand-ins          generated data, no downloads)";

struct PaperWishes {
  SuiteOptions suite;
  DataBenchOptions bench;

  PaperWishes() {
    bench.experiment.lambdas = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    bench.methods = {"sd", "afg", "afgwr", "lbfgs", "lbfgs:line-search=exact", "geod", lab::equal_terms, "geod-memory"};
    bench.output.folder = "geodescent-paper";
  }
};

int run(PaperWishes& w) {
  lab::Report report;
  report.name = "paper";
  report.title = "Full gradient methods on the paper's data sets";
  const std::vector<lab::DataSource> sources = sources_of(w.suite, w.bench.output, report);
  const auto results = run_with_progress(w.bench, sources);
  const lab::ExperimentOptions& e = w.bench.experiment;
  report.lead = fmt::format(
      "The experiment of section 4.1 of \"A geometric alternative to Nesterov's accelerated gradient descent\" "
      "(Bubeck, Lee, Singh): {} data sets, {} values of l2, loss {}. Every minimum is known in a "
      "proven interval; accuracies are measured from its lower end.",
      sources.size(), e.lambdas.size(), e.loss);
  if (w.suite.quick)
    report.warnings.emplace_back(
        "A quick run: small sets, fewer values of l2, six decades of accuracy, a low limit of iterations.");
  report.claims = lab::paper_claims(e, results);
  lab::add_figures(report, e, results);
  lab::add_open_question(report, e, results);
  lab::add_tables(report, e, results);
  lab::add_doubts(report, e, results);
  add_facts(report, w.bench);
  write_bench(report, w.bench.output);
  return success;
}

}  // namespace

void add_bench_paper(Command& bench, Action& action) {
  const auto w = std::make_shared<PaperWishes>();
  Command& app = bench.add_command("paper", paper_description);
  add_suite(app, w->suite, "small sets, three values of l2, accuracies to 1e-6, 2000 iterations: two minutes at most");
  add_data_bench(app, w->bench);
  app.start_group("Limits");
  add_switch(app, "--time", w->bench.experiment.timed, "also measures seconds: one method at a time, on all cores")
      ->excludes(app.option("--jobs"));
  app.footer = paper_examples;
  app.callback = [w, &action, &app] {
    if (w->suite.quick) make_quick(w->bench, app);
    action = [w] { return run(*w); };
  };
}

}  // namespace geodescent::cli
