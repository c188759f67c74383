// What a training run found, for people and for programs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "data/memory_statement.hpp"
#include "geodescent/data/dataset.hpp"
#include "geodescent/learn/train.hpp"

namespace geodescent::cli {

struct TrainingReport {
  std::string data;  ///< where the rows came from
  std::size_t rows = 0;
  std::size_t features = 0;
  std::size_t nonzeros = 0;
  bool zero_based = false;
  double total_weight = 0;             ///< of the rows, their number when all weights are 1
  std::optional<BinaryLabels> labels;  ///< none for regression

  Risk risk;
  double cost = 0;  ///< the C of LIBLINEAR that means the same
  std::string method;
  int threads = 1;

  std::optional<MemoryStatement> memory;  ///< of a method that has any

  TrainResult trained;
  double load_seconds = 0;
  double write_seconds = 0;  ///< of the file, which waits for the disk
  double total_seconds = 0;
  std::string model;  ///< empty: none was written

  void describe(const Dataset& data, const Risk& risk);
};

/// A few lines for a person.
std::string text_of(const TrainingReport& report);
nlohmann::ordered_json json_of(const TrainingReport& report);
/// The data and what is minimised, without an l2, in one line.
std::string header_of(const TrainingReport& report);
/// What is proven where there is a proof.
double relative_gap_of(const TrainResult& trained);
/// One line while the work goes on.
std::string text_of(const Progress& progress);

}  // namespace geodescent::cli
