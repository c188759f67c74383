// Cross-validation: the loss of models of several strengths of the regularisation on held-out rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "geodescent/learn/loss.hpp"
#include "geodescent/learn/train.hpp"

namespace geodescent {

/// The fold of every row, 0 to folds - 1, at random, but the same for a seed on every machine. The
/// sizes of two folds differ by at most one row; for a classification so do the numbers of rows of
/// each class. Throws std::invalid_argument for less than two folds, InputError for more folds than
/// rows.
[[nodiscard]] std::vector<std::size_t> fold_of_rows(const Dataset& data, Task task, std::size_t folds,
                                                    std::uint64_t seed);

/// These rows, in this order, with their weights; all columns stay.
[[nodiscard]] Dataset rows_of(const Dataset& data, std::span<const std::size_t> rows);

/// The scores of the models of one l2 on held-out rows. Rows count by their weights.
struct HeldOut {
  double l2 = 0;                                  ///< the strength of the regularisation
  double loss = 0;                                ///< mean over all rows, infinite when a training overflowed
  double standard_error = 0;                      ///< of that mean, from the differences of the folds
  std::optional<double> accuracy = {};            ///< of a classification
  std::optional<double> mean_squared_error = {};  ///< of a regression
  double relative_gap = 0;                        ///< the largest proven relative gap of the models of the folds
  bool reached_goal = true;                       ///< whether all trainings of the folds did (train.hpp)
};

/// The result of a cross-validation.
struct CrossValidation {
  std::size_t folds = 0;             ///< number of folds
  std::uint64_t seed = 0;            ///< the seed of the folds
  std::vector<HeldOut> values = {};  ///< in the order of the l2 given
  std::size_t chosen = 0;            ///< index of the value with the smallest loss; of equal ones the largest l2
  /// Index of the largest l2 whose loss is at most one standard error above the smallest.
  std::size_t one_standard_error = 0;
};

/// The progress of a cross-validation; indices start at 0.
struct FoldProgress {
  std::size_t fold = 0;   ///< the fold that is held out
  std::size_t value = 0;  ///< the index of the l2 that is trained for
  const Progress& run;    ///< the current run
};
/// Called in every iteration. To end the work early it throws; there is no result without all
/// folds.
using FoldObserver = std::function<void(const FoldProgress&)>;

/// Each fold is held out once and predicted by a path of models (train_path) for the other folds.
/// The values should decrease; `risk.l2` and `options.initial` are ignored. Every number of threads
/// gives the same bits. Throws what fold_of_rows and train throw, and InputError when holding out a
/// fold leaves no row of a class.
[[nodiscard]] CrossValidation cross_validate(const Dataset& data, const Risk& risk, std::span<const double> l2,
                                             std::size_t folds, std::uint64_t seed, const TrainOptions& options = {},
                                             const FoldObserver& observer = {});
/// The same with folds of the caller: the fold of every row, all of 0, 1, ... up to the last one.
/// The result states the seed 0. Throws std::invalid_argument for another number of rows, a fold
/// without rows, and fewer than two folds.
[[nodiscard]] CrossValidation cross_validate(const Dataset& data, const Risk& risk, std::span<const double> l2,
                                             std::span<const std::size_t> fold_of, const TrainOptions& options = {},
                                             const FoldObserver& observer = {});

}  // namespace geodescent
