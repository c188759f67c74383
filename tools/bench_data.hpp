// What `bench paper` and `bench run` share: an experiment on data sets, its options, its progress and its files.
#pragma once

#include <string>
#include <vector>

#include "bench.hpp"
#include "lab/experiment.hpp"
#include "lab/report.hpp"
#include "options.hpp"

namespace geodescent::cli {

struct DataBenchOptions {
  lab::ExperimentOptions experiment;
  std::vector<std::string> methods;
  bool restart = false;
  BenchOutput output;
};

/// --loss, --l2, --methods, --max-iterations, --max-seconds, --prove, --jobs, --restart and the output options.
void add_data_bench(CLI::App& app, DataBenchOptions& o);

/// Runs the experiment, or goes on with it. Throws Interrupted, with how to go on said, when it was stopped.
lab::Results run_with_progress(DataBenchOptions& o, const std::vector<lab::DataSource>& sources);

/// Throws UsageError for a name that is given twice.
void require_distinct(const std::vector<std::string>& names);

/// Adds what the experiment was told.
void add_facts(lab::Report& report, const DataBenchOptions& o);

/// 1e-1, 1e-2, ..., down to 10^-decades.
std::vector<double> accuracies_to(int decades);

}  // namespace geodescent::cli
