// The steps that one training, a path and a cross-validation share.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "common/output.hpp"
#include "geodescent/learn/train.hpp"
#include "train/train.hpp"

namespace geodescent::cli {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point began_ = Clock::now();
};

/// The path of the model: MODEL, or a name made from that of the data.
std::string model_path(const TrainCommand& command);
/// The files that a training reads.
std::vector<NamedPath> inputs_of(const TrainCommand& command);
/// Throws UsageError for an option without effect.
void check_combinations(const TrainCommand& command);
Dataset load(const TrainCommand& command);
/// The loss of --loss, or the one for the number of classes. Throws InputError where labels do not
/// look like classes.
std::string loss_for(const TrainCommand& command, const Dataset& data);
/// With the l2 of --l2 or --cost, or the default.
Risk risk_of(const TrainCommand& command, const Dataset& data);
/// The search that one process might have used, and ranks have not; empty if there is none.
std::string search_left_out(const TrainCommand& command, const TrainResult& trained);
MethodChoice method_of(const TrainCommand& command);
Options minimize_options(const TrainCommand& command);

/// Writes the model with its proof, on one rank. Returns false if there is no proof, because values
/// have overflowed.
bool write_certified(const Dataset& data, const TrainResult& trained, const std::string& path);

}  // namespace geodescent::cli
