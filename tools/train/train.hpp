// `geodescent train`: its options, and the command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/options/loss_options.hpp"
#include "geodescent/data/libsvm.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "geodescent/threads.hpp"

namespace geodescent::cli {

/// Strengths from `high` down to `low`, evenly spaced in logarithm.
struct L2Path {
  double low = 0;
  double high = 0;
  std::size_t count = 0;
};

struct TrainCommand {
  std::vector<std::string> data;  ///< one file, or several that are one data set
  std::string model;
  std::string initial;     ///< empty: starts at zero
  std::string checkpoint;  ///< the file; empty: no checkpoints
  std::uint64_t checkpoint_every = 100;
  bool resume = false;

  std::string loss;  ///< empty: logistic for two classes, softmax for more
  LossParameterOptions loss_parameters;
  std::optional<double> l2;
  std::optional<double> cost;
  std::optional<L2Path> l2_path;
  std::optional<std::size_t> folds;  ///< cross-validation
  bool find_c = false;               ///< LIBLINEAR's -C
  std::optional<std::uint64_t> seed;
  Bias bias = Bias::free;
  std::vector<ClassWeight> class_weights;
  bool balanced_classes = false;
  std::string row_weights;
  std::optional<std::uint32_t> weight_feature;

  std::string method{default_method};
  std::optional<std::string> line_search;
  std::optional<std::string> directions;
  std::optional<std::uint64_t> memory;  ///< empty: chosen by the method
  std::optional<double> memory_limit;
  std::optional<double> smoothness;

  double tolerance = Options{}.gap_tolerance;
  std::uint64_t max_iterations = Options{}.max_iterations;
  double max_seconds = std::numeric_limits<double>::infinity();
  int threads = geodescent::threads();

  std::optional<std::uint64_t> features;
  std::string index_base = "auto";
  std::size_t line_limit = default_line_limit;

  std::string trace;
  std::string report;  ///< folder for the page of a cross-validation; empty: none
  bool json = false;
  bool quiet = false;
};

inline constexpr double default_l2 = 1e-4;
inline constexpr std::uint64_t default_seed = 1;

/// The loss of two classes, where none is named.
inline constexpr const char* default_loss = "logistic";

/// Trains and writes the model, or those of a path; returns the exit code.
int train(const TrainCommand& command);

}  // namespace geodescent::cli
