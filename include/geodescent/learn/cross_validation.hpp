// Cross-validation: how well models of several strengths of the regularisation do on rows that they have not seen.
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

/// The fold of every row, 0 to folds - 1, at random, but the same for a seed on every machine. The sizes of two folds
/// differ by at most one row; for a classification so do the numbers of rows of each class. Throws
/// std::invalid_argument for less than two folds, InputError for more folds than rows.
[[nodiscard]] std::vector<std::size_t> fold_of_rows(const Dataset& data, Task task, std::size_t folds,
                                                    std::uint64_t seed);

/// These rows, in this order, with their weights; all columns stay.
[[nodiscard]] Dataset rows_of(const Dataset& data, std::span<const std::size_t> rows);

/// How the models of one l2 do on the rows they were not trained on. Rows count by their weights.
struct HeldOut {
  double l2 = 0;                                  ///< the strength of the regularisation
  double loss = 0;                                ///< mean over all rows, infinite when a training overflowed
  double standard_error = 0;                      ///< of that mean, from how the folds differ
  std::optional<double> accuracy = {};            ///< of a classification
  std::optional<double> mean_squared_error = {};  ///< of a regression
  double relative_gap = 0;                        ///< the largest that is certified for the models of the folds
  bool reached_goal = true;                       ///< by all trainings of the folds (train.hpp)
};

/// The result of a cross-validation.
struct CrossValidation {
  std::size_t folds = 0;             ///< number of folds
  std::uint64_t seed = 0;            ///< what the folds were drawn with
  std::vector<HeldOut> values = {};  ///< in the order of the l2 given
  std::size_t chosen = 0;            ///< which of them has the smallest loss; of equal ones that of the largest l2
  /// Which has the largest l2 of all whose loss is at most one standard error above the smallest.
  std::size_t one_standard_error = 0;
};

/// Where it is; all numbers count from 0.
struct FoldProgress {
  std::size_t fold = 0;   ///< the fold that is held out
  std::size_t value = 0;  ///< the index of the l2 that is trained for
  const Progress& run;    ///< the run under way
};
/// Called in every iteration. To end the work early it throws; there is no result without all folds.
using FoldObserver = std::function<void(const FoldProgress&)>;

/// Each fold is held out once and predicted by a path of models (train_path) for the other folds. The values should go
/// from strong to weak; `risk.l2` and `options.initial` are not heeded. Every number of threads gives the same bits.
/// Throws what fold_of_rows and train throw, and InputError when holding out a fold leaves rows of one class only.
[[nodiscard]] CrossValidation cross_validate(const Dataset& data, const Risk& risk, std::span<const double> l2,
                                             std::size_t folds, std::uint64_t seed, const TrainOptions& options = {},
                                             const FoldObserver& observer = {});

}  // namespace geodescent
