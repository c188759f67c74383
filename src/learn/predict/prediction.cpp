#include "geodescent/learn/prediction.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "base/parallel.hpp"
#include "geodescent/detail/row_loss.hpp"
#include "geodescent/learn/losses.hpp"

namespace geodescent {
namespace {

/// Null where the model does not fit the loss.
const LossInfo* loss_info(const LinearModel& model) {
  const LossInfo* const loss = find_loss(model.risk.loss);
  const Task task = model.labels ? Task::classification : Task::regression;
  return loss && loss->task == task ? loss : nullptr;
}

LinearModel without_weights(const LinearModel& model) {
  LinearModel result;
  result.risk = model.risk;
  result.labels = model.labels;
  result.positive_first = model.positive_first;
  return result;
}

}  // namespace

LossFunction loss_of(const LinearModel& model) {
  const LossInfo* const info = loss_info(model);
  if (!info || (info->parameter && !info->parameter->allows(model.risk.loss_parameter))) return {};
  std::optional<double> parameter;
  if (info->parameter) parameter = model.risk.loss_parameter;
  return [loss = std::shared_ptr(make_row_loss(info->name, parameter))](double z, double y) {
    return (*loss)(z, y).value;
  };
}

Decision decide(const LinearModel& model, std::span<const std::uint32_t> indices, std::span<const double> values) {
  assert(indices.size() == values.size());
  std::size_t known = indices.size();
  while (known > 0 && indices[known - 1] >= model.weights.size()) --known;
  double sum = 0;
  for (std::size_t k = 0; k < known; ++k) sum += model.weights[indices[k]] * values[k];
  const std::size_t ignored = indices.size() - known;
  return {sum + model.intercept(), ignored, ignored > 0 ? indices.back() : 0};
}

Vector predict(const LinearModel& model, const RowMatrix& matrix) {
  Vector decisions(matrix.rows());
  parallel::for_each(parallel::cut(matrix.rows(), 256), [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    for (std::size_t i = begin; i < end; ++i) {
      matrix.copy_row(i, indices, values);
      decisions[i] = decide(model, indices, values).value;
    }
  });
  return decisions;
}

Vector predict_labels(const LinearModel& model, const RowMatrix& matrix) {
  if (!model.labels) throw std::invalid_argument("the model is a regression and has no labels");
  Vector labels = predict(model, matrix);
  for (double& decision : labels) decision = predicted_target(model, decision);
  return labels;
}

Vector predict_probabilities(const LinearModel& model, const RowMatrix& matrix) {
  if (!has_probabilities(model))
    throw std::invalid_argument("the model has no probabilities; those of a logistic loss have");
  Vector positive = predict(model, matrix);
  for (double& decision : positive) decision = probabilities(model, decision)[model.positive_first ? 0 : 1];
  return positive;
}

bool is_positive(const LinearModel& model, double decision) {
  return model.positive_first ? decision > 0 : !(decision < 0);
}

double predicted_target(const LinearModel& model, double decision) {
  if (!model.labels) return decision;
  return is_positive(model, decision) ? model.labels->positive : model.labels->negative;
}

std::array<double, 2> labels_in_file_order(const LinearModel& model) {
  assert(model.labels);
  const auto [negative, positive, negatives, positives] = *model.labels;
  return model.positive_first ? std::array{positive, negative} : std::array{negative, positive};
}

bool has_probabilities(const LinearModel& model) {
  const LossInfo* const loss = loss_info(model);
  return loss && loss->has_probabilities;
}

std::array<double, 2> probabilities(const LinearModel& model, double decision) {
  assert(has_probabilities(model));
  const double first = 1 / (1 + std::exp(model.positive_first ? -decision : decision));
  return {first, 1 - first};
}

void CompensatedSum::add(double term) {
  const double sum = sum_ + term;
  lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
  sum_ = sum;
}

double CompensatedSum::value() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }

Scorer::Scorer(const LinearModel& model, std::size_t most_kept_for_auc)
    : model_(without_weights(model)), loss_(loss_of(model)), auc_(most_kept_for_auc) {}

void Scorer::add(double target, const Decision& decision) {
  ++counts_.rows;
  counts_.ignored_entries += decision.ignored;
  if (decision.ignored > 0) ++counts_.rows_with_ignored;
  counts_.largest_ignored = std::max(counts_.largest_ignored, decision.largest_ignored);
  if (model_.labels) {
    add_class(target, decision.value);
  } else {
    add_value(target, decision.value);
  }
}

void Scorer::add_class(double target, double decision) {
  const bool positive = target == model_.labels->positive;
  if (!positive && target != model_.labels->negative) {
    ++counts_.unknown_labels;
    return;
  }
  const bool taken_for_positive = is_positive(model_, decision);
  if (positive == taken_for_positive) ++counts_.correct;
  Confusion& c = counts_.confusion;
  if (positive) {
    ++(taken_for_positive ? c.true_positives : c.false_negatives);
  } else {
    ++(taken_for_positive ? c.false_positives : c.true_negatives);
  }
  auc_.add(decision, positive);
  if (loss_) loss_sum_.add(loss_(positive ? decision : -decision, 1));
}

void Scorer::add_value(double target, double decision) {
  const double error = decision - target;
  squared_errors_.add(error * error);
  absolute_errors_.add(std::abs(error));
  if (loss_) loss_sum_.add(loss_(decision, target));
  // Welford's update: the sum of squares less the square of the sum would cancel where the mean is large.
  const double from_old_mean = target - target_mean_;
  target_mean_ += from_old_mean / static_cast<double>(counts_.rows);
  target_spread_ += from_old_mean * (target - target_mean_);
}

Score Scorer::score() const {
  Score s = counts_;
  if (s.rows == 0) return s;
  const auto rows = static_cast<double>(s.rows);
  if (!model_.labels) {
    s.mean_squared_error = squared_errors_.value() / rows;
    s.mean_absolute_error = absolute_errors_.value() / rows;
    if (target_spread_ > 0) s.r_squared = 1 - squared_errors_.value() / target_spread_;
    if (loss_) s.mean_loss = loss_sum_.value() / rows;
    return s;
  }
  s.accuracy = static_cast<double>(s.correct) / rows;
  s.auc = auc_.value();
  const std::size_t judged = s.rows - s.unknown_labels;
  if (loss_ && judged > 0) s.mean_loss = loss_sum_.value() / static_cast<double>(judged);
  if (has_probabilities(model_)) s.log_loss = s.mean_loss;
  return s;
}

}  // namespace geodescent
