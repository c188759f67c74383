// A trained linear model and its file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "geodescent/dataset.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

/// Prediction is weights . a for a row a: its sign chooses between the two labels, or it is the predicted target itself
/// when `labels` is empty (regression).
struct LinearModel {
  std::string loss;
  double loss_parameter = 0;  ///< for losses that have one (Huber's threshold), else 0
  double l2 = 0;
  std::optional<BinaryLabels> labels;
  Vector weights;
  bool zero_based = false;  ///< how the training file numbered its features; other files are read the same way
  // How it was found and how far from the optimum it can be.
  std::string method;
  std::string status;
  double value = 0;
  double lower_bound = 0;
};

/// Throws InputError when the file cannot be written; then the old file, if any, is untouched.
void write_model(const LinearModel& model, const std::string& path);
/// Throws InputError ("file:line: reason; remedy").
LinearModel read_model(const std::string& path);
LinearModel parse_model(std::string_view text, const std::string& name);

}  // namespace geodescent
