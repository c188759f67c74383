#include "train/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text/counted.hpp"
#include "base/text/outward_text.hpp"
#include "common/options/loss_options.hpp"
#include "common/output.hpp"
#include "geodescent/learn/regularization.hpp"
#include "geodescent/threads.hpp"
#include "geodescent/version.hpp"

namespace geodescent::cli {
namespace {

using nlohmann::ordered_json;

std::string line(std::string_view name, const std::string& text) { return fmt::format("{:<12}{}\n", name, text); }

std::string labels_text(const BinaryLabels& labels) {
  return fmt::format("{} is the positive class ({}), {} the negative ({})", labels.positive,
                     counted(labels.positives, "row"), labels.negative, counted(labels.negatives, "row"));
}

/// The largest number of classes that the report lists.
constexpr std::size_t listed_classes = 12;

std::string classes_text(const std::vector<ClassRows>& classes) {
  if (classes.size() > listed_classes)
    return fmt::format("{}, labels from {} to {}", classes.size(), classes.front().label, classes.back().label);
  std::string text = fmt::format("{}: ", classes.size());
  for (const ClassRows& one : classes)
    text += fmt::format("{}{} ({})", &one == &classes.front() ? "" : ", ", one.label, counted(one.rows, "row"));
  return text;
}

bool is_against_rest(const TrainingReport& r) { return !r.trained.of_classes.empty(); }

/// The objective without l2.
std::string risk_text(const TrainingReport& r) {
  return fmt::format("mean {} loss{} + l2/2 |w|^2{}", r.risk.loss, parameter_text(r.risk),
                     is_against_rest(r) ? " of each class against the rest" : "");
}

std::string objective_text(const TrainingReport& r) {
  return fmt::format("{} with l2 = {:.6g}, which is C = {:.6g} (--cost)", risk_text(r), r.risk.l2, r.cost);
}

/// The message of an interruption contains its status.
std::string status_text(const Result& run) {
  if (run.status == Status::stopped_by_observer) return run.message;
  return fmt::format("{}: {}", to_string(run.status), run.message);
}

double distance_bound_of(const TrainingReport& r) {
  const Result& found = r.trained.run;
  return ProvenGap{found.value, found.lower_bound, 0, r.risk.l2}.distance_bound();
}

Vector intercepts_of(const TrainingReport& r) {
  Vector b;
  for (std::size_t k = 0; k < r.classes.size(); ++k) b.push_back(r.trained.model.intercept(k));
  return b;
}

std::string bias_text(const TrainingReport& r) {
  if (r.risk.bias == Bias::none) return "none";
  const char* const kind = r.risk.bias == Bias::free ? "not regularised" : "regularised";
  if (r.classes.empty()) return fmt::format("{:.6g}, {}", r.trained.model.intercept(), kind);
  const Vector b = intercepts_of(r);
  if (b.size() <= listed_classes) return fmt::format("{:.6g}, {}", fmt::join(b, ", "), kind);
  const auto [least, largest] = std::ranges::minmax(b);
  return fmt::format("{}, from {:.6g} to {:.6g}, {}", b.size(), least, largest, kind);
}

ordered_json classes_json(const TrainingReport& r) {
  if (r.classes.empty()) return nullptr;
  ordered_json all = ordered_json::array();
  for (std::size_t k = 0; k < r.classes.size(); ++k) {
    ordered_json& one = all.emplace_back(ordered_json{{"label", r.classes[k].label}, {"rows", r.classes[k].rows}});
    if (!is_against_rest(r)) continue;
    const Result& run = r.trained.of_classes[k];
    one.update(
        {{"status", to_string(run.status)},
         {"value", run.value},
         {"lower_bound", run.lower_bound},
         {"relative_gap", r.trained.certificate ? r.trained.certificate->claims[k].relative_gap : run.relative_gap()},
         {"iterations", run.iterations}});
  }
  return all;
}

ordered_json labels_json(const std::optional<BinaryLabels>& labels) {
  if (!labels) return nullptr;
  return {{"negative", labels->negative},
          {"positive", labels->positive},
          {"negative_rows", labels->negatives},
          {"positive_rows", labels->positives}};
}

std::string checkpoints_text(const CheckpointReport& c) {
  return fmt::format(
      "{}{}{}", one_line(c.file),
      c.written == 0 ? fmt::format(": none within {}", counted(c.every, "iteration"))
                     : fmt::format(", {} written", counted(c.written, "checkpoint")),
      c.resumed_after ? fmt::format("; continued after {}", counted(*c.resumed_after, "iteration")) : "");
}

ordered_json checkpoints_json(const CheckpointReport& c) {
  return {{"file", c.file},
          {"every", c.every},
          {"written", c.written},
          {"resumed_after", c.resumed_after ? ordered_json(*c.resumed_after) : ordered_json(nullptr)}};
}

ordered_json name_or_null(const std::string& name) { return name.empty() ? ordered_json(nullptr) : ordered_json(name); }

}  // namespace

double relative_gap_of(const TrainResult& trained) {
  return trained.certificate ? trained.certificate->relative_gap : trained.run.relative_gap();
}

std::string header_of(const TrainingReport& r) {
  return fmt::format("{}: {}, {}; {}; {}, {}", one_line(r.data), counted(r.rows, "row"), counted(r.features, "feature"),
                     risk_text(r), r.method, counted(static_cast<std::uint64_t>(r.threads), "thread"));
}

void TrainingReport::describe(const Dataset& from, const Risk& what) {
  data = from.name;
  rows = number_of_rows(from);
  features = from.rows->columns();
  nonzeros = from.nonzeros;
  zero_based = from.zero_based;
  total_weight = geodescent::total_weight(from);
  labels = trained.model.labels;
  classes = trained.model.classes;
  risk = what;
  cost = c_from_l2(risk.loss, risk.l2, total_weight);
  threads = geodescent::threads();
}

std::string text_of(const Progress& p) {
  const std::string of_class = p.problems == 1 ? "" : fmt::format("class {} of {}  ", p.problem + 1, p.problems);
  return fmt::format("{}iteration {}  value {:.8g}  proven gap {} relative  passes {}  {:.1f} s", of_class, p.iteration,
                     p.value, text_above(p.relative_gap(), 3), p.counts.forward_passes + p.counts.backward_passes,
                     p.seconds);
}

std::string text_of(const TrainingReport& r) {
  const Result& found = r.trained.run;
  const Counts& counts = found.counts;
  std::string text = line(
      "data", fmt::format("{}: {}, {}, {}{}", one_line(r.data), counted(r.rows, "row"), counted(r.features, "feature"),
                          counted(r.nonzeros, "nonzero"), r.zero_based ? ", indices from 0" : ""));
  if (r.labels) text += line("labels", labels_text(*r.labels));
  if (!r.classes.empty()) text += line("classes", classes_text(r.classes));
  if (r.total_weight != static_cast<double>(r.rows))
    text += line("weights", fmt::format("{} with the total weight {:.10g}", counted(r.rows, "row"), r.total_weight));
  text += line("objective", objective_text(r));
  text += line("method", fmt::format("{}, {}", r.method, counted(static_cast<std::uint64_t>(r.threads), "thread")));
  if (r.traffic) text += line("ranks", text_of(*r.traffic));
  text += line("status", status_text(found));
  text += line("value", text_above(found.value, 12));
  text += line("lower bound", text_below(found.lower_bound, 12));
  const double relative = relative_gap_of(r.trained);
  text +=
      line("proven gap", fmt::format("{}, relative {}{}", text_above(r.trained.gap(), 3), text_above(relative, 3),
                                     std::isinf(relative) ? " (no improvement over coefficients 0 is proven)" : ""));
  text += line("distance", fmt::format("the coefficients are at most {} from the optimal ones",
                                       text_above(distance_bound_of(r), 3)));
  if (!r.model.empty()) text += line(r.classes.empty() ? "intercept" : "intercepts", bias_text(r));
  text += line("work", fmt::format("{}, {} forward + {} backward passes, {} line and {} subspace evaluations",
                                   counted(found.iterations, "iteration"), counts.forward_passes,
                                   counts.backward_passes, counts.line_evaluations, counts.subspace_evaluations));
  text += line("seconds", fmt::format("{:.3f} load, {:.3f} train, {:.3f} proof", r.load_seconds, found.seconds,
                                      r.trained.proof_seconds));
  if (r.checkpoints) text += line("checkpoints", checkpoints_text(*r.checkpoints));
  text += line("model", r.model.empty() ? "none written: numbers overflow; scale the features down"
                                        : one_line(r.model) + ", with its proof");
  return text;
}

ordered_json json_of(const TrainingReport& r) {
  const Result& found = r.trained.run;
  ordered_json json = {
      {"status", to_string(found.status)}, {"message", found.message}, {"method", r.method}, {"loss", r.risk.loss}};
  json.update(parameters_json(r.risk));
  json.update({{"l2", r.risk.l2},
               {"cost", r.cost},
               {"bias", to_string(r.risk.bias)},
               {"intercept", r.classes.empty() ? ordered_json(r.trained.model.intercept()) : ordered_json(nullptr)},
               {"intercepts", r.classes.empty() ? ordered_json(nullptr) : ordered_json(intercepts_of(r))},
               {"data", r.data},
               {"rows", r.rows},
               {"features", r.features},
               {"nonzeros", r.nonzeros},
               {"total_weight", r.total_weight},
               {"index_base", r.zero_based ? 0 : 1},
               {"labels", labels_json(r.labels)},
               {"classes", classes_json(r)},
               {"value", found.value},
               {"lower_bound", found.lower_bound},
               {"gap", r.trained.gap()},
               {"relative_gap", relative_gap_of(r.trained)},
               {"distance_bound", distance_bound_of(r)},
               {"reference_value", found.reference_value},
               {"gradient_norm", found.gradient_norm},
               {"iterations", found.iterations},
               {"forward_passes", found.counts.forward_passes},
               {"backward_passes", found.counts.backward_passes},
               {"line_evaluations", found.counts.line_evaluations},
               {"subspace_evaluations", found.counts.subspace_evaluations},
               {"seconds",
                {{"load", r.load_seconds},
                 {"train", found.seconds},
                 {"proof", r.trained.proof_seconds},
                 {"write", r.write_seconds},
                 {"total", r.total_seconds}}},
               {"memory", r.memory ? json_of(*r.memory) : ordered_json(nullptr)},
               {"checkpoints", r.checkpoints ? checkpoints_json(*r.checkpoints) : ordered_json(nullptr)},
               {"threads", r.threads},
               {"ranks", r.traffic ? json_of(*r.traffic) : ordered_json(nullptr)},
               {"model", name_or_null(r.model)},
               {"version", GEODESCENT_VERSION_STRING}});
  return json;
}

}  // namespace geodescent::cli
