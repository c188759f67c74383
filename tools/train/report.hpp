// The report of a training, as text and as JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "data/memory_statement.hpp"
#include "geodescent/data/dataset.hpp"
#include "geodescent/learn/train.hpp"
#include "ranks/data.hpp"

namespace geodescent::cli {

struct CheckpointReport {
  std::string file;
  std::uint64_t every = 0;  ///< iterations
  std::uint64_t written = 0;
  std::optional<std::uint64_t> resumed_after;  ///< iterations; empty: from the beginning
};

struct TrainingReport {
  std::string data;  ///< the name of the data
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t nonzeros = 0;
  bool zero_based = false;
  double total_weight = 0;             ///< of the rows; their number if all weights are 1
  std::optional<BinaryLabels> labels;  ///< of two classes with one column of coefficients
  std::vector<ClassRows> classes;      ///< of several columns

  Risk risk;
  double cost = 0;  ///< LIBLINEAR's C of this l2
  std::string method;
  int threads = 1;
  std::optional<RanksTraffic> traffic;  ///< on several ranks

  std::optional<MemoryStatement> memory;  ///< of geod-memory

  TrainResult trained;
  std::optional<CheckpointReport> checkpoints;
  double load_seconds = 0;
  double write_seconds = 0;  ///< of the model file; waits for the disk
  double total_seconds = 0;
  std::string model;  ///< empty if none was written

  void describe(const Dataset& data, const Risk& risk);
};

/// The report, a line for each item.
std::string text_of(const TrainingReport& report);
nlohmann::ordered_json json_of(const TrainingReport& report);
/// Data and objective in one line, without l2.
std::string header_of(const TrainingReport& report);
/// The proven relative gap if there is a proof, else that of the run.
double relative_gap_of(const TrainResult& trained);
/// The progress line.
std::string text_of(const Progress& progress);

}  // namespace geodescent::cli
