#include "geodescent/learn/cross_validation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "base/text/counted.hpp"
#include "data/generate/random.hpp"
#include "data/ranks/rank_messages.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/path.hpp"
#include "geodescent/learn/prediction.hpp"
#include "geodescent/learn/risk.hpp"
#include "learn/constant_column.hpp"
#include "learn/train/checkpoints.hpp"

namespace geodescent {
namespace {

void require_enough_rows(const Dataset& data, std::size_t folds) {
  if (folds < 2)
    throw std::invalid_argument(fmt::format("{}; cross-validation needs at least 2", counted(folds, "fold")));
  if (data.targets.size() >= folds) return;
  throw InputError(fmt::format("{}: {} {} too few for {} folds; ask for at most {}", data.name,
                               counted(data.targets.size(), "row"), data.targets.size() == 1 ? "is" : "are", folds,
                               data.targets.size()));
}

/// The rows, class after class. Dealt out in this order like cards, each fold gets its share of
/// each class.
std::vector<std::vector<std::size_t>> classes_of(const Dataset& data, Task task) {
  const std::vector<ClassRows> labels = task == Task::classification ? class_rows(data) : std::vector<ClassRows>{{}};
  std::vector<std::vector<std::size_t>> classes(labels.size());
  for (std::size_t i = 0; i < data.targets.size(); ++i) {
    const auto found = std::ranges::lower_bound(labels, data.targets[i], {}, &ClassRows::label);
    classes[task == Task::classification ? static_cast<std::size_t>(found - labels.begin()) : 0].push_back(i);
  }
  return classes;
}

/// Throws if all rows of a class are in one fold: nothing can be learned of this class then.
void require_classes_without_any_fold(const Dataset& data, std::span<const std::size_t> fold_of) {
  const std::vector<std::vector<std::size_t>> classes = classes_of(data, Task::classification);
  if (classes.size() < 2) (void)binary_labels(data);  // throws: there is only one class
  for (const std::vector<std::size_t>& rows : classes) {
    const std::size_t fold = fold_of[rows.front()];
    if (std::ranges::any_of(rows, [&](std::size_t i) { return fold_of[i] != fold; })) continue;
    throw InputError(fmt::format(
        "{}: fold {} holds out {} with label {} and leaves none to train on; add rows with this label, or train "
        "without cross-validation",
        data.name, fold + 1, rows.size() == 1 ? "the only row" : fmt::format("all {} rows", rows.size()),
        data.targets[rows.front()]));
  }
}

std::size_t number_of_folds(const Dataset& data, std::span<const std::size_t> fold_of) {
  if (fold_of.size() != data.targets.size())
    throw std::invalid_argument(
        fmt::format("{} rows have folds, but there are {} rows", fold_of.size(), data.targets.size()));
  std::vector<bool> used(fold_of.size());
  for (const std::size_t fold : fold_of) {
    if (fold >= used.size())
      throw std::invalid_argument(fmt::format("fold {} is too large for {} rows", fold, used.size()));
    used[fold] = true;
  }
  const auto folds = static_cast<std::size_t>(std::find(used.begin(), used.end(), false) - used.begin());
  if (std::find(used.begin() + static_cast<std::ptrdiff_t>(folds), used.end(), true) != used.end())
    throw std::invalid_argument(fmt::format("no row is in fold {}; folds are counted from 0", folds));
  if (folds < 2) throw std::invalid_argument("cross-validation needs at least 2 folds");
  return folds;
}

struct Split {
  Dataset training;
  Dataset held_out;
};

Split split_at(const Dataset& data, std::span<const std::size_t> fold_of, std::size_t fold) {
  std::vector<std::size_t> rest, held_out;
  for (std::size_t i = 0; i < fold_of.size(); ++i) (fold_of[i] == fold ? held_out : rest).push_back(i);
  return {rows_of(data, rest), rows_of(data, held_out)};
}

/// Sums over the rows of a fold, each times its weight.
struct FoldScore {
  double weight = 0;
  double loss = 0;
  double correct = 0;
  double squared_error = 0;
  double relative_gap = std::numeric_limits<double>::infinity();
  bool reached_goal = false;
};

/// Of each column, row by row.
Vector predictions(const LinearModel& model, const Dataset& data) {
  if (model.outputs() > 1) return predict(model, *data.rows);
  Vector x = model.weights;
  const bool constant = model.risk.bias == Bias::regularized;
  if (constant) x.push_back(model.bias_weight());
  Vector z(data.rows->rows());
  parallel::for_each(parallel::cut(z.size()), [&](std::size_t begin, std::size_t end) {
    data.rows->forward(begin, end, x, std::span(z).subspan(begin, end - begin));
  });
  if (!constant)
    for (double& value : z) value += model.intercept();
  return z;
}

FoldScore score_of(const TrainResult& trained, const Dataset& held_out) {
  FoldScore score;
  score.weight = total_weight(held_out);
  if (!trained.certificate) {
    score.loss = std::numeric_limits<double>::infinity();
    return score;
  }
  const LinearModel& model = trained.model;
  const LossFunction loss = loss_of(model);
  const Vector z = predictions(model, held_out);
  CompensatedSum losses, correct, squares;
  const std::size_t outputs = model.outputs();
  for (std::size_t i = 0; i < held_out.targets.size(); ++i) {
    const double weight = held_out.weights.empty() ? 1 : held_out.weights[i], target = held_out.targets[i];
    const std::span<const double> decisions(&z[i * outputs], outputs);
    losses.add(weight * loss(decisions, target));
    if (model.is_classifier()) {
      correct.add(predicted_target(model, decisions) == target ? weight : 0);
    } else {
      squares.add(weight * (z[i] - target) * (z[i] - target));
    }
  }
  score.loss = losses.value(), score.correct = correct.value(), score.squared_error = squares.value();
  score.relative_gap = trained.certificate->relative_gap;
  return score;
}

/// The folds' scores for one l2. A fold counts by the weight of its rows, in the mean and in its
/// error.
HeldOut summary_of(std::span<const FoldScore> folds, double l2, Task task) {
  HeldOut result;
  result.l2 = l2;
  double weight = 0, correct = 0, squared_error = 0;
  for (const FoldScore& fold : folds) {
    weight += fold.weight;
    result.loss += fold.loss;
    correct += fold.correct;
    squared_error += fold.squared_error;
    result.relative_gap = std::max(result.relative_gap, fold.relative_gap);
    result.reached_goal = result.reached_goal && fold.reached_goal;
  }
  result.loss /= weight;
  double spread = 0;
  for (const FoldScore& fold : folds)
    spread += fold.weight / weight * std::pow(fold.loss / fold.weight - result.loss, 2);
  const bool finite = std::isfinite(result.loss);
  result.standard_error = finite ? std::sqrt(spread / static_cast<double>(folds.size() - 1)) : result.loss;
  if (finite && task == Task::classification) result.accuracy = correct / weight;
  if (finite && task == Task::regression) result.mean_squared_error = squared_error / weight;
  return result;
}

void choose(CrossValidation& result) {
  const std::vector<HeldOut>& values = result.values;
  const auto better = [&](std::size_t a, std::size_t b) {
    return values[a].loss < values[b].loss || (values[a].loss == values[b].loss && values[a].l2 > values[b].l2);
  };
  for (std::size_t k = 1; k < values.size(); ++k)
    if (better(k, result.chosen)) result.chosen = k;
  const HeldOut& best = values[result.chosen];
  result.one_standard_error = result.chosen;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k].loss <= best.loss + best.standard_error && values[k].l2 > values[result.one_standard_error].l2)
      result.one_standard_error = k;
}

}  // namespace

std::vector<std::size_t> fold_of_rows(const Dataset& data, Task task, std::size_t folds, std::uint64_t seed) {
  require_one_process(data, "fold_of_rows");
  require_enough_rows(data, folds);
  std::vector<std::size_t> fold_of(data.targets.size());
  Random random(seed);
  std::size_t dealt = 0;
  for (std::vector<std::size_t>& rows : classes_of(data, task)) {
    shuffle(rows, random);
    for (const std::size_t row : rows) fold_of[row] = dealt++ % folds;
  }
  return fold_of;
}

Dataset rows_of(const Dataset& data, std::span<const std::size_t> rows) {
  require_one_process(data, "rows_of");
  Dataset result;
  result.name = data.name;
  result.zero_based = data.zero_based;
  result.constant = data.constant;
  result.class_weights = data.class_weights;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> indices, row_indices;
  std::vector<double> values, row_values;
  for (const std::size_t i : rows) {
    data.rows->copy_row(i, row_indices, row_values);
    indices.insert(indices.end(), row_indices.begin(), row_indices.end());
    values.insert(values.end(), row_values.begin(), row_values.end());
    offsets.push_back(values.size());
    result.targets.push_back(data.targets[i]);
    if (!data.weights.empty()) result.weights.push_back(data.weights[i]);
  }
  result.nonzeros = values.size();
  result.rows = in_best_form({std::move(offsets), std::move(indices), std::move(values), data.rows->columns()});
  return result;
}

CrossValidation cross_validate(const Dataset& data, const Risk& risk, std::span<const double> l2, std::size_t folds,
                               std::uint64_t seed, const TrainOptions& options, const FoldObserver& observer) {
  require_one_process(data, "cross_validate");
  const Task task = loss_named(risk.loss).task;
  const std::vector<std::size_t> fold_of = fold_of_rows(data, task, folds, seed);
  CrossValidation result = cross_validate(data, risk, l2, fold_of, options, observer);
  result.seed = seed;
  return result;
}

CrossValidation cross_validate(const Dataset& data, const Risk& risk, std::span<const double> l2,
                               std::span<const std::size_t> fold_of, const TrainOptions& options,
                               const FoldObserver& observer) {
  require_one_process(data, "cross_validate");
  require_no_checkpoints(options);
  if (lacks_constant(data, risk))
    return cross_validate(with_constant_of(risk, data), risk, l2, fold_of, options, observer);
  if (l2.empty()) throw std::invalid_argument("cross-validation needs at least one value of l2");
  const Task task = loss_named(risk.loss).task;
  const std::size_t folds = number_of_folds(data, fold_of);
  if (task == Task::classification) require_classes_without_any_fold(data, fold_of);
  std::vector<std::vector<FoldScore>> scores(l2.size());
  for (std::size_t fold = 0; fold < folds; ++fold) {
    const Split split = split_at(data, fold_of, fold);
    std::size_t value = 0;
    const auto take = [&](const TrainResult& trained) {
      FoldScore& score = scores[value++].emplace_back(score_of(trained, split.held_out));
      score.reached_goal = reached_goal(trained.run.status, options.minimize);
      return true;
    };
    const auto watch = [&](const Progress& progress) {
      if (observer) observer({fold, value, progress});
      return true;
    };
    train_path(split.training, risk, l2, options, take, watch);
  }
  CrossValidation result{.folds = folds};
  for (std::size_t k = 0; k < l2.size(); ++k) result.values.push_back(summary_of(scores[k], l2[k], task));
  choose(result);
  return result;
}

}  // namespace geodescent
