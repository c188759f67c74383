#include "train/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/outward_text.hpp"
#include "common/loss_options.hpp"
#include "common/output.hpp"
#include "geodescent/learn/regularization.hpp"
#include "geodescent/threads.hpp"
#include "geodescent/version.hpp"

namespace geodescent::cli {
namespace {

using nlohmann::ordered_json;

std::string line(std::string_view name, const std::string& text) { return fmt::format("{:<12}{}\n", name, text); }

std::string labels_text(const BinaryLabels& labels) {
  return fmt::format("{} is the positive class ({} rows), {} the negative ({} rows)", labels.positive, labels.positives,
                     labels.negative, labels.negatives);
}

std::string objective_text(const TrainingReport& r) {
  return fmt::format("mean {} loss{} + l2/2 |w|^2 with l2 = {:.6g}, which is C = {:.6g} (--cost)", r.risk.loss,
                     parameter_text(r.risk), r.risk.l2, r.cost);
}

/// The message about an interruption says all that its status says.
std::string status_text(const Result& run) {
  if (run.status == Status::stopped_by_observer) return run.message;
  return fmt::format("{}: {}", to_string(run.status), run.message);
}

double distance_bound_of(const TrainingReport& r) {
  const Result& found = r.trained.run;
  return ProvenGap{found.value, found.lower_bound, 0, r.risk.l2}.distance_bound();
}

std::string bias_text(const TrainingReport& r) {
  if (r.risk.bias == Bias::none) return "none";
  return fmt::format("{:.6g}, {}", r.trained.model.intercept(),
                     r.risk.bias == Bias::free ? "not regularised" : "regularised");
}

ordered_json labels_json(const std::optional<BinaryLabels>& labels) {
  if (!labels) return nullptr;
  return {{"negative", labels->negative},
          {"positive", labels->positive},
          {"negative_rows", labels->negatives},
          {"positive_rows", labels->positives}};
}

ordered_json name_or_null(const std::string& name) { return name.empty() ? ordered_json(nullptr) : ordered_json(name); }

}  // namespace

double relative_gap_of(const TrainResult& trained) {
  return trained.certificate ? trained.certificate->relative_gap : trained.run.relative_gap();
}

std::string header_of(const TrainingReport& r) {
  return fmt::format("{}: {} rows, {} features; mean {} loss + l2/2 |w|^2; {}, {} thread{}", one_line(r.data), r.rows,
                     r.features, r.risk.loss, r.method, r.threads, r.threads == 1 ? "" : "s");
}

void TrainingReport::describe(const Dataset& from, const Risk& what) {
  data = from.name;
  rows = from.rows->rows();
  features = from.rows->columns();
  nonzeros = from.nonzeros;
  zero_based = from.zero_based;
  total_weight = geodescent::total_weight(from);
  labels = trained.model.labels;
  risk = what;
  cost = c_from_l2(risk.loss, risk.l2, total_weight);
  threads = geodescent::threads();
}

std::string text_of(const Progress& p) {
  return fmt::format("iteration {}  value {:.8g}  proven gap {} relative  passes {}  {:.1f} s", p.iteration, p.value,
                     text_above(p.relative_gap(), 3), p.counts.forward_passes + p.counts.backward_passes, p.seconds);
}

std::string text_of(const TrainingReport& r) {
  const Result& found = r.trained.run;
  const Counts& counts = found.counts;
  std::string text = line("data", fmt::format("{}: {} rows, {} features, {} nonzeros{}", one_line(r.data), r.rows,
                                              r.features, r.nonzeros, r.zero_based ? ", indices from 0" : ""));
  if (r.labels) text += line("labels", labels_text(*r.labels));
  if (r.total_weight != static_cast<double>(r.rows))
    text += line("weights", fmt::format("{} rows count as {:.10g}", r.rows, r.total_weight));
  text += line("objective", objective_text(r));
  text += line("method", fmt::format("{}, {} thread{}", r.method, r.threads, r.threads == 1 ? "" : "s"));
  text += line("status", status_text(found));
  text += line("value", text_above(found.value, 12));
  text += line("lower bound", text_below(found.lower_bound, 12));
  text += line("proven gap", fmt::format("{}, relative {}", text_above(r.trained.gap(), 3),
                                         text_above(relative_gap_of(r.trained), 3)));
  text += line("distance", fmt::format("the coefficients are at most {} from the optimal ones",
                                       text_above(distance_bound_of(r), 3)));
  text += line("intercept", bias_text(r));
  text +=
      line("work", fmt::format("{} iteration{}, {} forward + {} backward passes, {} line and {} subspace evaluations",
                               found.iterations, found.iterations == 1 ? "" : "s", counts.forward_passes,
                               counts.backward_passes, counts.line_evaluations, counts.subspace_evaluations));
  text += line("seconds", fmt::format("{:.3f} load, {:.3f} train, {:.3f} proof", r.load_seconds, found.seconds,
                                      r.trained.proof_seconds));
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
               {"intercept", r.trained.model.intercept()},
               {"data", r.data},
               {"rows", r.rows},
               {"features", r.features},
               {"nonzeros", r.nonzeros},
               {"total_weight", r.total_weight},
               {"index_base", r.zero_based ? 0 : 1},
               {"labels", labels_json(r.labels)},
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
               {"threads", r.threads},
               {"model", name_or_null(r.model)},
               {"version", GEODESCENT_VERSION_STRING}});
  return json;
}

}  // namespace geodescent::cli
