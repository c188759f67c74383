#include "learn/train/checkpoints.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/text/counted.hpp"
#include "learn/train/sum_of_counts.hpp"

namespace geodescent {
namespace {

/// What the segments before have cost.
struct Before {
  std::uint64_t iterations = 0;
  Counts counts;
  double seconds = 0, proof_seconds = 0;

  void add(const TrainResult& segment) {
    iterations += segment.run.iterations;
    counts += segment.run.counts;
    seconds += segment.run.seconds;
    proof_seconds += segment.proof_seconds;
  }
  void add_to(TrainResult& segment) {
    add(segment);
    segment.run.iterations = iterations;
    segment.run.counts = counts;
    segment.run.seconds = seconds;
    segment.proof_seconds = proof_seconds;
  }
  /// Of all segments, from that of the current one.
  Progress all(Progress now) const {
    now.iteration += iterations;
    now.counts += counts;
    now.seconds += seconds + proof_seconds;
    return now;
  }
};

void require(bool holds, const std::string& what) {
  if (!holds)
    throw std::invalid_argument("the checkpoint to continue from " + what +
                                "; give the options of the first run, or begin anew without it");
}

void require_fit(const LinearModel& model, const Risk& risk, const Checkpoints& checkpoints) {
  const Risk& of = model.risk;
  require(model.checkpoint > 0, "is a model, but no checkpoint (`initial` starts from it)");
  require(of.loss == risk.loss && of.loss_parameter == risk.loss_parameter,
          fmt::format("is for the loss {} ({}), the training for {} ({})", of.loss, of.loss_parameter, risk.loss,
                      risk.loss_parameter));
  require(of.l2 == risk.l2, fmt::format("has l2 = {}, the training {}", of.l2, risk.l2));
  require(of.bias == risk.bias && (risk.bias == Bias::none || of.constant == risk.constant),
          fmt::format("has the intercept {} ({}), the training {} ({})", to_string(of.bias), of.constant,
                      to_string(risk.bias), risk.constant));
  require(model.checkpoint_every == checkpoints.every,
          fmt::format("is one of every {}, the training has one every {}", counted(model.checkpoint_every, "iteration"),
                      counted(checkpoints.every, "iteration")));
}

/// Names the limits of the training in the place of those of its last segment.
void state_limits(Result& run, const Options& limits) {
  if (run.status != Status::iteration_limit && run.status != Status::time_limit) return;
  const std::string limit = run.status == Status::iteration_limit ? counted(limits.max_iterations, "iteration")
                                                                  : fmt::format("{} seconds", limits.max_seconds);
  run.message = fmt::format("reached the limit of {}{}", limit, run.message.substr(run.message.find(';')));
}

/// The method is deterministic: from the same coefficients every later segment would have the same
/// result.
bool stands_still(const TrainResult& segment, const LinearModel* start) {
  return start != nullptr && segment.run.status == Status::iteration_limit && segment.model.weights == start->weights &&
         segment.model.bias_weights == start->bias_weights;
}

void state_standstill(Result& run, std::uint64_t every) {
  run.status = Status::precision_limit;
  run.message = fmt::format("no lower value within {} of a checkpoint (a longer interval may find one){}",
                            counted(every, "iteration"), run.message.substr(run.message.find(';')));
}

}  // namespace

void require_no_checkpoints(const TrainOptions& options) {
  if (options.checkpoints.every > 0 || options.checkpoints.resume != nullptr)
    throw std::invalid_argument("checkpoints are for a single training, not for a path or a cross-validation");
}

TrainResult train_in_segments(const Risk& risk, const TrainOptions& options, const Observer& observer,
                              const std::function<TrainResult(const TrainOptions&, const Observer&)>& segment) {
  const Checkpoints& checkpoints = options.checkpoints;
  const Options& limits = options.minimize;
  TrainOptions how = options;
  Before before;
  LinearModel from;
  if (checkpoints.resume != nullptr) {
    require_fit(*checkpoints.resume, risk, checkpoints);
    before.iterations = checkpoints.resume->checkpoint;
    how.initial = checkpoints.resume;
  }
  for (;;) {
    const std::uint64_t left = limits.max_iterations - std::min(limits.max_iterations, before.iterations);
    how.minimize.max_iterations = std::min(checkpoints.every, left);
    how.minimize.max_seconds = std::max(0.0, limits.max_seconds - before.seconds - before.proof_seconds);
    const bool first = before.iterations == 0;
    TrainResult trained = segment(how, [&](const Progress& p) {
      // The start of a later segment is the end of the one before.
      return !observer || (p.iteration == 0 && !first) || observer(before.all(p));
    });
    before.add_to(trained);
    if (checkpoints.every < left && stands_still(trained, how.initial)) {
      state_standstill(trained.run, checkpoints.every);
      return trained;
    }
    const bool is_last = trained.run.status != Status::iteration_limit || checkpoints.every >= left;
    if (is_last) {
      state_limits(trained.run, limits);
      return trained;
    }
    if (trained.certificate) how.fingerprint = trained.certificate->fingerprint;
    trained.model.checkpoint = before.iterations;
    trained.model.checkpoint_every = checkpoints.every;
    if (checkpoints.take) checkpoints.take(trained);
    from = std::move(trained.model);
    how.initial = &from;
  }
}

}  // namespace geodescent
