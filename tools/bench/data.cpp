#include "bench/data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <thread>

#include "common/interrupt.hpp"
#include "common/output.hpp"
#include "common/progress.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/risk.hpp"

namespace geodescent::cli {
namespace {

std::string duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

/// "212 of 1152 done, about 12 min left: a9a, 1e-06: geod"
std::string progress_text(const lab::Standing& s) {
  if (s.total == 0) return s.doing;
  std::string text = fmt::format("{} of {} done", s.finished, s.total);
  if (s.seconds_left) text += fmt::format(", about {} left", duration(*s.seconds_left));
  return s.doing.empty() ? text : text + ": " + s.doing;
}

/// The options in the terms of the laboratory.
void complete(DataBenchOptions& o) {
  lab::ExperimentOptions& e = o.experiment;
  e.methods = lab::parse_methods(o.methods);
  e.accuracies.clear();
  for (int k = 1; k <= o.decades; ++k) e.accuracies.push_back(std::pow(10.0, -k));
  o.loss_parameters.require_fit(e.loss);
  e.loss_parameter = o.loss_parameters.of(e.loss);
}

}  // namespace

void add_data_bench(Command& app, DataBenchOptions& o, Methods methods) {
  lab::ExperimentOptions& e = o.experiment;
  o.experiment.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  app.start_group("The problems");
  add_choice(app, {"--loss", "", fmt::format("the loss (default {})", e.loss)}, e.loss, names_in(losses()));
  add_loss_parameters(app, o.loss_parameters);
  add_list(app, {"--l2", "LIST", fmt::format("values of l2 (default {:g})", fmt::join(e.lambdas, ","))}, e.lambdas,
           positive);

  if (methods == Methods::chosen) {
    app.start_group("The methods");
    add_list(app,
             {"--methods", "LIST",
              fmt::format("methods, with settings after colons: lbfgs:memory=10:line-search=exact "
                          "(default {})",
                          fmt::join(o.methods, ", "))},
             o.methods);
    add_switch(app, "--prove", e.prove, "each method runs until it has also proven the smallest accuracy");
  }

  app.start_group("Limits");
  add_whole(app,
            {"--decades", "N",
             fmt::format("accuracies from 1e-1 to 1e-N; a method ends at the last (default {})", o.decades)},
            o.decades, {.least = 1, .most = 14});
  add_whole(app,
            {"--max-iterations", "N",
             fmt::format("limit of iterations of a method on a problem (default {})", e.limits.iterations)},
            e.limits.iterations, {.least = 1, .most = 1e9});
  add_real(app,
           {"--max-seconds", "S",
            "limit of seconds of a method on a problem; results then depend on the machine (default: none)"},
           e.limits.seconds, positive);
  add_whole(app,
            {"--jobs", "N", "number of methods that run at a time, if seconds are not measured (default: all cores)"},
            e.jobs, {.least = 1, .most = 1024});

  add_bench_output(app, o.output);
  add_switch(app, "--restart", o.restart, "ignores the results of earlier runs in the folder");
}

lab::Results run_with_progress(DataBenchOptions& o, const std::vector<lab::DataSource>& sources) {
  complete(o);
  require_folder(o.output.folder);
  std::filesystem::create_directories(o.output.folder);
  lab::Journal journal(o.output.folder + "/cells.jsonl", lab::describe(o.experiment),
                       o.restart ? lab::Journal::Start::afresh : lab::Journal::Start::resume);
  const InterruptGuard guard;
  ProgressLine line(o.output.quiet);
  lab::Standing last;
  int asked_to_stop = 0;
  auto results = lab::run_experiment(o.experiment, sources, journal, [&](const lab::Standing& standing) {
    line.update([&] { return progress_text(standing); });
    last = standing;
    // Most pieces stop at once; the computation of a minimum finishes its step first.
    if (interrupted() != 0 && ++asked_to_stop == 10 && !o.output.quiet)
      print_error("geodescent: stopping after the current cells; another Ctrl-C stops at once\n");
    return interrupted() == 0;
  });
  line.clear();
  if (results) return std::move(*results);
  print_error(fmt::format(
      "geodescent: stopped {}; the same command{} continues\n",
      last.total == 0 ? "while reading the data" : fmt::format("with {} of {} done", last.finished, last.total),
      o.restart ? " without --restart" : ""));
  throw Interrupted{interrupted(), true};
}

void require_distinct(const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::count(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(k), names[k]) > 0)
      throw UsageError(fmt::format("{} is given twice", names[k]));
}

void add_facts(lab::Report& report, const DataBenchOptions& o) {
  const lab::ExperimentOptions& e = o.experiment;
  report.facts.emplace_back("loss", e.loss);
  report.facts.emplace_back("lambda", fmt::format("{:g}", fmt::join(e.lambdas, ", ")));
  report.facts.emplace_back(
      "limit of a cell",
      fmt::format("{} iterations{}", e.limits.iterations,
                  std::isfinite(e.limits.seconds) ? fmt::format(", {:g} seconds", e.limits.seconds) : ""));
  report.facts.emplace_back("cells", e.timed ? "one at a time, on all threads, timed"
                                     : e.jobs == 1
                                         ? "one at a time, on all threads, not timed"
                                         : fmt::format("{} at a time, on one thread each, not timed", e.jobs));
}

}  // namespace geodescent::cli
