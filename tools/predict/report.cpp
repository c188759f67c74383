// What `geodescent predict` tells about its score.
#include <algorithm>

#include <fmt/format.h>

#include "predict/predict.hpp"

namespace geodescent::cli {
namespace {

using nlohmann::ordered_json;

std::string accuracy_text(const Score& s) {
  return fmt::format("Accuracy = {:g}% ({}/{})\n", 100 * s.accuracy.value_or(0), s.correct, s.rows);
}

std::string auc_text(const Interval& auc) {
  if (auc.low == auc.high) return fmt::format("AUC = {:.6g}\n", auc.low);
  return fmt::format("AUC = {:.6g} +- {:.1g} (more than {} rows: counted in bins)\n", auc.middle(), auc.half_width(),
                     RocArea::default_most_kept);
}

std::string confusion_text(const Confusion& c, const BinaryLabels& labels) {
  const std::string positive = fmt::format("{}", labels.positive);
  const std::string negative = fmt::format("{}", labels.negative);
  const std::string as_positive = "predicted " + positive;
  const std::string as_negative = "predicted " + negative;
  const std::size_t first = std::max({positive.size(), negative.size(), std::string("Label").size()});
  const std::size_t other = 2 + std::max(as_positive.size(), as_negative.size());
  const auto line = [=](const std::string& label, const auto& left, const auto& right) {
    return fmt::format("{:<{}}{:>{}}{:>{}}\n", label, first, left, other, right, other);
  };
  return line("Label", as_positive, as_negative) + line(positive, c.true_positives, c.false_negatives) +
         line(negative, c.false_positives, c.true_negatives);
}

std::string classification_text(const Score& s, const LinearModel& model) {
  std::string text = accuracy_text(s);
  if (s.auc) text += auc_text(*s.auc);
  if (s.log_loss) {
    text += fmt::format("Log loss = {:.6g}\n", *s.log_loss);
  } else if (s.mean_loss) {
    text += fmt::format("Mean loss = {:.6g} ({})\n", *s.mean_loss, model.risk.loss);
  }
  text += confusion_text(s.confusion, *model.labels);
  if (s.unknown_labels > 0) {
    text += fmt::format("{} rows have a label other than {} and {}, counted as errors\n", s.unknown_labels,
                        model.labels->negative, model.labels->positive);
  }
  return text;
}

std::string regression_text(const Score& s, const LinearModel& model) {
  std::string text = fmt::format("Mean squared error = {:g} ({} rows)\n", s.mean_squared_error.value_or(0), s.rows);
  text += fmt::format("Mean absolute error = {:g}\n", s.mean_absolute_error.value_or(0));
  text += s.r_squared ? fmt::format("R^2 = {:.6g}\n", *s.r_squared) : "R^2 is not defined: all targets are equal\n";
  if (s.mean_loss) text += fmt::format("Mean loss = {:.6g} ({})\n", *s.mean_loss, model.risk.loss);
  return text;
}

std::uint64_t index_in_file(std::uint32_t index, bool zero_based) {
  return std::uint64_t{index} + (zero_based ? 0 : 1);
}

ordered_json or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json confusion_json(const Score& s, const LinearModel& model) {
  if (!model.labels) return nullptr;
  return {{"positive_label", model.labels->positive},       {"negative_label", model.labels->negative},
          {"true_positives", s.confusion.true_positives},   {"false_negatives", s.confusion.false_negatives},
          {"false_positives", s.confusion.false_positives}, {"true_negatives", s.confusion.true_negatives}};
}

}  // namespace

std::string score_text(const Score& s, const LinearModel& model, bool zero_based) {
  std::string text = model.labels ? classification_text(s, model) : regression_text(s, model);
  if (s.ignored_entries > 0) {
    text += fmt::format(
        "{} entries in {} rows belong to features beyond the {} of the model, up to index {}; ignored\n",
        s.ignored_entries, s.rows_with_ignored, model.weights.size(), index_in_file(s.largest_ignored, zero_based));
  }
  return text;
}

ordered_json score_json(const Score& s, const LinearModel& model, bool zero_based) {
  const bool classes = model.labels.has_value();
  return {{"rows", s.rows},
          {"task", classes ? "classification" : "regression"},
          {"accuracy", or_null(s.accuracy)},
          {"correct", classes ? ordered_json(s.correct) : ordered_json(nullptr)},
          {"auc", s.auc ? ordered_json(s.auc->middle()) : ordered_json(nullptr)},
          {"auc_half_width", s.auc ? ordered_json(s.auc->half_width()) : ordered_json(nullptr)},
          {"log_loss", or_null(s.log_loss)},
          {"confusion", confusion_json(s, model)},
          {"mean_squared_error", or_null(s.mean_squared_error)},
          {"mean_absolute_error", or_null(s.mean_absolute_error)},
          {"r_squared", or_null(s.r_squared)},
          {"mean_loss", or_null(s.mean_loss)},
          {"unknown_label_rows", s.unknown_labels},
          {"ignored_entries", s.ignored_entries},
          {"ignored_rows", s.rows_with_ignored},
          {"largest_ignored_index",
           s.ignored_entries > 0 ? ordered_json(index_in_file(s.largest_ignored, zero_based)) : ordered_json(nullptr)},
          {"index_base", zero_based ? 0 : 1}};
}

}  // namespace geodescent::cli
