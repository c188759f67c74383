// The scores of `geodescent predict`, as text and as JSON.
#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include "base/text/counted.hpp"
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

using Cells = std::vector<std::vector<std::string>>;

/// The first column flush left, the others all as wide as their longest cell.
std::string table_text(const Cells& lines) {
  std::size_t first = 0, other = 0;
  for (const auto& cells : lines) {
    first = std::max(first, cells[0].size());
    for (std::size_t k = 1; k < cells.size(); ++k) other = std::max(other, cells[k].size());
  }
  std::string text;
  for (const auto& cells : lines) {
    text += fmt::format("{:<{}}", cells[0], first);
    for (std::size_t k = 1; k < cells.size(); ++k) text += fmt::format("{:>{}}", cells[k], other + 2);
    text += '\n';
  }
  return text;
}

std::size_t confused_rows(const Score& s, std::size_t label, std::size_t predicted) {
  if (label == predicted) return s.classes[label].correct;
  const auto found =
      std::ranges::find_if(s.confused, [&](const Confused& c) { return c.label == label && c.predicted == predicted; });
  return found == s.confused.end() ? 0 : found->rows;
}

/// The positive label first.
std::string text_of_two(const Score& s) {
  const auto label = [&](std::size_t k) { return fmt::format("{}", s.classes[k].label); };
  const auto line = [&](std::size_t k) -> std::vector<std::string> {
    return {label(k), fmt::format("{}", confused_rows(s, k, 1)), fmt::format("{}", confused_rows(s, k, 0))};
  };
  return table_text({{"Label", "predicted " + label(1), "predicted " + label(0)}, line(1), line(0)});
}

/// Of more classes than this only those with the most errors are shown.
constexpr std::size_t most_classes_shown = 30, shown_of_more = 10;

std::string part_text(const std::optional<double>& part) { return part ? fmt::format("{:.4f}", *part) : "-"; }

std::string classes_text(const Score& s) {
  std::vector<ClassScore> shown = s.classes;
  const auto errors = [](const ClassScore& c) { return c.rows - c.correct; };
  std::string text;
  if (shown.size() > most_classes_shown) {
    std::ranges::stable_sort(shown, std::greater<>(), errors);
    shown.resize(shown_of_more);
    text = fmt::format("The {} of {} labels with the most errors (--json has all):\n", shown_of_more, s.classes.size());
  }
  Cells lines{{"Label", "rows", "predicted", "correct", "precision", "recall"}};
  for (const ClassScore& c : shown)
    lines.push_back({fmt::format("{}", c.label), fmt::format("{}", c.rows), fmt::format("{}", c.predicted),
                     fmt::format("{}", c.correct), part_text(c.precision()), part_text(c.recall())});
  return text + table_text(lines);
}

std::string matrix_text(const Score& s) {
  if (s.classes.size() > most_classes_shown) return {};
  Cells lines{{""}};
  for (const ClassScore& c : s.classes) lines[0].push_back(fmt::format("{}", c.label));
  for (std::size_t label = 0; label < s.classes.size(); ++label) {
    lines.push_back({lines[0][label + 1]});
    for (std::size_t predicted = 0; predicted < s.classes.size(); ++predicted)
      lines.back().push_back(fmt::format("{}", confused_rows(s, label, predicted)));
  }
  return "Rows by label (line) and predicted label (column):\n" + table_text(lines);
}

std::string classification_text(const Score& s, const LinearModel& model, std::size_t top) {
  const bool two = s.classes.size() == 2;
  std::string text = accuracy_text(s);
  if (s.top_accuracy) text += fmt::format("Top-{} accuracy = {:g}%\n", top, 100 * *s.top_accuracy);
  if (s.auc) text += auc_text(*s.auc);
  if (s.log_loss) text += fmt::format("Log loss = {:.6g}\n", *s.log_loss);
  if (s.mean_loss && s.mean_loss != s.log_loss)
    text += fmt::format("Mean loss = {:.6g} ({}{})\n", *s.mean_loss, model.risk.loss,
                        two ? "" : ", the sum over the classes");
  text += two ? text_of_two(s) : classes_text(s) + matrix_text(s);
  if (s.unknown_labels > 0) {
    const std::string known = two ? fmt::format("{} and {}", s.classes[0].label, s.classes[1].label)
                                  : fmt::format("the {} of the model", s.classes.size());
    text += fmt::format("{} {} a label other than {}, counted as {}\n", counted(s.unknown_labels, "row"),
                        s.unknown_labels == 1 ? "has" : "have", known, s.unknown_labels == 1 ? "an error" : "errors");
  }
  return text;
}

std::string regression_text(const Score& s, const LinearModel& model) {
  std::string text =
      fmt::format("Mean squared error = {:g} ({})\n", s.mean_squared_error.value_or(0), counted(s.rows, "row"));
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

/// Of two classes; more have `confused`.
ordered_json confusion_json(const Score& s) {
  if (s.classes.size() != 2) return nullptr;
  return {{"positive_label", s.classes[1].label},      {"negative_label", s.classes[0].label},
          {"true_positives", confused_rows(s, 1, 1)},  {"false_negatives", confused_rows(s, 1, 0)},
          {"false_positives", confused_rows(s, 0, 1)}, {"true_negatives", confused_rows(s, 0, 0)}};
}

ordered_json classes_json(const Score& s) {
  ordered_json all = ordered_json::array();
  for (const ClassScore& c : s.classes)
    all.push_back({{"label", c.label},
                   {"rows", c.rows},
                   {"predicted", c.predicted},
                   {"correct", c.correct},
                   {"precision", or_null(c.precision())},
                   {"recall", or_null(c.recall())}});
  return all;
}

ordered_json confused_json(const Score& s) {
  ordered_json all = ordered_json::array();
  for (const Confused& c : s.confused)
    all.push_back({{"label", s.classes[c.label].label}, {"predicted", s.classes[c.predicted].label}, {"rows", c.rows}});
  return all;
}

}  // namespace

std::string score_text(const Score& s, const LinearModel& model, std::size_t top, bool zero_based) {
  std::string text = model.is_classifier() ? classification_text(s, model, top) : regression_text(s, model);
  if (s.ignored_entries > 0) {
    text += fmt::format("{} in {} {} to features beyond the {} of the model, up to index {}; ignored\n",
                        counted(s.ignored_entries, "entry", "entries"), counted(s.rows_with_ignored, "row"),
                        s.ignored_entries == 1 ? "belongs" : "belong", model.features(),
                        index_in_file(s.largest_ignored, zero_based));
  }
  return text;
}

ordered_json score_json(const Score& s, const LinearModel& model, bool zero_based) {
  const bool classes = model.is_classifier();
  return {{"rows", s.rows},
          {"task", classes ? "classification" : "regression"},
          {"accuracy", or_null(s.accuracy)},
          {"correct", classes ? ordered_json(s.correct) : ordered_json(nullptr)},
          {"top_accuracy", or_null(s.top_accuracy)},
          {"auc", s.auc ? ordered_json(s.auc->middle()) : ordered_json(nullptr)},
          {"auc_half_width", s.auc ? ordered_json(s.auc->half_width()) : ordered_json(nullptr)},
          {"log_loss", or_null(s.log_loss)},
          {"confusion", confusion_json(s)},
          {"classes", classes ? classes_json(s) : ordered_json(nullptr)},
          {"confused", classes ? confused_json(s) : ordered_json(nullptr)},
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
