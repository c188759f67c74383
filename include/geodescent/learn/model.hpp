// A trained linear model and its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geodescent/data/dataset.hpp"
#include "geodescent/vector.hpp"

namespace geodescent {

/// The objective of a model: mean loss + l2/2 |w|^2 over the rows of a data set, with their
/// weights.
struct Risk {
  std::string loss;           ///< a name of losses(), such as "logistic"; empty: unknown
  double loss_parameter = 0;  ///< of losses that have one (LossInfo::parameter); 0 in training: its default
  double l2 = 0;              ///< must be over 0 to train; 0: unknown
  Bias bias = Bias::none;     ///< the kind of intercept
  double constant = 1;  ///< value of the constant feature of Bias::regularized; 1 unless LIBLINEAR's -B was another
};

/// A model has one column of coefficients, or one for each of several classes. The prediction of a
/// column for a row a is weights.a + intercept. The sign of a single one chooses between the two
/// labels, or it is the predicted target itself (regression); of several, the largest one chooses
/// the class.
struct LinearModel {
  Risk risk;                           ///< what the model minimises
  std::optional<BinaryLabels> labels;  ///< the two labels of a single column; empty for a regression
  /// One for each column, where a model has several: the loss softmax, or one problem for each
  /// class against the rest. Labels increase. Rows are 0 where they are unknown.
  std::vector<ClassRows> classes;
  /// The columns in the order of the file, where that is not the order of the labels. As in
  /// LIBLINEAR, the first of several largest predictions wins.
  std::vector<std::size_t> file_order = {};
  /// The order of two labels in the file. A decision of exactly 0 is for the second one, as it is
  /// in LIBLINEAR.
  bool positive_first = true;
  Vector weights;  ///< coefficients; that of feature j in column k has the index j outputs() + k
  /// The intercept of each column, or the weight of the constant feature, which |w|^2 then
  /// contains. Empty: all are 0.
  Vector bias_weights;
  bool zero_based = false;  ///< how the training file numbered its features; other files are read the same way
  // Its training; empty or 0 if the file does not contain it.
  std::string solver;                  ///< solver_type of a model of LIBLINEAR; empty for a file with our section
  std::string method;                  ///< the name of the method
  std::string status;                  ///< why training stopped, as to_string(Status) has it
  std::uint64_t checkpoint = 0;        ///< in a checkpoint: the iterations that the training has made so far
  std::uint64_t checkpoint_every = 0;  ///< in a checkpoint: the iterations between two of them
  double value = 0;                    ///< f at the model
  double lower_bound = 0;              ///< f* is at least this
  bool has_section = false;            ///< whether its file has our section, which states loss, l2 and numbering

  /// The number of columns.
  std::size_t outputs() const { return classes.empty() ? 1 : classes.size(); }
  /// The number of features.
  std::size_t features() const { return weights.size() / outputs(); }
  /// Whether it chooses among labels.
  bool is_classifier() const { return labels || !classes.empty(); }
  /// The number of this column in `bias_weights`.
  double bias_weight(std::size_t column = 0) const { return bias_weights.empty() ? 0 : bias_weights[column]; }
  /// The intercept of this column.
  double intercept(std::size_t column = 0) const {
    return risk.bias == Bias::none ? 0 : risk.constant * bias_weight(column);
  }
};

/// A model file of LIBLINEAR with a section of our own behind it (docs/reference/model-format.md).
/// Throws InputError when the file cannot be written; then the old file, if any, is untouched.
void write_model(const LinearModel& model, const std::string& path);
/// Reads our models and those of liblinear-train for classes or a regression; these know neither l2
/// nor a value. Throws InputError ("file:line: reason; remedy").
[[nodiscard]] LinearModel read_model(const std::string& path);
/// The same from memory; errors call it `name`.
[[nodiscard]] LinearModel parse_model(std::string_view text, const std::string& name);

}  // namespace geodescent
