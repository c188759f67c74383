// `geodescent train --l2-path`: a model for each of several strengths of the regularisation.
#pragma once

#include <string>

#include "train/train.hpp"

namespace geodescent::cli {

/// "LOW:HIGH:N" as numbers, or nothing when it makes no sense as a path.
std::optional<L2Path> parse_l2_path(const std::string& text);
inline constexpr std::size_t longest_path = 1000;

/// Its values, from strong to weak.
Vector values_of(const L2Path& path);

/// Trains them all and writes MODEL.01, MODEL.02, ... and MODEL.path.csv; returns the exit code.
int train_models_of_path(const TrainCommand& command);

}  // namespace geodescent::cli
