// Training: from data and an objective to a model with its proof.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "geodescent/certificate.hpp"
#include "geodescent/data/dataset.hpp"
#include "geodescent/learn/model.hpp"
#include "geodescent/optimize/minimize.hpp"

namespace geodescent {

struct TrainResult;

/// What a long training leaves behind for another that continues it. After every so many iterations
/// the training proves its model, hands it over, and begins anew from its coefficients: they are
/// all that is kept. So a training that continues from the model has the bits of one that was never
/// interrupted, with any number of threads. A training with checkpoints has other bits than one
/// without. For problems of one objective: not one class against the rest.
struct Checkpoints {
  std::uint64_t every = 0;  ///< iterations between two checkpoints; 0: there are none
  /// Called with each: a whole result, with LinearModel::checkpoint set. `write_model` keeps it.
  std::function<void(const TrainResult&)> take = {};
  /// A checkpoint to continue from, of the same data, objective, method and interval; null: from
  /// the beginning. Throws std::invalid_argument for a model that is no checkpoint or has another
  /// objective.
  const LinearModel* resume = nullptr;
};

/// How a model is trained.
struct TrainOptions {
  MethodChoice method = {};  ///< the method and its settings
  /// When to stop. gap_tolerance is the relative gap that the certificate proves: the gap divided
  /// by all that training can gain over the best model without features, whatever the start.
  Options minimize = {};
  /// The model to start from; null: zero. It may have another loss. Features and classes that it
  /// lacks start at zero. With several classes it has one column for each.
  const LinearModel* initial = nullptr;
  Checkpoints checkpoints = {};  ///< none unless asked for
  std::string fingerprint = {};  ///< of the data with their constant column, if known; saves its computation
};

/// A model with its run and its proof.
struct TrainResult {
  /// The result of the run. Its status is converged if and only if the certificate proves one of
  /// the two gap tolerances or the gradient tolerance is met. One class against the rest: the sums
  /// over the classes, with the status of the class that ended worst; `x` and `dual` are empty.
  Result run;
  /// One class against the rest: the run of each class, in the order of the labels, without `x` and
  /// `dual`.
  std::vector<Result> of_classes;
  LinearModel model;  ///< the trained model
  /// Empty if the function was not finite.
  std::optional<Certificate> certificate;
  std::size_t used_columns = 0;  ///< columns that the method worked on: all, or those with entries if many have none
  double proof_seconds = 0;      ///< seconds for the certificate; run.seconds are those of the method

  double gap() const;  ///< at least run.value - run.lower_bound: that difference is rounded up
};

/// Whether a training reached its goal: a tolerance or, with a gap tolerance of 0, the limit of
/// double precision.
[[nodiscard]] bool reached_goal(Status status, const Options& options);

/// The options that `train` gives to `minimize`. With them `planned_memory` returns the memory of a
/// training.
[[nodiscard]] Options run_options(const TrainOptions& options);

/// The loss softmax takes two or more classes and has one problem for all of them. Other losses of
/// a classification have one problem for two classes and, for more, a problem for each class
/// against the rest, in which all others have the same label: options and limits hold for each
/// problem, but max_seconds for all of them together. Several of them then call the observer, never
/// two at once and perhaps from threads of the library.
///
/// Throws InputError for data that do not fit the loss, std::invalid_argument for options or data
/// out of range. With Bias::regularized the data get a constant column, unless they have one
/// (with_constant).
///
/// Data on ranks (on_ranks): all ranks get the result of one process, if both use the same search:
/// there are no dual epochs on ranks. Dual values, also in the certificate, are those of the rows
/// here; see gathered(). Classes are trained one after the other.
[[nodiscard]] TrainResult train(const Dataset& data, const Risk& risk, const TrainOptions& options = {},
                                const Observer& observer = {});

}  // namespace geodescent
