// One cell of an experiment: one method on one problem, and what it had spent when it reached each accuracy.
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

/// Where a cell stops.
struct Limits {
  std::uint64_t iterations = 10'000;
  double seconds = std::numeric_limits<double>::infinity();
};

struct Cell {
  std::vector<std::optional<Effort>> reached;  ///< at each accuracy (f - f*)/(f(0) - f*); nothing: not reached
  std::vector<std::optional<Effort>> proven;   ///< when the method itself had proven as much
  std::string status;                          ///< "accuracy" when the last accuracy was reached, else that of the run
  Effort total;
  CallSeconds calls;        ///< where the seconds of the total went
  double accuracy = 0;      ///< of the last point, its value recomputed
  double relative_gap = 0;  ///< proven by the method in the end
  double smoothness = 0;    ///< that the method was given; 0: none
  std::string directions;   ///< what a method with a memory searched along; empty for the others
};

/// How a cell is run: as `train` runs the method when it is asked for the smallest of the accuracies. The reference
/// decides when it stops, so the tolerance it stops at is 0, and the one it plans its memory for is that accuracy.
Options options_of(const Limits& limits);

/// Asks a running cell to give up.
using Cancelled = std::function<bool()>;

/// Runs the method until it has reached the smallest of the accuracies (which must decrease), and, if `prove`, until it
/// has proven that, too. No value when it was cancelled.
std::optional<Cell> run_cell(const Objective& f, const Contender& method, const ReferenceMinimum& reference,
                             const std::vector<double>& accuracies, const Limits& limits, bool prove,
                             const Cancelled& cancelled);

nlohmann::ordered_json to_json(const Cell& cell);
Cell cell_from_json(const nlohmann::ordered_json& json);
nlohmann::ordered_json to_json(const ReferenceMinimum& reference);
ReferenceMinimum reference_from_json(const nlohmann::ordered_json& json);

}  // namespace geodescent::lab
