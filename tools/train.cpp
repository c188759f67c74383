#include "train.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "command.hpp"
#include "geodescent/error.hpp"
#include "geodescent/libsvm.hpp"
#include "geodescent/model.hpp"
#include "geodescent/risk.hpp"
#include "interrupt.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "trace.hpp"
#include "train_report.hpp"

namespace geodescent::cli {
namespace {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point began_ = Clock::now();
};

/// As LIBLINEAR names it: the base name of the data, without the suffix of a compression, in the current folder.
std::string default_model_name(const std::string& data) {
  std::filesystem::path name = std::filesystem::path(data).filename();
  for (const char* suffix : {".gz", ".bz2", ".xz", ".zst"}) {
    if (name.extension() == suffix) return name.stem().string() + ".model";
  }
  return name.string() + ".model";
}

std::string model_path(const TrainOptions& o) {
  if (o.model == "-") throw UsageError("the model cannot go to standard output; give MODEL the name of a file");
  if (o.trace == "-") throw UsageError("the trace cannot go to standard output; give --trace the name of a file");
  if (!o.model.empty()) return o.model;
  if (o.data == "-")
    throw UsageError("data from standard input has no name to call the model after; give MODEL as well");
  return default_model_name(o.data);
}

/// An option that has no effect is a misunderstanding: better said than ignored.
void check_combinations(const TrainOptions& o) {
  const auto only_for = [](bool given, bool fits, const char* option, const char* where) {
    if (given && !fits) throw UsageError(fmt::format("{} has an effect only with {}", option, where));
  };
  std::string_view heeded;
  for (const MethodInfo& method : methods()) {
    if (method.name == o.method) heeded = method.settings;
  }
  const auto heeds = [words = fmt::format(" {} ", heeded)](std::string_view setting) {
    return words.find(fmt::format(" {} ", setting)) != std::string::npos;
  };
  only_for(o.huber_delta.has_value(), o.loss == "huber", "--huber-delta", "--loss huber");
  only_for(o.line_search.has_value(), heeds("line_search"), "--line-search", "--method lbfgs");
  only_for(o.memory_limit.has_value(), heeds("memory_limit"), "--memory-limit", "--method geod-memory");
  only_for(o.memory.has_value(), heeds("memory"), "--memory", "--method lbfgs or geod-memory");
  only_for(o.smoothness.has_value(), heeds("smoothness"), "--smoothness", "--method geod-fixed, ball, afg or afgwr");
}

struct LoadedData {
  Dataset dataset;
  bool zero_based;
};

LoadedData load(const TrainOptions& o) {
  const std::string name = o.data == "-" ? "standard input" : o.data;
  LibsvmData read = read_libsvm(o.data, {.index_base = index_base(o.index_base), .features = o.features});
  if (read.rows.columns() == 0) throw InputError(name + ": no row has a feature; there is nothing to train on");
  Dataset dataset;
  dataset.name = name;
  dataset.nonzeros = read.rows.nonzeros();
  dataset.rows = in_best_form(std::move(read.rows));
  dataset.targets = std::move(read.targets);
  return {std::move(dataset), read.zero_based};
}

/// lambda, also when C is given: C multiplies the sum of the losses, lambda the other term of a mean.
double regularization(const TrainOptions& o, std::size_t rows) {
  if (!o.cost) return o.l2.value_or(default_l2);
  const double l2 = 1 / (*o.cost * static_cast<double>(rows));
  if (l2 > 0 && std::isfinite(l2)) return l2;
  throw UsageError(fmt::format("--cost {} on {} rows means --l2 {}, which is no positive number", *o.cost, rows, l2));
}

Task task_of(const std::string& loss) {
  for (const LossInfo& known : losses()) {
    if (known.name == loss) return known.task;
  }
  return Task::regression;
}

TrainingReport describe(const TrainOptions& o, const LoadedData& data) {
  TrainingReport report;
  report.data = data.dataset.name;
  report.rows = data.dataset.rows->rows();
  report.features = data.dataset.rows->columns();
  report.nonzeros = data.dataset.nonzeros;
  report.zero_based = data.zero_based;
  if (task_of(o.loss) == Task::classification) report.labels = binary_labels(data.dataset);
  report.loss = o.loss;
  if (o.loss == "huber") report.huber_delta = o.huber_delta.value_or(LossParameters{}.huber_delta);
  report.l2 = regularization(o, report.rows);
  report.cost = 1 / (report.l2 * static_cast<double>(report.rows));
  report.method = o.method;
  report.threads = threads();
  return report;
}

Options minimize_options(const TrainOptions& o) {
  Options options;
  options.gap_tolerance = o.tolerance;
  options.max_iterations = o.max_iterations;
  options.max_seconds = o.max_seconds;
  if (o.memory) options.method.memory = *o.memory;
  if (o.memory_limit) options.method.memory_limit = *o.memory_limit;
  if (o.line_search == "exact") options.method.line_search = LineSearch::exact;
  options.method.smoothness = o.smoothness;
  return options;
}

Result minimize_with_progress(const TrainOptions& o, const Objective& f, ProgressLine& line) {
  const InterruptGuard guard;
  std::optional<TraceFile> trace;
  if (!o.trace.empty()) trace.emplace(o.trace);
  Result result = minimize(f, o.method, {}, minimize_options(o), [&](const Progress& progress) {
    if (trace) trace->add(progress);
    line.update([&] { return text_of(progress); });
    return interrupted() == 0;
  });
  line.clear();
  if (trace) trace->commit();
  return result;
}

/// Returns where the model is. Numbers that overflow leave nothing worth a file that looks like a model.
std::string write_model_of(const TrainingReport& report, const std::string& path) {
  const Result& result = report.result;
  if (result.status == Status::not_finite) return {};
  LinearModel model;
  model.risk.loss = report.loss;
  model.risk.loss_parameter = report.huber_delta.value_or(0);
  model.risk.l2 = report.l2;
  model.labels = report.labels;
  model.weights = result.x;
  model.zero_based = report.zero_based;
  model.method = report.method;
  model.status = to_string(result.status);
  model.value = result.value;
  model.lower_bound = result.lower_bound;
  write_model(model, path);
  return path;
}

void print(const TrainingReport& report, const TrainOptions& o) {
  if (!o.quiet) o.json ? print_error(text_of(report)) : print_out(text_of(report));
  if (o.json) print_json(json_of(report));
}

}  // namespace

int train(const TrainOptions& o) {
  const Stopwatch watch;
  const std::string model = model_path(o);
  check_combinations(o);
  require_distinct({{"MODEL", model}, {"--trace", o.trace}}, {{"DATA", o.data}});
  require_writable(model);
  if (!o.trace.empty()) require_writable(o.trace);
  set_threads(o.threads);

  ProgressLine line(o.quiet);
  line.announce("reading " + o.data);
  const LoadedData data = load(o);
  TrainingReport report = describe(o, data);
  report.load_seconds = watch.seconds();

  LossParameters parameters;
  if (report.huber_delta) parameters.huber_delta = *report.huber_delta;
  const std::unique_ptr<Objective> f = make_risk(o.loss, data.dataset, report.l2, parameters);
  report.result = minimize_with_progress(o, *f, line);
  report.model = write_model_of(report, model);
  report.total_seconds = watch.seconds();
  print(report, o);
  return report.result.status == Status::converged ? success : not_reached;
}

}  // namespace geodescent::cli
