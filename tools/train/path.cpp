#include "train/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "bench/bench.hpp"
#include "common/interrupt.hpp"
#include "common/output.hpp"
#include "common/progress.hpp"
#include "data/shares/share_reader.hpp"
#include "files/output_file.hpp"
#include "geodescent/learn/path.hpp"
#include "geodescent/version.hpp"
#include "ranks/data.hpp"
#include "ranks/ranks.hpp"
#include "report/csv.hpp"
#include "train/report.hpp"
#include "train/steps.hpp"

namespace geodescent::cli {
namespace {

template <class Number>
bool read_all(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// The paths of the outputs. Models are numbered from 1, with as many digits as the last one needs,
/// but at least two.
struct PathFiles {
  std::string base;
  std::size_t count;

  std::string model(std::size_t k) const {
    const std::size_t digits = std::max<std::size_t>(2, std::to_string(count).size());
    return fmt::format("{}.{:0{}}", base, k + 1, digits);
  }
  std::string table() const { return base + ".path.csv"; }
};

void require_usable(const PathFiles& files, const TrainCommand& o) {
  const auto check = [&](std::string_view role, const std::string& path) {
    require_distinct({{role, path}}, inputs_of(o));
    require_writable(path);
  };
  for (std::size_t k = 0; k < files.count; ++k) check("a model of the path", files.model(k));
  check("the table of the path", files.table());
}

/// Drops the vectors, which reports do not need: a path has many reports.
void forget_vectors(TrainResult& trained) {
  trained.run.x = {};
  trained.run.dual = {};
  trained.model.weights = {};
  if (!trained.certificate) return;
  trained.certificate->dual.steps = {};
  for (Claim& one : trained.certificate->claims) one.dual.steps = {};
}

struct PathReport {
  std::vector<TrainingReport> models;
  std::string table;
  std::size_t asked = 0;
  std::size_t reached_goal = 0;  ///< number of models
  double load_seconds = 0;
  double total_seconds = 0;

  bool converged() const {
    for (const TrainingReport& model : models)
      if (model.trained.run.status != Status::converged) return false;
    return models.size() == asked;
  }
};

/// Writes each model when it is finished. A signal ends the path, and the model that it interrupts
/// is not kept.
void train_all(const TrainCommand& o, const Dataset& data, const PathFiles& files, ProgressLine& line,
               PathReport& report) {
  const InterruptGuard guard;
  const Stopwatch watch;
  const Vector l2 = values_of(*o.l2_path);
  const Risk risk = risk_of(o, data);
  const TrainOptions options{method_of(o), minimize_options(o)};
  TrafficMeter meter;
  const auto take = [&](TrainResult&& trained) {
    if (trained.run.status == Status::stopped_by_observer) return false;
    const std::size_t k = report.models.size();
    TrainingReport& one = report.models.emplace_back();
    one.trained = std::move(trained);
    if (reached_goal(one.trained.run.status, options.minimize)) ++report.reached_goal;
    if (write_certified(data, one.trained, files.model(k))) one.model = files.model(k);
    Risk this_risk = risk;
    this_risk.l2 = l2[k];
    one.describe(data, this_risk);
    one.method = o.method;
    one.traffic = meter.traffic(search_left_out(o, one.trained));
    meter = TrafficMeter();
    one.load_seconds = report.load_seconds;
    one.total_seconds = report.load_seconds + watch.seconds();
    forget_vectors(one.trained);
    return !on_any_rank(interrupted() != 0);
  };
  const auto observe = [&](const Progress& progress) {
    line.update([&] {
      const std::size_t k = report.models.size();
      return fmt::format("{} of {}  l2 {:.4g}  {}", k + 1, l2.size(), l2[k], text_of(progress));
    });
    return interrupted() == 0;
  };
  train_path(data, risk, l2, options, take, observe);
  line.clear();
}

lab::Table table_of(const PathReport& report) {
  lab::Table table;
  table.columns = {"number", "l2", "cost", "status", "value", "relative_gap", "passes", "seconds", "file"};
  table.upper_bounds = {"value", "relative_gap"};
  for (std::size_t k = 0; k < report.models.size(); ++k) {
    const TrainingReport& r = report.models[k];
    const Result& run = r.trained.run;
    table.rows.push_back({static_cast<double>(k + 1), r.risk.l2, r.cost, std::string(to_string(run.status)), run.value,
                          relative_gap_of(r.trained),
                          static_cast<double>(run.counts.forward_passes + run.counts.backward_passes), run.seconds,
                          r.model});
  }
  return table;
}

std::string path_text(const PathReport& report, lab::Table table) {
  if (report.models.empty()) return "interrupted before the first model was finished\n";
  table.title = header_of(report.models.front()) + "\n";
  std::string text = text_of(table);
  if (report.models.size() < report.asked)
    text += fmt::format("\ninterrupted: {} of {} models\n", report.models.size(), report.asked);
  return text + fmt::format("\ntable       {}\nseconds     {:.3f} load, {:.3f} in all\n", one_line(report.table),
                            report.load_seconds, report.total_seconds);
}

nlohmann::ordered_json path_json(const PathReport& report) {
  nlohmann::ordered_json models = nlohmann::ordered_json::array();
  for (const TrainingReport& model : report.models) models.push_back(json_of(model));
  return {{"path", models},
          {"models_asked", report.asked},
          {"converged", report.converged()},
          {"table", report.table},
          {"seconds", {{"load", report.load_seconds}, {"total", report.total_seconds}}},
          {"version", GEODESCENT_VERSION_STRING}};
}

void write_table(const lab::Table& table, const std::string& path) {
  OutputFile file(path);
  file.write(lab::csv_of(table));
  file.commit();
}

}  // namespace

std::optional<L2Path> parse_l2_path(const std::string& text) {
  const std::size_t first = text.find(':'), second = text.find(':', first + 1);
  if (first == text.npos || second == text.npos) return std::nullopt;
  L2Path path;
  const std::string_view all = text;
  const bool numbers = read_all(all.substr(0, first), path.low) &&
                       read_all(all.substr(first + 1, second - first - 1), path.high) &&
                       read_all(all.substr(second + 1), path.count);
  const bool sense =
      path.low > 0 && path.low < path.high && std::isfinite(path.high) && path.count >= 2 && path.count <= longest_path;
  if (!numbers || !sense) return std::nullopt;
  return path;
}

Vector values_of(const L2Path& path) { return path_values(path.low, path.high, path.count); }

int train_models_of_path(const TrainCommand& o) {
  const Stopwatch watch;
  const PathFiles files{model_path(o), o.l2_path->count};
  check_combinations(o);
  on_first_rank([&] { require_usable(files, o); });
  set_threads(o.threads);

  ProgressLine line(o.quiet);
  line.announce("reading " + name_of_files(o.data));
  const Dataset data = load(o);
  PathReport report;
  report.asked = files.count;
  report.table = files.table();
  report.load_seconds = watch.seconds();
  train_all(o, data, files, line, report);
  report.total_seconds = watch.seconds();
  const lab::Table table = table_of(report);
  on_first_rank([&] { write_table(table, files.table()); });
  if (!o.quiet) o.json ? print_error(path_text(report, table)) : print_out(path_text(report, table));
  if (o.json) print_json(path_json(report));
  return report.reached_goal == report.asked ? success : not_reached;
}

}  // namespace geodescent::cli
