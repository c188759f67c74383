// Shared by `bench paper`, `bench balls` and `bench run`: an experiment on data sets, its options,
// its progress and its files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "common/options/loss_options.hpp"
#include "common/options/options.hpp"
#include "comparison/experiment.hpp"
#include "report/report.hpp"

namespace geodescent::cli {

struct DataBenchOptions {
  lab::ExperimentOptions experiment;
  std::vector<std::string> methods;
  int decades = 10;  ///< of accuracies: 1e-1, 1e-2, ...
  LossParameterOptions loss_parameters;
  bool restart = false;
  BenchOutput output;
};

/// Whether the user chooses what is compared.
enum class Methods { chosen, fixed };

/// Adds --loss and its parameters, --l2, --methods, --prove, --decades, --max-iterations,
/// --max-seconds, --jobs, --restart and the output options; with fixed methods neither --methods
/// nor --prove.
void add_data_bench(Command& app, DataBenchOptions& o, Methods methods = Methods::chosen);

/// Runs or continues the experiment. When stopped, says how to continue and throws Interrupted.
lab::Results run_with_progress(DataBenchOptions& o, const std::vector<lab::DataSource>& sources);

/// Throws UsageError for a name that is given twice.
void require_distinct(const std::vector<std::string>& names);

/// Adds the settings of the experiment.
void add_facts(lab::Report& report, const DataBenchOptions& o);

}  // namespace geodescent::cli
