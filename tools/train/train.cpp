#include "train/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/command.hpp"
#include "common/interrupt.hpp"
#include "common/options/data_files.hpp"
#include "common/output.hpp"
#include "common/progress.hpp"
#include "data/assemble/class_numbers.hpp"
#include "data/shares/share_reader.hpp"
#include "geodescent/learn/checkpoint_file.hpp"
#include "ranks/data.hpp"
#include "ranks/ranks.hpp"
#include "train/folds.hpp"
#include "train/path.hpp"
#include "train/report.hpp"
#include "train/steps.hpp"
#include "train/trace.hpp"

namespace geodescent::cli {
namespace {

/// The observer stops a run only after a signal. Replaces the status of the library by the name of
/// the signal.
void name_interruption(Result& run) {
  if (run.status != Status::stopped_by_observer) return;
  run.message = fmt::format("interrupted by {}{}", interruption(), run.message.substr(run.message.find(';')));
}

/// The labels of the classes that have a problem each.
std::vector<double> labels_of_problems(const Dataset& data, const Risk& risk) {
  const LossInfo& loss = loss_named(risk.loss);
  std::vector<double> labels;
  if (loss.joint || loss.task == Task::regression || !has_more_than_two_classes(data)) return labels;
  for (const ClassRows& one : class_rows(data)) labels.push_back(one.label);
  return labels;
}

std::optional<CheckpointFile> checkpoint_file(const TrainCommand& o) {
  if (o.checkpoint.empty()) return std::nullopt;
  return std::optional<CheckpointFile>(
      std::in_place, o.checkpoint,
      CheckpointFile::Use{.every = o.checkpoint_every, .resume = o.resume, .warn = [](const std::string& reason) {
                            print_error(fmt::format("warning: {}\n", reason));
                          }});
}

TrainResult train_with_progress(const TrainCommand& o, const Dataset& data, const Risk& risk,
                                std::optional<CheckpointFile>& checkpoints, ProgressLine& line) {
  std::optional<LinearModel> initial;
  if (!o.initial.empty()) on_every_rank([&] { initial = read_model(o.initial); });
  const InterruptGuard guard;
  std::optional<TraceFile> trace;
  const std::vector<double> labels = labels_of_problems(data, risk);
  if (!o.trace.empty() && is_first_rank()) trace.emplace(o.trace, labels);
  TrainOptions options{method_of(o), minimize_options(o), initial ? &*initial : nullptr};
  if (checkpoints) options = checkpoints->add_to(std::move(options), data, risk);
  TrainResult trained = geodescent::train(data, risk, options, [&](const Progress& progress) {
    if (trace) trace->add(progress);
    line.update([&] { return text_of(progress); });
    return interrupted() == 0;
  });
  line.clear();
  if (trace) trace->commit();
  name_interruption(trained.run);
  return trained;
}

void print(const TrainingReport& report, const std::optional<ValidationReport>& validation, const TrainCommand& o) {
  std::string text = text_of(report);
  if (validation) text = text_of(*validation) + "\n" + text;
  if (!o.quiet) o.json ? print_error(text) : print_out(text);
  if (!o.json) return;
  print_json(validation ? json_of(*validation, report) : json_of(report));
}

/// What does not work on ranks, before anything is read.
void refuse_parts(const TrainCommand& o) {
  if (o.folds) refuse_on_ranks("cross-validation (--folds, -C)");
  if (o.directions == "dual") refuse_on_ranks("the search dual (--directions dual)");
}

void require_outputs(const TrainCommand& o, const std::string& model) {
  require_distinct({{"MODEL", model}, {"--trace", o.trace}, {"--checkpoint", o.checkpoint}}, inputs_of(o));
  require_no_data(model);
  if (!o.checkpoint.empty()) require_no_data(o.checkpoint, "--checkpoint");
  for (const std::string& path : {model, o.trace, o.checkpoint})
    if (!path.empty()) require_writable(path);
  require_report_folder(o, model);
}

/// Trains one model; with folds at the chosen l2.
int train_one(const TrainCommand& o) {
  const Stopwatch watch;
  const std::string model = model_path(o);
  check_combinations(o);
  on_first_rank([&] { require_outputs(o, model); });
  set_threads(o.threads);

  std::optional<CheckpointFile> checkpoints = checkpoint_file(o);
  if (checkpoints) checkpoints->read();  // a wrong file is an error before the data are read
  ProgressLine line(o.quiet);
  line.announce("reading " + name_of_files(o.data));
  const Dataset data = load(o);
  TrainingReport report;
  report.load_seconds = watch.seconds();
  std::optional<ValidationReport> validation;
  Risk risk = risk_of(o, data);
  if (o.folds) {
    validation = validate(o, data, risk, line);
    risk.l2 = validation->chosen().l2;
  }
  const TrafficMeter meter;
  report.trained = train_with_progress(o, data, risk, checkpoints, line);
  report.traffic = meter.traffic(search_left_out(o, report.trained));
  if (checkpoints)
    report.checkpoints = {checkpoints->path(), o.checkpoint_every, checkpoints->written(),
                          checkpoints->resumed_after()};
  const TrainResult& trained = report.trained;
  const std::size_t problems = std::max<std::size_t>(1, trained.of_classes.size());
  if (const auto& memory = trained.run.memory)
    report.memory = memory_statement(data, trained.used_columns, o.data, *memory,
                                     {.outputs = problems > 1 ? 1 : trained.model.outputs(), .problems = problems});
  const Stopwatch writing;
  if (write_certified(data, report.trained, model)) report.model = model;
  report.write_seconds = writing.seconds();
  report.describe(data, risk);
  report.method = o.method;
  report.total_seconds = watch.seconds();
  print(report, validation, o);
  if (validation) write_page(*validation, report, o);
  const bool folds_reached_goal = !validation || validation->reached_goal();
  return reached_goal(report.trained.run.status, minimize_options(o)) && folds_reached_goal ? success : not_reached;
}

}  // namespace

int train(const TrainCommand& o) {
  refuse_parts(o);
  return o.l2_path && !o.folds ? train_models_of_path(o) : train_one(o);
}

}  // namespace geodescent::cli
