// An experiment on data: every method on every problem, a problem being a data set with a
// regularisation. Finished work is in the journal; what is asked for and not there yet is done, in
// parallel or one after the other.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "comparison/cell.hpp"
#include "comparison/methods.hpp"
#include "comparison/tuning.hpp"
#include "geodescent/data/dataset.hpp"
#include "journal/journal.hpp"

namespace geodescent::lab {

/// A data set that can be loaded.
struct DataSource {
  std::string name;         ///< UTF-8, for the journal
  std::string fingerprint;  ///< changes with the content; cells of other content are not reused
  std::function<Dataset()> load;
};

/// The source that is a file. Bytes of the name that are not UTF-8 become \xNN.
DataSource file_source(const std::string& name, const std::string& path);

struct ExperimentOptions {
  std::string loss = "smoothed-hinge";
  std::optional<double> loss_parameter;  ///< nothing: the default of the loss
  std::vector<double> lambdas;
  std::vector<Contender> methods;
  std::vector<double> accuracies;          ///< decreasing
  double tuning_accuracy = 1e-6;           ///< what the constants of the accelerated methods are chosen for,
  std::uint64_t tuning_iterations = 2000;  ///< limit of iterations of a run
  Limits limits;
  bool prove = false;  ///< run until the accuracy is also proven by the method
  bool timed = false;  ///< measures seconds: one cell at a time, on all threads
  int jobs = 1;        ///< cells at a time if seconds are not measured
};

/// Settings that change the meaning of a finished cell, for the journal.
nlohmann::ordered_json describe(const ExperimentOptions& options);

struct Problem {
  std::string data;
  std::size_t rows = 0, features = 0, nonzeros = 0;
  double lambda = 0;
  ReferenceMinimum reference;
  std::vector<Cell> cells;  ///< one for each method
};

struct TuningOf {
  std::string data;
  std::string method;
  Tuning tuning;
};

struct Results {
  std::vector<Problem> problems;  ///< data sets in the order given, each with all regularisations
  std::vector<TuningOf> tunings;
};

/// How far it is.
struct Standing {
  std::string doing;  ///< "a9a, 1e-06: geod"
  std::size_t finished = 0, total = 0;
  std::optional<double> seconds_left = {};  ///< estimated; empty until a piece is finished in this run
};

/// Called after every finished piece, from one thread at a time, and about ten times a second in
/// between. Returns false to stop.
using Watcher = std::function<bool(const Standing&)>;

/// No value when the watcher stopped it: all that is finished is in the journal.
std::optional<Results> run_experiment(const ExperimentOptions& options, const std::vector<DataSource>& sources,
                                      Journal& journal, const Watcher& watcher);

}  // namespace geodescent::lab
