// Training: from data and what is to be minimised to a model with its proof.
#pragma once

#include <optional>
#include <string>

#include "geodescent/certificate.hpp"
#include "geodescent/data/dataset.hpp"
#include "geodescent/learn/model.hpp"
#include "geodescent/optimize/minimize.hpp"

namespace geodescent {

/// How a model is trained.
struct TrainOptions {
  MethodChoice method = {};  ///< the method and its settings
  /// gap_tolerance is the *certified* relative gap: of what the best model without features leaves to be gained, all
  /// but this part is proven to be gained, whatever the start.
  Options minimize = {};
  /// Where to start: a model for the same features, perhaps fewer, with any loss. Absent: at zero.
  const LinearModel* initial = nullptr;
  std::string fingerprint = {};  ///< of the data with their constant column, where it is known
};

/// A model with its run and its proof.
struct TrainResult {
  /// How the run went. Its status is converged if and only if the certificate proves one of the two gap tolerances, or
  /// the run ended by the tolerance of its gradient.
  Result run;
  LinearModel model;  ///< the trained model
  /// Absent when the function was not finite: then there is nothing to prove.
  std::optional<Certificate> certificate;
  double proof_seconds = 0;  ///< for the certificate; run.seconds are those of the method

  double gap() const;  ///< at least run.value - run.lower_bound: that difference is rounded up
};

/// Whether a training ended with what it was asked for: a tolerance that is met or, with a gap tolerance of 0, all that
/// the precision of the numbers allows.
[[nodiscard]] bool reached_goal(Status status, const Options& options);

/// What `train` gives to `minimize`. With it `planned_memory` says what a training will take.
[[nodiscard]] Options run_options(const TrainOptions& options);

/// Throws InputError for data that do not fit the loss, std::invalid_argument for options or data that make no sense.
/// With Bias::regularized the data get a constant column, unless they have one (with_constant).
[[nodiscard]] TrainResult train(const Dataset& data, const Risk& risk, const TrainOptions& options = {},
                                const Observer& observer = {});

}  // namespace geodescent
