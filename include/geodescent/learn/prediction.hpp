// Predictions of a model for a row or a matrix, and scores over many rows, in constant memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "geodescent/learn/auc.hpp"
#include "geodescent/learn/model.hpp"

namespace geodescent {

/// Entries of features that a model does not have. They are left out of its predictions.
struct Ignored {
  std::size_t entries = 0;    ///< number of entries
  std::uint32_t largest = 0;  ///< the largest 0-based index of those
};

/// The decision values of a row: weights.a + intercept for each column of the model, in their
/// order; for a regression the predicted target. The row has 0-based increasing indices and as many
/// values. Products are added in the order of the entries, the intercept last.
Ignored decide(const LinearModel& model, std::span<const std::uint32_t> indices, std::span<const double> values,
               std::span<double> decisions);

/// The decision values of all rows, row by row, with the bits of decide(). Entries of features that
/// the model does not have are ignored. One forward pass, on several threads.
[[nodiscard]] Vector predict(const LinearModel& model, const RowMatrix& matrix);
/// The label of every row. Throws std::invalid_argument for a regression.
[[nodiscard]] Vector predict_labels(const LinearModel& model, const RowMatrix& matrix);
/// For every row the probability of the positive label or, of a model with several columns, that of
/// each label in their increasing order. Throws std::invalid_argument unless
/// has_probabilities(model).
[[nodiscard]] Vector predict_probabilities(const LinearModel& model, const RowMatrix& matrix);

/// The predicted label, or the predicted target of a regression. Of equal decision values the first
/// one in the order of the model's file decides; a single one of exactly 0 is for the second label
/// there. LIBLINEAR has the same rules.
[[nodiscard]] double predicted_target(const LinearModel& model, std::span<const double> decisions);

/// The labels in the order of the model's file. Empty for a regression.
[[nodiscard]] Vector labels_in_file_order(const LinearModel& model);
/// The places in that order of the labels with the largest decision values, best first; at most
/// `count`.
[[nodiscard]] std::vector<std::size_t> best_labels(const LinearModel& model, std::span<const double> decisions,
                                                   std::size_t count);

/// Whether decision values mean probabilities (LossInfo::has_probabilities).
[[nodiscard]] bool has_probabilities(const LinearModel& model);
/// Of the labels in the order of the model's file. For the loss softmax exp(d_k) divided by the sum
/// of all; for other losses 1 / (1 + exp(-d)), divided by its sum over the classes where there are
/// more than two, to the bit as LIBLINEAR does it.
[[nodiscard]] Vector probabilities(const LinearModel& model, std::span<const double> decisions);

/// The loss of a row that the model was trained for, of its decision values and its target. One
/// class against the rest: the sum over the classes. Empty when it is not one of the library's.
using LossFunction = std::function<double(std::span<const double> decisions, double target)>;
/// The loss of the model. Its target must be a label of the model, or that of a regression.
[[nodiscard]] LossFunction loss_of(const LinearModel& model);

/// The rows of a label. Rows with labels that the model does not know are left out.
struct ClassScore {
  double label = 0;           ///< the label
  std::size_t rows = 0;       ///< rows with this label
  std::size_t predicted = 0;  ///< rows for which it is predicted
  std::size_t correct = 0;    ///< rows with this label for which it is predicted

  std::optional<double> precision() const;  ///< correct / predicted; empty where it is never predicted
  std::optional<double> recall() const;     ///< correct / rows; empty where no row has the label
};

/// Rows of one label for which another one is predicted.
struct Confused {
  std::size_t label = 0;      ///< the number of their label in Score::classes
  std::size_t predicted = 0;  ///< the number of the predicted label there
  std::size_t rows = 0;       ///< number of rows, over 0

  /// Whether all numbers are equal.
  bool operator==(const Confused&) const = default;
};

/// How well a model does. What does not apply to it, or is not defined for these rows, is empty.
struct Score {
  std::size_t rows = 0;               ///< number of rows
  std::size_t rows_with_ignored = 0;  ///< rows with entries that the model has no feature for
  std::size_t ignored_entries = 0;    ///< entries that the model has no feature for
  std::uint32_t largest_ignored = 0;  ///< largest 0-based index of those

  // Classes. Rows with a label that the model does not know count as wrong; only `correct` and the
  // accuracies see them.
  std::size_t correct = 0;             ///< rows whose predicted label is theirs
  std::size_t unknown_labels = 0;      ///< rows with a label that the model does not know
  std::vector<ClassScore> classes;     ///< in the increasing order of the labels
  std::vector<Confused> confused;      ///< pairs of labels that occur, sorted: the confusion matrix off its diagonal
  std::optional<double> accuracy;      ///< correct / rows
  std::optional<double> top_accuracy;  ///< rows whose label is among the ScorerOptions::top best ones / rows
  std::optional<Interval> auc;         ///< the area under the ROC curve; of two classes
  /// The mean of -log of the probability of the true label. Computed from decision values, so it is
  /// finite where they are, and nothing is clipped.
  std::optional<double> log_loss;

  // Regression.
  std::optional<double> mean_squared_error;   ///< of a regression
  std::optional<double> mean_absolute_error;  ///< of a regression
  std::optional<double> r_squared;            ///< 1 - squared error / squared distance of the targets from their mean

  /// The mean of the loss that the model was trained for.
  std::optional<double> mean_loss;
};

/// A sum as precise as with twice the digits.
class CompensatedSum {
 public:
  void add(double term);  ///< adds a term
  double value() const;   ///< the sum so far

 private:
  double sum_ = 0;
  double lost_ = 0;  ///< what the additions have rounded away
};

/// The scores of a Scorer.
struct ScorerOptions {
  std::size_t top = 1;                                         ///< best labels that count for Score::top_accuracy
  std::size_t most_kept_for_auc = RocArea::default_most_kept;  ///< decision values; of more rows they are binned
};

/// Collects scores, row by row. Memory does not depend on the number of rows.
class Scorer {
 public:
  /// Copies what it needs of the model.
  explicit Scorer(const LinearModel& model, const ScorerOptions& options = {});

  /// Adds a row.
  void add(double target, std::span<const double> decisions, const Ignored& ignored = {});
  Score score() const;  ///< the score of the rows so far

 private:
  void add_class(double target, std::span<const double> decisions);
  void add_value(double target, double decision);

  LinearModel model_;  ///< without weights
  LossFunction loss_;
  LossFunction log_loss_;  ///< empty where it is loss_, or there are no probabilities
  Vector labels_in_file_;
  Vector labels_;  ///< in increasing order
  std::size_t top_;
  std::size_t in_top_ = 0;
  std::unordered_map<std::size_t, std::size_t> confused_;  ///< rows by label and predicted label
  Score counts_;
  RocArea auc_;
  CompensatedSum loss_sum_;
  CompensatedSum log_loss_sum_;
  CompensatedSum squared_errors_;
  CompensatedSum absolute_errors_;
  double target_mean_ = 0;
  double target_spread_ = 0;  ///< squared distances of the targets from their mean
};

}  // namespace geodescent
