// `geodescent train --folds`: chooses l2 by cross-validation, and reports it.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "common/progress.hpp"
#include "geodescent/learn/cross_validation.hpp"
#include "train/report.hpp"
#include "train/train.hpp"

namespace geodescent::cli {

struct ValidationReport {
  CrossValidation found;
  double total_weight = 0;  ///< of all rows, for C
  std::string loss;
  double tolerance = 0;
  double seconds = 0;
  std::string page;  ///< the folder of --report; empty: none

  const HeldOut& chosen() const { return found.values[found.chosen]; }
  const HeldOut& one_standard_error() const { return found.values[found.one_standard_error]; }
  double largest_gap() const;
  bool reached_goal() const;  ///< by all trainings of the folds
};

/// Without --report does nothing; otherwise throws unless its folder can be written.
void require_report_folder(const TrainCommand& command, const std::string& model);

/// Cross-validates the path, or the one l2 of the risk. A signal ends the program: there is no
/// model to save yet.
ValidationReport validate(const TrainCommand& command, const Dataset& data, const Risk& risk, ProgressLine& line);

/// A table with the chosen value marked.
std::string text_of(const ValidationReport& report);
/// {"cross_validation": ..., "training": ...}
nlohmann::ordered_json json_of(const ValidationReport& report, const TrainingReport& training);
/// The page of --report, if it is asked for.
void write_page(const ValidationReport& report, const TrainingReport& training, const TrainCommand& command);

}  // namespace geodescent::cli
