// What a model says about a row or a matrix, and how right it is about many rows, in constant memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "geodescent/learn/auc.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent {

/// The prediction for a row, weights.a + intercept, and what was left out of it.
struct Decision {
  double value = 0;                   ///< weights.a + intercept
  std::size_t ignored = 0;            ///< entries of features that the model does not have
  std::uint32_t largest_ignored = 0;  ///< the largest 0-based index of those
};

/// The row has 0-based increasing indices and as many values. Summed up in their order, the intercept last.
[[nodiscard]] Decision decide(const LinearModel& model, std::span<const std::uint32_t> indices,
                              std::span<const double> values);

/// The decision value of every row, with the bits of decide(); for a regression it is the predicted target. Entries of
/// features that the model does not have are ignored, as decide() does. One forward pass, on several threads.
[[nodiscard]] Vector predict(const LinearModel& model, const RowMatrix& matrix);
/// The label of every row. Throws std::invalid_argument for a regression.
[[nodiscard]] Vector predict_labels(const LinearModel& model, const RowMatrix& matrix);
/// The probability of the positive label for every row. Throws std::invalid_argument unless has_probabilities(model).
[[nodiscard]] Vector predict_probabilities(const LinearModel& model, const RowMatrix& matrix);

/// The class of a decision value. Exactly 0 is the second label of the model's file, as it is in LIBLINEAR.
[[nodiscard]] bool is_positive(const LinearModel& model, double decision);
/// The label of that class; the decision value itself for a regression.
[[nodiscard]] double predicted_target(const LinearModel& model, double decision);

/// The loss that the model was trained for: of margin and 1 for two classes, of prediction and target for a regression.
/// Empty when it is not one of the library's.
using LossFunction = std::function<double(double, double)>;
/// The loss of the model.
[[nodiscard]] LossFunction loss_of(const LinearModel& model);

/// The two labels in the order of the model's file. The model must have labels.
[[nodiscard]] std::array<double, 2> labels_in_file_order(const LinearModel& model);

/// Whether decision values mean probabilities (LossInfo::has_probabilities).
[[nodiscard]] bool has_probabilities(const LinearModel& model);
/// Of the two labels in the order of the model's file: 1 / (1 + exp(-d)) and the rest, to the bit as LIBLINEAR does it.
[[nodiscard]] std::array<double, 2> probabilities(const LinearModel& model, double decision);

/// Rows of two classes by what they are and what they are taken for.
struct Confusion {
  std::size_t true_positives = 0;   ///< positive rows taken for positive
  std::size_t false_negatives = 0;  ///< positive rows taken for negative
  std::size_t false_positives = 0;  ///< negative rows taken for positive
  std::size_t true_negatives = 0;   ///< negative rows taken for negative
};

/// How well a model does. What does not apply to it, or is not defined for these rows, is empty.
struct Score {
  std::size_t rows = 0;               ///< number of rows
  std::size_t rows_with_ignored = 0;  ///< rows with entries that the model has no feature for
  std::size_t ignored_entries = 0;    ///< entries that the model has no feature for
  std::uint32_t largest_ignored = 0;  ///< largest 0-based index of those

  // Two classes. Rows with a label that the model does not know count as wrong; only `correct` and `accuracy` see them.
  std::size_t correct = 0;         ///< rows whose predicted label is theirs
  std::size_t unknown_labels = 0;  ///< rows with a label that the model does not know
  Confusion confusion;             ///< rows by label and predicted label
  std::optional<double> accuracy;  ///< correct / rows
  std::optional<Interval> auc;     ///< the area under the ROC curve
  /// Of the probabilities, in natural units. Computed from decision values and therefore finite where these are: no
  /// probability is rounded to 0 or has to be kept away from it.
  std::optional<double> log_loss;

  // Regression.
  std::optional<double> mean_squared_error;   ///< of a regression
  std::optional<double> mean_absolute_error;  ///< of a regression
  std::optional<double> r_squared;            ///< 1 - squared error / squared distance of the targets from their mean

  /// The mean of the loss that the model was trained for.
  std::optional<double> mean_loss;
};

/// A sum that is as precise as if it were made with twice the digits.
class CompensatedSum {
 public:
  void add(double term);  ///< adds a term
  double value() const;   ///< the sum so far

 private:
  double sum_ = 0;
  double lost_ = 0;  ///< what the additions have rounded away
};

/// Collects scores, row by row. Memory does not depend on the number of rows.
class Scorer {
 public:
  /// Remembers what it needs of the model.
  explicit Scorer(const LinearModel& model, std::size_t most_kept_for_auc = RocArea::default_most_kept);

  void add(double target, const Decision& decision);  ///< adds a row
  Score score() const;                                ///< the score of the rows so far

 private:
  void add_class(double target, double decision);
  void add_value(double target, double decision);

  LinearModel model_;  ///< without weights
  LossFunction loss_;
  Score counts_;
  RocArea auc_;
  CompensatedSum loss_sum_;
  CompensatedSum squared_errors_;
  CompensatedSum absolute_errors_;
  double target_mean_ = 0;
  double target_spread_ = 0;  ///< squared distances of the targets from their mean
};

}  // namespace geodescent
