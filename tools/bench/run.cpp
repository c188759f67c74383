// `geodescent bench run`: the same comparison on data of the user's own.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "bench/data.hpp"
#include "common/output.hpp"
#include "comparison/comparison.hpp"
#include "experiments/paper/open_question.hpp"
#include "geodescent/error.hpp"

namespace geodescent::cli {
namespace {

constexpr const char* run_description =
    R"(Compares the methods on your own data, in counts and seconds.

The comparison of 'geodescent bench paper' on any LIBSVM files. The minimum is computed and proven first. Then each method runs until (f - f*) / (f(0) - f*) is 1e-10 (see --decades), one at a time on all cores, and its seconds are measured. With --counts several methods run at a time, without seconds.

The default methods need no tuning. afg and afgwr without a smoothness (afg:smoothness=1) are tuned on each data set, which usually takes longer than all other methods together. sd often runs to the limit of iterations.

Finished cells are kept on disk: after a stop or a crash the same command continues. Files, methods and values of l2 may be added later in the same folder; another loss or limit needs another folder or --restart.)";

constexpr const char* run_examples = R"(Examples:

  geodescent bench run --data my.svm --l2 1e-4,1e-6
  geodescent bench run --data a.svm.xz b.svm --methods geod,lbfgs --loss huber
  geodescent bench run --data my.svm --methods sd,afg,afgwr,geod-memory)";

struct RunWishes {
  std::vector<std::string> files;
  bool counts = false;
  DataBenchOptions bench;

  RunWishes() {
    bench.experiment.lambdas = {1e-4};
    bench.experiment.loss = "logistic";
    bench.methods = {"lbfgs", "geod", "geod-memory"};
    bench.output.folder = "geodescent-run";
  }
};

/// The same file has the same path, however it is written.
std::vector<std::string> canonical(const std::vector<std::string>& files) {
  std::vector<std::string> paths;
  for (const std::string& file : files) {
    std::error_code error;
    const auto path = std::filesystem::canonical(file, error);
    paths.push_back(error ? file : path.string());
  }
  return paths;
}

/// The shortest names that tell the files apart.
std::vector<lab::DataSource> sources_of(const std::vector<std::string>& files) {
  std::vector<lab::DataSource> sources;
  for (const std::string& file : files) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) throw InputError(file + ": is a folder; give a file of it");
    if (!std::filesystem::exists(file, error))
      throw InputError(fmt::format("{}: {}", file, error ? error.message() : "no such file"));
    if (!std::filesystem::is_regular_file(file, error))
      throw InputError(file + ": not a regular file, and it is read more than once; write its contents to a file");
    std::string name = std::filesystem::path(file).filename().string();
    for (const std::string& other : files)
      if (other != file && std::filesystem::path(other).filename() == name) name = file;
    sources.push_back(lab::file_source(name, file));
  }
  return sources;
}

int run(RunWishes& w) {
  w.bench.experiment.timed = !w.counts;
  require_distinct(canonical(w.files));
  const std::vector<lab::DataSource> sources = sources_of(w.files);
  const auto results = run_with_progress(w.bench, sources);
  const lab::ExperimentOptions& e = w.bench.experiment;
  lab::Report report;
  report.name = "run";
  report.title = "Full gradient methods on your data";
  std::string names;
  for (const lab::DataSource& source : sources) names += (names.empty() ? "" : ", ") + source.name;
  report.lead = fmt::format(
      "{}: {} methods, loss {}. Every minimum is known in a proven interval; accuracies are measured from its lower "
      "end.",
      names, e.methods.size(), e.loss);
  lab::add_figures(report, e, results);
  lab::add_open_question(report, e, results);
  lab::add_tables(report, e, results);
  lab::add_doubts(report, e, results);
  add_facts(report, w.bench);
  if (!w.bench.output.quiet)
    for (const lab::Table& table : report.tables)
      if (table.name == "problems-1e-06" || table.name == "seconds-1e-06") print_out(text_of(table) + "\n");
  write_bench(report, w.bench.output);
  return success;
}

}  // namespace

void add_bench_run(Command& bench, Action& action) {
  const auto w = std::make_shared<RunWishes>();
  Command& app = bench.add_command("run", run_description);
  app.start_group("The data");
  add_path_list(app, {"--data", "FILE...", "LIBSVM text, plain or compressed; several files are several data sets"},
                w->files)
      ->required();
  add_data_bench(app, w->bench);
  app.start_group("Limits");
  Option* const counts = add_switch(app, "--counts", w->counts, "no seconds: several methods at a time");
  app.option("--jobs")->needs(counts);
  app.footer = run_examples;
  app.callback = [w, &action] { action = [w] { return run(*w); }; };
}

}  // namespace geodescent::cli
