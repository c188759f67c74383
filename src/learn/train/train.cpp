#include "geodescent/learn/train.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "base/crc32c.hpp"
#include "base/text/counted.hpp"
#include "data/assemble/checked.hpp"
#include "data/assemble/class_numbers.hpp"
#include "data/ranks/rank_messages.hpp"
#include "data/ranks/shared_rows.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "learn/constant_column.hpp"
#include "learn/softmax/softmax_problem.hpp"
#include "learn/train/checkpoints.hpp"
#include "learn/train/class_training.hpp"
#include "learn/train/problem_training.hpp"

namespace geodescent {
namespace {

/// The certificate rounds the dual point to a few bytes a row, which may cost it 1 % of the gap.
constexpr double part_of_tolerance = 0.9;

double bytes_of_vector(std::size_t size, const std::vector<ClassRows>& classes) {
  return static_cast<double>(sizeof(double) * size) * static_cast<double>(classes.size());
}

std::vector<ClassRows> classes_for_softmax(const Dataset& data) {
  std::vector<ClassRows> classes = class_rows(data);
  const std::size_t rows = number_of_rows(data), columns = data.rows->columns();
  if (classes.size() > SoftmaxProblem::most_classes)
    throw InputError(fmt::format(
        "{}: {} classes; softmax takes at most {}, since each row has a number for every class: {:.3g} GB for one "
        "vector of the rows and {:.3g} GB for one of the coefficients; use --loss logistic, one class against the "
        "rest, whose model and proofs take about {:.3g} GB, or squared or huber if the labels are quantities to "
        "predict",
        data.name, classes.size(), SoftmaxProblem::most_classes, bytes_of_vector(rows, classes) / 1e9,
        bytes_of_vector(columns, classes) / 1e9, bytes_of_vector(rows + columns, classes) / 1e9));
  if (classes.size() >= 2) return classes;
  throw InputError(fmt::format("{}: only one class ({} with the label {}); the loss softmax needs two or more",
                               data.name, counted(classes.front().rows, "row"), classes.front().label));
}

/// Ranks that start from different coefficients would wait for each other.
void require_same_start(const Dataset& data, const TrainOptions& options) {
  const LinearModel* const start = options.checkpoints.resume ? options.checkpoints.resume : options.initial;
  if (!data.ranks || start == nullptr) return;
  const double ours =
      crc32c(std::as_bytes(std::span(start->bias_weights)), crc32c(std::as_bytes(std::span(start->weights))));
  const std::vector<double> all = gather_all(*data.ranks->ranks, {&ours, 1});
  if (std::ranges::any_of(all, [&](double other) { return other != ours; }))
    throw InputError("the model to start from is not the same on all ranks; give all machines the same file");
}

}  // namespace

double TrainResult::gap() const { return ProvenGap{run.value, run.lower_bound, 0, 0}.gap(); }

bool reached_goal(Status status, const Options& options) {
  return status == Status::converged || (status == Status::precision_limit && options.gap_tolerance == 0);
}

Options run_options(const TrainOptions& options) {
  Options run = options.minimize;
  run.keep_dual = true;
  if (run.gap_tolerance < 1) run.gap_tolerance *= part_of_tolerance;  // minimize refuses others
  return run;
}

TrainResult train(const Dataset& data, const Risk& risk, const TrainOptions& options, const Observer& observer) {
  const LossInfo& loss = loss_named(risk.loss);
  if (loss.parameter && risk.loss_parameter == 0 && !loss.parameter->allows(0)) {
    Risk complete = risk;
    complete.loss_parameter = loss.parameter->default_value;
    return train(data, complete, options, observer);
  }
  if (number_of_rows(checked(data)) == 0) throw std::invalid_argument("a data set needs at least one row");
  if (lacks_constant(data, risk)) return train(with_constant_of(risk, data), risk, options, observer);
  require_same_start(data, options);
  const std::vector<ClassRows> classes = loss.joint ? classes_for_softmax(data) : std::vector<ClassRows>();
  const UsedData used(data);
  const bool against_rest = loss.task == Task::classification && !loss.joint && has_more_than_two_classes(data);
  const Checkpoints& checkpoints = options.checkpoints;
  if (checkpoints.every == 0) {
    if (checkpoints.resume != nullptr)
      throw std::invalid_argument("checkpoints.resume needs checkpoints.every, the interval of the first run");
    if (against_rest) return train_classes(used, risk, options, observer);
    return train_problem(used, risk, classes, options, observer);
  }
  if (against_rest)
    throw std::invalid_argument(
        fmt::format("checkpoints are for one problem, but {} has one for each class against the rest; use the loss "
                    "softmax, or train without checkpoints",
                    data.name));
  return train_in_segments(risk, options, observer, [&](const TrainOptions& of_segment, const Observer& watching) {
    return train_problem(used, risk, classes, of_segment, watching);
  });
}

}  // namespace geodescent
