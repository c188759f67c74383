#include "train_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

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
  const std::string parameter = r.huber_delta ? fmt::format(" (delta {})", *r.huber_delta) : "";
  return fmt::format("mean {} loss{} + l2/2 |w|^2 with l2 = {:.6g}, which is C = {:.6g} (--cost)", r.loss, parameter,
                     r.l2, r.cost);
}

ordered_json labels_json(const std::optional<BinaryLabels>& labels) {
  if (!labels) return nullptr;
  return {{"negative", labels->negative},
          {"positive", labels->positive},
          {"negative_rows", labels->negatives},
          {"positive_rows", labels->positives}};
}

template <class T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

}  // namespace

std::string text_of(const Progress& p) {
  return fmt::format("iteration {}  value {:.8g}  proven gap {:.2e} relative  passes {}  {:.1f} s", p.iteration,
                     p.value, p.relative_gap(), p.counts.forward_passes + p.counts.backward_passes, p.seconds);
}

std::string text_of(const TrainingReport& r) {
  const Result& found = r.result;
  const Counts& counts = found.counts;
  std::string text = line("data", fmt::format("{}: {} rows, {} features, {} nonzeros{}", r.data, r.rows, r.features,
                                              r.nonzeros, r.zero_based ? ", indices from 0" : ""));
  if (r.labels) text += line("labels", labels_text(*r.labels));
  text += line("objective", objective_text(r));
  text += line("method", fmt::format("{}, {} thread{}", r.method, r.threads, r.threads == 1 ? "" : "s"));
  text += line("status", fmt::format("{}: {}", to_string(found.status), found.message));
  text += line("value", fmt::format("{:.12g}", found.value));
  text += line("lower bound", fmt::format("{:.12g}", found.lower_bound));
  text += line("proven gap", fmt::format("{:.3g}, relative {:.3g}", found.gap(), found.relative_gap()));
  text +=
      line("work", fmt::format("{} iterations, {} forward + {} backward passes, {} line and {} subspace evaluations",
                               found.iterations, counts.forward_passes, counts.backward_passes, counts.line_evaluations,
                               counts.subspace_evaluations));
  text += line("seconds", fmt::format("{:.3f} load, {:.3f} train", r.load_seconds, found.seconds));
  text += line("model", r.model.empty() ? "none written: numbers overflow; scale the features down" : r.model);
  return text;
}

ordered_json json_of(const TrainingReport& r) {
  const Result& found = r.result;
  return {{"status", to_string(found.status)},
          {"message", found.message},
          {"method", r.method},
          {"loss", r.loss},
          {"huber_delta", or_null(r.huber_delta)},
          {"l2", r.l2},
          {"cost", r.cost},
          {"data", r.data},
          {"rows", r.rows},
          {"features", r.features},
          {"nonzeros", r.nonzeros},
          {"index_base", r.zero_based ? 0 : 1},
          {"labels", labels_json(r.labels)},
          {"value", found.value},
          {"lower_bound", found.lower_bound},
          {"gap", found.gap()},
          {"relative_gap", found.relative_gap()},
          {"reference_value", found.reference_value},
          {"gradient_norm", found.gradient_norm},
          {"iterations", found.iterations},
          {"forward_passes", found.counts.forward_passes},
          {"backward_passes", found.counts.backward_passes},
          {"line_evaluations", found.counts.line_evaluations},
          {"subspace_evaluations", found.counts.subspace_evaluations},
          {"seconds", {{"load", r.load_seconds}, {"train", found.seconds}, {"total", r.total_seconds}}},
          {"threads", r.threads},
          {"model", r.model.empty() ? ordered_json(nullptr) : ordered_json(r.model)},
          {"version", GEODESCENT_VERSION_STRING}};
}

}  // namespace geodescent::cli
