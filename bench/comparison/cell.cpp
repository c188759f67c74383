#include "comparison/cell.hpp"

#include <nlohmann/json.hpp>

#include "optimize/oracles/decorated_objective.hpp"

namespace geodescent::lab {
namespace {

using Json = nlohmann::ordered_json;

Effort effort_of(std::uint64_t iterations, const Counts& counts, double seconds) {
  return {iterations, counts.forward_passes + counts.backward_passes, counts.line_evaluations,
          counts.subspace_evaluations, seconds};
}

Json json_of(const Effort& e) {
  return Json::array({e.iterations, e.passes, e.line_evaluations, e.subspace_evaluations, e.seconds});
}

Effort effort_from(const Json& json) {
  return {json.at(0).get<std::uint64_t>(), json.at(1).get<std::uint64_t>(), json.at(2).get<std::uint64_t>(),
          json.at(3).get<std::uint64_t>(), json.at(4).get<double>()};
}

Json json_of(const CallSeconds& s) { return Json::array({s.passes, s.line, s.subspace}); }

CallSeconds call_seconds_from(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

Json json_of(const std::vector<std::optional<Effort>>& efforts) {
  Json list = Json::array();
  for (const auto& e : efforts) list.push_back(e ? json_of(*e) : Json(nullptr));
  return list;
}

std::vector<std::optional<Effort>> efforts_from(const Json& json) {
  std::vector<std::optional<Effort>> efforts;
  for (const Json& e : json) efforts.push_back(e.is_null() ? std::nullopt : std::optional(effort_from(e)));
  return efforts;
}

/// Infinity becomes null, because JSON has no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
double number_from(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::infinity() : json.get<double>();
}

/// Records when each accuracy of a list is reached.
class Milestones {
 public:
  explicit Milestones(const std::vector<double>& accuracies) : accuracies_(accuracies), efforts(accuracies.size()) {}

  void pass(double accuracy, const Effort& effort) {
    for (; next_ < accuracies_.size() && accuracy <= accuracies_[next_]; ++next_) efforts[next_] = effort;
  }
  bool complete() const { return next_ == accuracies_.size(); }

 private:
  const std::vector<double>& accuracies_;
  std::size_t next_ = 0;

 public:
  std::vector<std::optional<Effort>> efforts;
};

}  // namespace

Options options_of(const Limits& limits) {
  Options options;
  options.gap_tolerance = 0;
  options.max_iterations = limits.iterations;
  options.max_seconds = limits.seconds;
  options.keep_dual = true;  // the memory plan includes the dual points that a certificate needs
  return options;
}

std::optional<Cell> run_cell(const Objective& f, const Contender& method, const ReferenceMinimum& reference,
                             const std::vector<double>& accuracies, const Limits& limits, bool prove,
                             const Cancelled& cancelled) {
  CallSeconds seconds;
  const DecoratedObjective clocked(
      f, [&](std::unique_ptr<Oracle> oracle) { return std::make_unique<ClockedOracle>(std::move(oracle), seconds); });
  Milestones reached(accuracies), proven(accuracies);
  bool gave_up = false;
  const auto done = [&] { return reached.complete() && (!prove || proven.complete()); };
  const MethodChoice planned = planned_for(method.method, accuracies.back());
  const Result result = minimize(clocked, planned, {}, options_of(limits), [&](const Progress& p) {
    const Effort spent = effort_of(p.iteration, p.counts, p.seconds);
    reached.pass(reference.accuracy(p.value), spent);
    proven.pass(p.relative_gap(), spent);
    gave_up = cancelled && cancelled();
    return !gave_up && !done();
  });
  if (gave_up) return std::nullopt;

  Cell cell;
  cell.status = done() ? "accuracy" : to_string(result.status);
  cell.total = effort_of(result.iterations, result.counts, result.seconds);
  cell.calls = seconds;
  cell.accuracy = reference.accuracy(result.value);
  cell.relative_gap = result.relative_gap();
  cell.smoothness = smoothness_of(method.method).value_or(0);
  if (result.memory) cell.directions = result.memory->along;
  cell.reached = std::move(reached.efforts);
  cell.proven = std::move(proven.efforts);
  return cell;
}

Json to_json(const Cell& cell) {
  return {{"status", cell.status},
          {"total", json_of(cell.total)},
          {"calls", json_of(cell.calls)},
          {"accuracy", number(cell.accuracy)},
          {"relative_gap", number(cell.relative_gap)},
          {"smoothness", cell.smoothness},
          {"directions", cell.directions},
          {"reached", json_of(cell.reached)},
          {"proven", json_of(cell.proven)}};
}

Cell cell_from_json(const Json& json) {
  Cell cell;
  cell.status = json.at("status").get<std::string>();
  cell.total = effort_from(json.at("total"));
  cell.calls = call_seconds_from(json.at("calls"));
  cell.accuracy = number_from(json.at("accuracy"));
  cell.relative_gap = number_from(json.at("relative_gap"));
  cell.smoothness = json.at("smoothness").get<double>();
  cell.directions = json.at("directions").get<std::string>();
  cell.reached = efforts_from(json.at("reached"));
  cell.proven = efforts_from(json.at("proven"));
  return cell;
}

Json to_json(const ReferenceMinimum& reference) {
  return {{"start_value", reference.start_value},
          {"value", reference.value},
          {"lower_bound", reference.lower_bound},
          {"iterations", reference.iterations},
          {"solver", reference.solver}};
}

ReferenceMinimum reference_from_json(const Json& json) {
  ReferenceMinimum reference;
  reference.start_value = json.at("start_value").get<double>();
  reference.value = json.at("value").get<double>();
  reference.lower_bound = json.at("lower_bound").get<double>();
  reference.iterations = json.at("iterations").get<std::uint64_t>();
  reference.solver = json.at("solver").get<std::string>();
  return reference;
}

}  // namespace geodescent::lab
