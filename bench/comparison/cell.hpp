// A cell of an experiment: one method on one problem, and its effort when it reached each accuracy.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "comparison/clocked_oracle.hpp"
#include "comparison/methods.hpp"
#include "comparison/reference.hpp"
#include "geodescent/optimize/minimize.hpp"

namespace geodescent::lab {

struct Effort {
  std::uint64_t iterations = 0;
  std::uint64_t passes = 0;  ///< forward and backward
  std::uint64_t line_evaluations = 0;
  std::uint64_t subspace_evaluations = 0;
  double seconds = 0;
};

/// When a cell stops.
struct Limits {
  std::uint64_t iterations = 10'000;
  double seconds = std::numeric_limits<double>::infinity();
};

struct Cell {
  std::vector<std::optional<Effort>> reached;  ///< at each accuracy (f - f*)/(f(0) - f*); empty if not reached
  std::vector<std::optional<Effort>> proven;   ///< at each accuracy, when the method itself had proven it
  std::string status;  ///< "accuracy" if the last accuracy was reached, otherwise the status of the run
  Effort total;
  CallSeconds calls;        ///< the parts of the total seconds
  double accuracy = 0;      ///< of the last point, with a recomputed value
  double relative_gap = 0;  ///< proven by the method at the end
  double smoothness = 0;    ///< given to the method; 0: none
  std::string directions;   ///< the search of a method with memory; empty for other methods
};

/// The options of a cell: those of `train` for the smallest accuracy, with two differences. The gap
/// tolerance is 0, because the reference decides when to stop. Memory is planned for the smallest
/// accuracy.
Options options_of(const Limits& limits);

/// Returns true to stop a running cell.
using Cancelled = std::function<bool()>;

/// Runs the method until it reaches the smallest of the decreasing accuracies and, with `prove`,
/// until it has proven it. Empty if cancelled.
std::optional<Cell> run_cell(const Objective& f, const Contender& method, const ReferenceMinimum& reference,
                             const std::vector<double>& accuracies, const Limits& limits, bool prove,
                             const Cancelled& cancelled);

nlohmann::ordered_json to_json(const Cell& cell);
Cell cell_from_json(const nlohmann::ordered_json& json);
nlohmann::ordered_json to_json(const ReferenceMinimum& reference);
ReferenceMinimum reference_from_json(const nlohmann::ordered_json& json);

}  // namespace geodescent::lab
