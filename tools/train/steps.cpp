#include "train/steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "common/command.hpp"
#include "common/options/options.hpp"
#include "data/assemble/class_numbers.hpp"
#include "data/memory_statement.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/regularization.hpp"
#include "geodescent/learn/risk.hpp"
#include "ranks/data.hpp"
#include "ranks/ranks.hpp"

namespace geodescent::cli {
namespace {

/// The name that LIBLINEAR uses: the base name of the data, without the suffix of a compression, in
/// the current folder.
std::string default_model_name(const std::string& data) {
  std::filesystem::path name = std::filesystem::path(data).filename();
  for (const char* suffix : {".gz", ".bz2", ".xz", ".zst"}) {
    if (name.extension() == suffix) return name.stem().string() + ".model";
  }
  return name.string() + ".model";
}

/// The settings of the method that were given as options.
std::vector<std::pair<std::string, std::string>> settings_of(const TrainCommand& o) {
  std::vector<std::pair<std::string, std::string>> given;
  if (o.line_search) given.emplace_back("line-search", *o.line_search);
  if (o.directions) given.emplace_back("directions", *o.directions);
  if (o.memory) given.emplace_back("memory", fmt::format("{}", *o.memory));
  if (o.memory_limit) given.emplace_back("memory-limit", fmt::format("{}", *o.memory_limit));
  if (o.smoothness) given.emplace_back("smoothness", fmt::format("{}", *o.smoothness));
  return given;
}

double physical_memory() {
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// The coefficients and the dual values of all classes are kept until they are written. Throws
/// InputError where they alone are more than the machine has.
void require_memory_for_classes(const Dataset& data, const Risk& risk) {
  const LossInfo& loss = loss_named(risk.loss);
  if (loss.task == Task::regression || loss.joint || !has_more_than_two_classes(data)) return;
  const std::size_t classes = class_rows(data).size(), features = data.rows->columns();
  const double needed =
      static_cast<double>(sizeof(double) * (data.rows->rows() + features)) * static_cast<double>(classes);
  if (needed <= physical_memory()) return;
  throw InputError(
      fmt::format("{}: {} classes with {} features: models and proofs of one class against the rest take about {}, but "
                  "this machine has {}; use a machine with more, or data with fewer classes or features",
                  data.name, classes, features, size_text(needed), size_text(physical_memory())));
}

}  // namespace

std::string model_path(const TrainCommand& o) {
  if (o.model == "-") throw UsageError("the model cannot go to standard output; give MODEL the name of a file");
  if (o.trace == "-") throw UsageError("the trace cannot go to standard output; give --trace the name of a file");
  if (!o.model.empty()) return o.model;
  if (o.data.size() > 1) throw UsageError("several files of data have no common name; give --model as well");
  if (o.data.front() == "-")
    throw UsageError("data from standard input has no name to call the model after; give MODEL as well");
  std::string name = default_model_name(o.data.front());
  if (o.folds && std::filesystem::exists(name))
    throw UsageError(fmt::format(
        "--folds also trains a model, and {} exists; give MODEL to replace it or to choose another name", name));
  return name;
}

std::vector<NamedPath> inputs_of(const TrainCommand& o) {
  std::vector<NamedPath> inputs{{"--row-weights", o.row_weights}, {"--initial", o.initial}};
  for (const std::string& path : o.data) inputs.push_back({"DATA", path});
  return inputs;
}

void check_combinations(const TrainCommand& o) {
  const std::string loss = o.loss.empty() ? default_loss : o.loss;
  o.loss_parameters.require_fit(loss);
  if (o.balanced_classes && loss_named(loss).task == Task::regression)
    throw UsageError("--class-weight balanced has an effect only with a loss for classes");
  const MethodChoice method(o.method);
  for (const auto& [setting, value] : settings_of(o))
    if (!method.has(setting))
      throw UsageError(
          fmt::format("--{} has an effect only with --method {}", setting, fmt::join(methods_with(setting), ", ")));
}

Dataset load(const TrainCommand& o) {
  Dataset data = read_dataset_of_ranks(
      o.data, {.libsvm = {.index_base = index_base(o.index_base), .features = o.features, .line_limit = o.line_limit},
               .row_weights = o.row_weights,
               .weight_feature = o.weight_feature,
               .class_weights = o.class_weights,
               .balanced_classes = o.balanced_classes});
  if (data.nonzeros == 0) throw InputError(data.name + ": no row has a feature; there is nothing to train on");
  return data;
}

std::string loss_for(const TrainCommand& o, const Dataset& data) {
  if (!o.loss.empty()) return o.loss;
  if (!has_more_than_two_classes(data)) return default_loss;
  const std::vector<ClassRows> classes = class_rows(data);
  const auto fraction =
      std::ranges::find_if(classes, [](const ClassRows& one) { return one.label != std::floor(one.label); });
  if (fraction == classes.end()) return std::string(softmax_loss);
  throw InputError(fmt::format(
      "{}: {} different labels, {} among them, which is not a whole number; use --loss squared or huber if labels are "
      "quantities to predict, --loss {} if they are classes",
      data.name, classes.size(), fraction->label, softmax_loss));
}

Risk risk_of(const TrainCommand& o, const Dataset& data) {
  Risk risk;
  risk.loss = loss_for(o, data);
  risk.loss_parameter = o.loss_parameters.of(risk.loss).value_or(0);
  risk.l2 = o.cost ? l2_from_c(risk.loss, *o.cost, total_weight(data)) : o.l2.value_or(default_l2);
  risk.bias = o.bias;
  require_memory_for_classes(data, risk);
  if (risk.l2 > 0 && std::isfinite(risk.l2)) return risk;
  throw UsageError(fmt::format(
      "--cost {} on rows of total weight {} means --l2 {}, which is not a positive number; give another --cost",
      *o.cost, total_weight(data), risk.l2));
}

std::string search_left_out(const TrainCommand& o, const TrainResult& trained) {
  if (o.method != default_method) return "";
  const std::string wanted = o.directions.value_or("automatic");
  if (wanted == "automatic") return "dual";
  const bool is_open = wanted == "few-passes" || !trained.run.memory;
  return is_open || trained.run.memory->along == wanted ? "" : wanted;
}

MethodChoice method_of(const TrainCommand& o) {
  MethodChoice method(o.method);
  for (const auto& [setting, value] : settings_of(o)) method.set(setting, value);
  return method;
}

Options minimize_options(const TrainCommand& o) {
  Options options;
  options.gap_tolerance = o.tolerance;
  options.max_iterations = o.max_iterations;
  options.max_seconds = o.max_seconds;
  return options;
}

bool write_certified(const Dataset& data, const TrainResult& trained, const std::string& path) {
  if (!trained.certificate) return false;
  if (is_alone()) {
    write_model(trained.model, *trained.certificate, path);
    return true;
  }
  const Certificate certificate = gathered(data, *trained.certificate);
  on_first_rank([&] { write_model(trained.model, certificate, path); });
  return true;
}

}  // namespace geodescent::cli
