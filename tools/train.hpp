// `geodescent train`: what it can be told, and the work itself.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "geodescent/libsvm.hpp"
#include "geodescent/minimize.hpp"
#include "geodescent/parallel.hpp"

namespace geodescent::cli {

struct TrainCommand {
  std::string data;
  std::string model;
  std::string certificate;  ///< empty: beside the model
  std::string initial;      ///< empty: starts at zero

  std::string loss = "logistic";
  std::optional<double> huber_delta;
  std::optional<double> l2;
  std::optional<double> cost;
  Bias bias = Bias::free;
  std::vector<ClassWeight> class_weights;
  std::string row_weights;
  std::optional<std::uint32_t> weight_feature;

  std::string method{default_method};
  std::optional<std::string> line_search;
  std::optional<std::uint64_t> memory;  ///< nothing: chosen by the method
  std::optional<double> memory_limit;
  std::optional<double> smoothness;

  double tolerance = Options{}.gap_tolerance;
  std::uint64_t max_iterations = Options{}.max_iterations;
  double max_seconds = std::numeric_limits<double>::infinity();
  int threads = geodescent::threads();

  std::optional<std::uint64_t> features;
  std::string index_base = "auto";

  std::string trace;
  bool json = false;
  bool quiet = false;
};

inline constexpr double default_l2 = 1e-4;

/// Trains and writes the model; returns the exit code.
int train(const TrainCommand& command);

}  // namespace geodescent::cli
