// The steps of a training that all forms of `geodescent train` share: one model, a path, a cross-validation.
#pragma once

#include <chrono>
#include <string>

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

/// Where the model goes: MODEL, or a name made of that of the data.
std::string model_path(const TrainCommand& command);
/// An option that has no effect is a misunderstanding: better said (UsageError) than ignored.
void check_combinations(const TrainCommand& command);
Dataset load(const TrainCommand& command);
/// With the l2 of --l2 or --cost, or the default.
Risk risk_of(const TrainCommand& command, const Dataset& data);
MethodChoice method_of(const TrainCommand& command);
Options minimize_options(const TrainCommand& command);

/// The model with its proof. False where there is none: numbers that overflow leave nothing worth a file that looks
/// like a model.
bool write_certified(const TrainResult& trained, const std::string& path);

}  // namespace geodescent::cli
