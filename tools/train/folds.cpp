#include "train/folds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text/outward_text.hpp"
#include "bench/bench.hpp"
#include "common/interrupt.hpp"
#include "common/output.hpp"
#include "geodescent/learn/regularization.hpp"
#include "geodescent/version.hpp"
#include "train/path.hpp"
#include "train/steps.hpp"

namespace geodescent::cli {
namespace {

using nlohmann::ordered_json;

bool is_classification(const ValidationReport& report) {
  return std::ranges::none_of(report.found.values, [](const HeldOut& v) { return v.mean_squared_error.has_value(); });
}

lab::Entry entry_of(const std::optional<double>& number) {
  return number ? lab::Entry(*number) : lab::Entry(std::monostate{});
}

std::string mark_of(const CrossValidation& found, std::size_t k) {
  if (k == found.chosen) return "chosen";
  return k == found.one_standard_error ? "one standard error" : "";
}

lab::Table table_of(const ValidationReport& report) {
  const bool classes = is_classification(report);
  lab::Table table;
  table.name = "cross-validation";
  table.title = "Held-out loss by l2";
  table.caption =
      "Means over all rows; each row is predicted by a model trained without it. relative_gap is the largest proven "
      "gap "
      "of these models. 'One standard error' marks the largest l2 whose loss is at most one standard error above the "
      "smallest.";
  table.columns = {"l2",           "cost",  "loss", "standard_error", classes ? "accuracy" : "mean_squared_error",
                   "relative_gap", "choice"};
  table.upper_bounds = {"relative_gap"};
  for (std::size_t k = 0; k < report.found.values.size(); ++k) {
    const HeldOut& v = report.found.values[k];
    table.rows.push_back({v.l2, c_from_l2(report.loss, v.l2, report.total_weight), v.loss, v.standard_error,
                          entry_of(classes ? v.accuracy : v.mean_squared_error), v.relative_gap,
                          mark_of(report.found, k)});
  }
  return table;
}

/// Warnings about the choice.
std::vector<std::string> warnings_of(const ValidationReport& report) {
  std::vector<std::string> warnings;
  const std::size_t count = report.found.values.size(), chosen = report.found.chosen;
  if (count > 1 && (chosen == 0 || chosen + 1 == count))
    warnings.push_back(fmt::format("the smallest loss is at the {} end of the path; a {} l2 may do better",
                                   chosen == 0 ? "upper" : "lower", chosen == 0 ? "larger" : "smaller"));
  if (!report.reached_goal())
    warnings.push_back(fmt::format("not all models of the folds reached the tolerance {:g}: their largest gap is {}",
                                   report.tolerance, text_above(report.largest_gap(), 3)));
  return warnings;
}

template <class Of>
lab::Curve curve_of(const ValidationReport& report, const std::string& name, const Of& of) {
  lab::Curve curve;
  curve.method = name;
  for (const HeldOut& value : report.found.values) {
    curve.x.push_back(value.l2);
    curve.y.push_back(of(value));
  }
  return curve;
}

template <class Of>
lab::Curve measured_curve(const ValidationReport& report, const Of& of) {
  lab::Curve curve = curve_of(report, "held-out", of);
  curve.all_marked = true;
  return curve;
}

/// Adds a vertical line at the chosen l2. It is drawn first, behind the curves, and ends beyond
/// their points, so it hides none of them.
void mark_behind(lab::Panel& panel, double l2) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const lab::Curve& curve : panel.curves) {
    for (const double y : curve.y) {
      if (!std::isfinite(y)) continue;
      low = std::min(low, y);
      high = std::max(high, y);
    }
  }
  const double beyond = 0.05 * (high > low ? high - low : std::abs(high));
  panel.curves.insert(panel.curves.begin(), {"chosen", {l2, l2}, {low - beyond, high + beyond}});
}

lab::Panel loss_panel(const ValidationReport& report) {
  lab::Panel panel{"Held-out loss", {"l2", true}, {"mean " + report.loss + " loss"}, {}};
  panel.curves = {curve_of(report, "held-out, more", [](const HeldOut& v) { return v.loss + v.standard_error; }),
                  curve_of(report, "held-out, less", [](const HeldOut& v) { return v.loss - v.standard_error; }),
                  measured_curve(report, [](const HeldOut& v) { return v.loss; })};
  mark_behind(panel, report.chosen().l2);
  return panel;
}

lab::Panel score_panel(const ValidationReport& report) {
  const bool classes = is_classification(report);
  lab::Panel panel{classes ? "Held-out accuracy" : "Held-out squared error",
                   {"l2", true},
                   {classes ? "accuracy" : "mean squared error"},
                   {}};
  panel.curves = {measured_curve(report, [&](const HeldOut& v) {
    return (classes ? v.accuracy : v.mean_squared_error).value_or(std::numeric_limits<double>::infinity());
  })};
  mark_behind(panel, report.chosen().l2);
  return panel;
}

lab::Figure figure_of(const ValidationReport& report) {
  return {"held-out",
          "Held-out rows",
          fmt::format("Means over {} folds for each l2, with one standard error of the loss.", report.found.folds),
          {loss_panel(report), score_panel(report)}};
}

/// The line of liblinear-train -v.
std::string score_text(const HeldOut& v) {
  if (v.mean_squared_error) return fmt::format("Cross Validation Mean squared error = {:g}\n", *v.mean_squared_error);
  return fmt::format("Cross Validation Accuracy = {:g}%\n", 100 * v.accuracy.value_or(0));
}

ordered_json json_of(const HeldOut& v, const ValidationReport& report) {
  const auto number = [](const std::optional<double>& x) { return x ? ordered_json(*x) : ordered_json(nullptr); };
  return {{"l2", v.l2},
          {"cost", c_from_l2(report.loss, v.l2, report.total_weight)},
          {"loss", v.loss},
          {"standard_error", v.standard_error},
          {"accuracy", number(v.accuracy)},
          {"mean_squared_error", number(v.mean_squared_error)},
          {"relative_gap", v.relative_gap}};
}

}  // namespace

double ValidationReport::largest_gap() const {
  double largest = 0;
  for (const HeldOut& value : found.values) largest = std::max(largest, value.relative_gap);
  return largest;
}

bool ValidationReport::reached_goal() const {
  return std::ranges::all_of(found.values, [](const HeldOut& value) { return value.reached_goal; });
}

void require_report_folder(const TrainCommand& o, const std::string& model) {
  if (o.report.empty()) return;
  require_folder(o.report, "--report");
  const std::vector<std::string> names = {"report.html", "report.json", "cross-validation.csv"};
  lab::require_report_place(o.report, names);
  std::vector<NamedPath> others = inputs_of(o);
  others.push_back({"MODEL", model});
  others.push_back({"--trace", o.trace});
  for (const std::string& name : names)
    require_distinct({{"a file of --report", (std::filesystem::path(o.report) / name).string()}}, others);
}

ValidationReport validate(const TrainCommand& o, const Dataset& data, const Risk& risk, ProgressLine& line) {
  const InterruptGuard guard;
  const Stopwatch watch;
  const Vector l2 = o.l2_path ? values_of(*o.l2_path) : Vector{risk.l2};
  const auto watch_folds = [&](const FoldProgress& at) {
    if (interrupted() != 0) throw Interrupted{interrupted()};
    line.update([&] {
      return fmt::format("fold {} of {}  {} of {}  l2 {:.4g}  {}", at.fold + 1, *o.folds, at.value + 1, l2.size(),
                         l2[at.value], text_of(at.run));
    });
  };
  ValidationReport report;
  report.found = cross_validate(data, risk, l2, *o.folds, o.seed.value_or(default_seed),
                                {method_of(o), minimize_options(o)}, watch_folds);
  line.clear();
  report.total_weight = geodescent::total_weight(data);
  report.loss = risk.loss;
  report.tolerance = o.tolerance;
  report.page = o.report;
  report.seconds = watch.seconds();
  return report;
}

std::string text_of(const ValidationReport& report) {
  lab::Table table = table_of(report);
  table.title = fmt::format("{}-fold cross-validation, seed {}, {:.3f} s\n", report.found.folds, report.found.seed,
                            report.seconds);
  std::string text = text_of(table);
  for (const std::string& warning : warnings_of(report)) text += fmt::format("warning: {}\n", warning);
  return text + "\n" + score_text(report.chosen());
}

ordered_json json_of(const ValidationReport& report, const TrainingReport& training) {
  ordered_json table = ordered_json::array();
  for (const HeldOut& value : report.found.values) table.push_back(json_of(value, report));
  return {{"cross_validation",
           {{"folds", report.found.folds},
            {"seed", report.found.seed},
            {"table", table},
            {"chosen_l2", report.chosen().l2},
            {"one_standard_error_l2", report.one_standard_error().l2},
            {"warnings", warnings_of(report)},
            {"seconds", report.seconds}}},
          {"training", json_of(training)},
          {"report", report.page.empty() ? ordered_json(nullptr) : ordered_json(report.page)},
          {"version", GEODESCENT_VERSION_STRING}};
}

void write_page(const ValidationReport& report, const TrainingReport& training, const TrainCommand& o) {
  if (o.report.empty()) return;
  lab::Report page;
  page.name = "cross-validation";
  page.title = fmt::format("Cross-validation of {}", training.data);
  page.lead = fmt::format(
      "{} folds; {}. The smallest held-out loss is {:.6g}, at l2 = {:.6g}; l2 = {:.6g} is the largest within one "
      "standard error of it.",
      report.found.folds, header_of(training), report.chosen().loss, report.chosen().l2,
      report.one_standard_error().l2);
  page.warnings = warnings_of(report);
  page.facts = {{"seed", std::to_string(report.found.seed)},
                {"seconds of cross-validation", fmt::format("{:.3f}", report.seconds)},
                {"model", training.model.empty() ? "none" : training.model}};
  if (report.found.values.size() > 1) page.figures.push_back(figure_of(report));
  page.tables.push_back(table_of(report));
  write_bench(page, {.folder = o.report, .quiet = o.quiet || o.json});
}

}  // namespace geodescent::cli
