// A trained linear model and its file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "geodescent/data/dataset.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

/// What a model is the minimiser of: mean loss + l2/2 |w|^2 over the rows of a data set, whose weights count.
struct Risk {
  std::string loss;           ///< a name of losses(), such as "logistic"; empty: unknown
  double loss_parameter = 0;  ///< for losses that have one (LossInfo::parameter); to train with 0 is with its default
  double l2 = 0;              ///< must be over 0 to train; 0: unknown
  Bias bias = Bias::none;     ///< the kind of intercept
  double constant = 1;        ///< what the constant feature of Bias::regularized is; LIBLINEAR allows others than 1
};

/// The prediction for a row a is weights.a + intercept: its sign chooses between the two labels, or it is the predicted
/// target itself when `labels` is empty (regression).
struct LinearModel {
  Risk risk;                           ///< what the model minimises
  std::optional<BinaryLabels> labels;  ///< the two labels; empty for a regression
  /// The order of the labels in the file. A decision of exactly 0 is for the second one, as it is in LIBLINEAR.
  bool positive_first = true;
  Vector weights;           ///< of the features
  double bias_weight = 0;   ///< the intercept, or the weight of the constant feature, which |w|^2 then contains
  bool zero_based = false;  ///< how the training file numbered its features; other files are read the same way
  // How it was found and how far from the optimum it can be. Empty and 0 when a model does not tell.
  std::string method;        ///< the name of the method
  std::string status;        ///< why training stopped, as to_string(Status) has it
  double value = 0;          ///< f at the model
  double lower_bound = 0;    ///< f* is not below it
  bool has_section = false;  ///< read from a file with a section of our own: a verification then fills in nothing

  /// What is added to weights.a.
  double intercept() const { return risk.bias == Bias::none ? 0 : risk.constant * bias_weight; }
};

/// A model file of LIBLINEAR with a section of our own behind it (docs/reference/model-format.md).
/// Throws InputError when the file cannot be written; then the old file, if any, is untouched.
void write_model(const LinearModel& model, const std::string& path);
/// Reads our models and those of liblinear-train for two classes or a regression; these know neither l2 nor a value.
/// Throws InputError ("file:line: reason; remedy").
[[nodiscard]] LinearModel read_model(const std::string& path);
/// The same from memory; `name` stands for the file in errors.
[[nodiscard]] LinearModel parse_model(std::string_view text, const std::string& name);

}  // namespace geodescent
