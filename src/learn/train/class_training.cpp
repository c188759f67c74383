#include "learn/train/class_training.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "base/text/outward_text.hpp"
#include "data/assemble/class_numbers.hpp"
#include "geodescent/error.hpp"
#include "learn/model_file/columns.hpp"
#include "learn/train/problem_training.hpp"
#include "learn/train/sum_of_counts.hpp"

namespace geodescent {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

/// The worse of two outcomes. It is the outcome of a training of several classes.
int severity(Status status) {
  switch (status) {
    case Status::converged:
      return 0;
    case Status::precision_limit:
      return 1;
    case Status::iteration_limit:
      return 2;
    case Status::time_limit:
      return 3;
    case Status::stopped_by_observer:
      return 4;
    case Status::not_strongly_convex:
      return 5;
    case Status::not_finite:
      return 6;
  }
  return 6;
}

/// Whether this many classes are trained faster with one thread each than one after the other with
/// all threads. A single run uses half of many threads at best.
bool are_side_by_side(std::size_t classes) {
  return threads() > 1 && 2 * classes >= static_cast<std::size_t>(threads());
}

/// The number of classes that are trained at once, limited by the planned memory of each. It does
/// not affect the bits.
std::size_t classes_at_once(std::size_t classes, const MethodChoice& method, const std::optional<Memory>& plan) {
  const std::size_t most = std::min(classes, static_cast<std::size_t>(threads()));
  const auto* const settings = method.get_if<GeodMemory>();
  const double bytes = plan ? std::max(plan->bytes, plan->bytes_after_guard) : 0;
  if (!settings || bytes * static_cast<double>(most) <= settings->memory_limit) return most;
  return std::max<std::size_t>(1, static_cast<std::size_t>(settings->memory_limit / bytes));
}

/// The training of all classes. Threads take one class after the other, or all ranks together do.
class ClassTraining {
 public:
  ClassTraining(const UsedData& data, const Risk& risk, const TrainOptions& options, const Observer& observer)
      : data_(data),
        risk_(risk),
        options_(options),
        observer_(observer),
        classes_(class_rows(data.all())),
        runs_(classes_.size()),
        certificates_(classes_.size()),
        proof_seconds_(classes_.size()) {
    if (options_.fingerprint.empty()) options_.fingerprint = fingerprint(data.all());
    if (options.initial != nullptr) require_start(*options.initial);
    model_.risk = risk;
    model_.zero_based = data.all().zero_based;
    model_.method = options.method.name();
    model_.classes = classes_;
    const std::size_t constant = risk.bias == Bias::regularized ? 1 : 0;
    model_.weights.resize((data.all().rows->columns() - constant) * classes_.size());
    if (risk.bias != Bias::none) model_.bias_weights.resize(classes_.size());
  }

  TrainResult train() {
    const std::size_t at_once = this->at_once(), rest = classes_.size() % at_once;
    const bool rest_alone = at_once == 1 || !are_side_by_side(rest);
    const std::size_t together = at_once == 1 ? 0 : classes_.size() - (rest_alone ? rest : 0);
    std::atomic<std::size_t> next{0};
    parallel::for_each(parallel::Blocks{at_once, 1, together > 0 ? at_once : 0}, [&](std::size_t, std::size_t) {
      for (std::size_t k = next++; k < together; k = next++) train_class(k);
    });
    // The remaining classes would leave most threads idle, so each of them gets all threads.
    for (std::size_t k = together; k < classes_.size(); ++k) train_class(k);
    return result();
  }

 private:
  void require_start(const LinearModel& initial) const {
    if (!initial.classes.empty()) return;
    throw InputError(fmt::format(
        "the model to start from has one column of coefficients, but this training needs {}; start from a model of "
        "the same kind",
        classes_.size()));
  }

  std::size_t at_once() const {
    if (data_.all().ranks || !are_side_by_side(classes_.size())) return 1;  // no plan is needed
    const Dataset first = against_rest(data_.data(), classes_.front().label);
    const std::unique_ptr<Objective> f = objective_of(first, risk_, {});
    return classes_at_once(classes_.size(), options_.method,
                           planned_memory(*f, options_.method, run_options(options_)));
  }

  void train_class(std::size_t k) {
    const Dataset data = against_rest(data_.all(), classes_[k].label);
    TrainOptions options = options_;
    options.minimize.max_seconds = std::max(0.0, options_.minimize.max_seconds - seconds_since(began_));
    LinearModel start;
    if (options_.initial != nullptr) options.initial = column_to_start(classes_[k].label, start);
    TrainResult trained = train_problem(UsedData(data_, data), risk_, {}, options,
                                        [&](const Progress& progress) { return observed(progress, k); });
    Result& run = runs_[k] = std::move(trained.run);
    run.x = {};
    run.dual = {};
    ++done_;
    if (!trained.certificate) return;
    certificates_[k] = std::move(trained.certificate);
    proof_seconds_[k] = trained.proof_seconds;
    keep(trained.model, k);
  }

  /// Null for a class that the model to start from does not know.
  const LinearModel* column_to_start(double label, LinearModel& column) const {
    const auto found = std::ranges::find(options_.initial->classes, label, &ClassRows::label);
    if (found == options_.initial->classes.end()) return nullptr;
    column = column_of(*options_.initial, static_cast<std::size_t>(found - options_.initial->classes.begin()));
    return &column;
  }

  bool observed(Progress progress, std::size_t k) {
    if (!observer_) return true;
    const std::scoped_lock lock(observing_);
    if (stopped_) return false;
    progress.problem = k;
    progress.problems = classes_.size();
    progress.problems_done = done_;
    stopped_ = true;  // where the observer throws, too
    stopped_ = !observer_(progress);
    return !stopped_;
  }

  void keep(const LinearModel& column, std::size_t k) {
    for (std::size_t j = 0; j < column.weights.size(); ++j) model_.weights[j * classes_.size() + k] = column.weights[j];
    if (!column.bias_weights.empty()) model_.bias_weights[k] = column.bias_weight();
  }

  TrainResult result() {
    TrainResult trained;
    trained.used_columns = data_.data().rows->columns();
    trained.run = sum_of_runs();
    if (trained.run.status != Status::not_finite) {
      std::vector<Certificate> certificates;
      for (std::optional<Certificate>& one : certificates_) certificates.push_back(std::move(*one));
      trained.certificate = joined(std::move(certificates));
      trained.model = std::move(model_);
      if (risk_.bias == Bias::free) trained.run.intercepts = trained.model.bias_weights;
      trained.run.value = trained.certificate->value;
      trained.run.lower_bound = trained.certificate->lower_bound;
      trained.run.message =
          fmt::format("{}{}proven gap {} in all, at most {} of the possible improvement of a class (tolerance {:g})",
                      trained.run.message, trained.run.message.empty() ? "" : "; ", text_above(trained.gap(), 3),
                      text_above(trained.certificate->relative_gap, 3), options_.minimize.gap_tolerance);
      state_claims(trained);
    }
    // Threads that work side by side share the seconds as they share the work.
    const double proofs = std::accumulate(proof_seconds_.begin(), proof_seconds_.end(), 0.0);
    const double all = seconds_since(began_), part = proofs / std::max(proofs + trained.run.seconds, 1e-9);
    trained.proof_seconds = part * all;
    trained.run.seconds = all - trained.proof_seconds;
    trained.of_classes = std::move(runs_);
    return trained;
  }

  /// Status and message are those of the class that ended worst; the message ends with what is
  /// proven.
  Result sum_of_runs() const {
    Result sum;
    sum.status = Status::converged;
    sum.lower_bound = 0;
    for (std::size_t k = 0; k < runs_.size(); ++k) {
      const Result& run = runs_[k];
      sum.value += run.value;
      sum.lower_bound += run.lower_bound;
      sum.reference_value += run.reference_value;
      sum.gradient_norm = std::hypot(sum.gradient_norm, run.gradient_norm);
      sum.iterations += run.iterations;
      sum.counts += run.counts;
      sum.seconds += run.seconds;
      if (!sum.memory) sum.memory = run.memory;
      if (severity(run.status) <= severity(sum.status)) continue;
      sum.status = run.status;
      sum.message = message_of(k);
    }
    return sum;
  }

  /// Without what is proven. Some limits are those of all classes together.
  std::string message_of(std::size_t k) const {
    const Result& run = runs_[k];
    if (run.status == Status::time_limit)
      return fmt::format("reached the limit of {} seconds", options_.minimize.max_seconds);
    std::string message = run.message.substr(0, run.message.find(';'));
    if (run.status == Status::stopped_by_observer) return message;
    return fmt::format("label {}: {}", classes_[k].label, message);
  }

  const UsedData& data_;
  const Risk& risk_;
  TrainOptions options_;
  const Observer& observer_;
  const Clock::time_point began_ = Clock::now();
  const std::vector<ClassRows> classes_;
  std::vector<Result> runs_;
  std::vector<std::optional<Certificate>> certificates_;
  std::vector<double> proof_seconds_;
  LinearModel model_;
  std::mutex observing_;
  std::atomic<std::size_t> done_{0};
  bool stopped_ = false;
};

}  // namespace

TrainResult train_classes(const UsedData& data, const Risk& risk, const TrainOptions& options,
                          const Observer& observer) {
  return ClassTraining(data, risk, options, observer).train();
}

}  // namespace geodescent
