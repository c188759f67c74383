// `geodescent bench paper`: section 4.1 of the paper.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bench/data.hpp"
#include "catalogue/catalogue.hpp"
#include "common/output.hpp"
#include "comparison/comparison.hpp"
#include "experiments/paper/open_question.hpp"
#include "experiments/paper/paper.hpp"
#include "geodescent/error.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* description =
    R"(Repeats section 4.1: every method on the paper's data sets, counted to each accuracy.

For each data set and each strength of the regularisation the minimum f* is computed and proven first; then every method runs until (f - f*) / (f(0) - f*) is 1e-10 (see --decades). Counted are iterations, passes over the data and line evaluations to each accuracy from 1e-1 on, and with --time seconds. As in the paper, AFG and AFGwR get for each data set the power of two that suits them best as their constant, and L-BFGS has memory 100. What is not solved within the limit counts as infinite and is never left out. The question that section 4.1 ends with, whether GeoD can compete with L-BFGS when it remembers more than one ball, is answered for geod-memory.

Every finished piece is on disk at once: stopped or killed, the same command goes on where it was, with the same result. Sets, methods and regularisations may be added later in the same folder; another loss, limit or accuracy wants another folder or --restart.

Without --data the sets are looked for where 'geodescent fetch' puts them.)";

constexpr const char* examples = R"(Examples:

  geodescent fetch                            gets the data, once
  geodescent bench paper --quick              small sets, two minutes at most
  geodescent bench paper --data DIR --out results
  geodescent bench paper --time --methods geod,lbfgs,lbfgs:memory=10
  geodescent bench paper --stand-ins          generated data, no downloads)";

struct Wishes {
  std::string data;
  std::vector<std::string> sets;
  bool stand_ins = false;
  bool quick = false;
  DataBenchOptions bench;

  Wishes() {
    bench.experiment.lambdas = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    bench.methods = {"sd", "afg", "afgwr", "lbfgs", "geod", "geod-memory"};
    bench.output.folder = "geodescent-paper";
  }
};

/// Small sets, three regularisations, six decades: two minutes at most on two cores.
void make_quick(Wishes& w, Command& given) {
  lab::ExperimentOptions& e = w.bench.experiment;
  if (!given.option("--l2")->given) e.lambdas = {1e-4, 1e-6, 1e-8};
  if (!given.option("--max-iterations")->given) e.limits.iterations = 2000;
  if (!given.option("--decades")->given) w.bench.decades = 6;
}

constexpr std::size_t quick_nonzeros = 35'000;
constexpr std::size_t quick_rows = 200;  // of stand-ins

std::vector<std::string> wanted_sets(const Wishes& w) {
  if (!w.sets.empty()) return w.sets;
  std::vector<std::string> names;
  for (const std::string& name : lab::paper_suite())
    if (!w.quick || lab::find_entry(name)->nonzeros <= quick_nonzeros) names.push_back(name);
  return names;
}

constexpr const char* remedies =
    "get the data with 'geodescent fetch', name a folder that has them with --data, or use generated data with "
    "--stand-ins";

std::vector<lab::DataSource> sources_of(const Wishes& w, lab::Report& report) {
  const auto generated = [&] {
    report.warnings.push_back(
        "The data are generated stand-ins of the shape of well-known sets, not the data of the paper: they say nothing "
        "about the paper's experiment.");
    return w.quick ? lab::stand_ins(quick_rows) : lab::stand_ins();
  };
  if (w.stand_ins) return generated();
  const std::string folder = w.data.empty() ? lab::default_data_folder() : w.data;
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    if (!w.data.empty()) throw InputError(fmt::format("{}: there is no such folder; {}", folder, remedies));
    if (!w.quick || !w.sets.empty()) throw InputError(fmt::format("{}: there are no data; {}", folder, remedies));
    if (!w.bench.output.quiet)
      print_error(fmt::format("geodescent: there are no data in {}; this run uses generated stand-ins ({})\n", folder,
                              remedies));
    return generated();
  }
  require_distinct(w.sets);
  lab::Suite suite = lab::sets_in(folder, wanted_sets(w));
  if (suite.sources.empty())
    throw InputError(
        fmt::format("{}: none of the data sets is there ({}); {}", folder, fmt::join(suite.missing, ", "), remedies));
  if (!suite.missing.empty() && !w.sets.empty())
    throw InputError(fmt::format("{}: not there: {}; {}", folder, fmt::join(suite.missing, ", "), remedies));
  if (!suite.missing.empty())
    report.warnings.push_back(
        fmt::format("Not in the data folder, and so not part of this run: {}.", fmt::join(suite.missing, ", ")));
  return std::move(suite.sources);
}

int run(Wishes& w) {
  lab::Report report;
  report.name = "paper";
  report.title = "Full gradient methods on the paper's data sets";
  const std::vector<lab::DataSource> sources = sources_of(w, report);
  for (const std::string& warning : report.warnings)
    if (!w.bench.output.quiet) print_error(fmt::format("geodescent: {}\n", warning));
  const auto results = run_with_progress(w.bench, sources);
  const lab::ExperimentOptions& e = w.bench.experiment;
  report.lead = fmt::format(
      "The experiment of section 4.1 of \"A geometric alternative to Nesterov's accelerated gradient descent\" "
      "(Bubeck, Lee, Singh): {} data sets, {} strengths of the regularisation, loss {}. Every minimum is known in a "
      "proven interval; accuracies are measured from its lower end.",
      sources.size(), e.lambdas.size(), e.loss);
  if (w.quick)
    report.warnings.push_back(
        "A quick run: small sets, fewer regularisations, six decades of accuracy, a low limit of iterations.");
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
  const auto w = std::make_shared<Wishes>();
  Command& app = bench.add_command("paper", description);
  app.start_group("The data");
  add_text(app, {"--data", "DIR", "the folder with the data sets (default: where 'geodescent fetch' puts them)"},
           w->data);
  Option* const sets = add_texts(
      app,
      {"--sets", "LIST", "only these, by the names of their files, separated by commas (default: the paper's suite)"},
      w->sets);
  add_switch(app, "--stand-ins", w->stand_ins, "generated data like well-known sets, not those of the paper, instead")
      ->excludes(sets);
  add_switch(app, "--quick", w->quick,
             "small sets, three regularisations, accuracies to 1e-6, 2000 iterations: two minutes at most");
  add_data_bench(app, w->bench);
  app.start_group("Limits");
  add_switch(app, "--time", w->bench.experiment.timed, "seconds, too: one method at a time, on all cores")
      ->excludes(app.option("--jobs"));
  app.footer = examples;
  app.callback = [w, &action, &app] {
    if (w->quick) make_quick(*w, app);
    action = [w] { return run(*w); };
  };
}

}  // namespace geodescent::cli
