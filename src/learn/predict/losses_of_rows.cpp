#include "learn/predict/losses_of_rows.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>

#include "geodescent/detail/row_loss.hpp"

namespace geodescent {
namespace {

/// log sum_k exp(terms_k) without overflow.
template <class Term>
double log_sum_exp(std::size_t count, const Term& term) {
  double top = term(0), sum = 0;
  for (std::size_t k = 1; k < count; ++k) top = std::max(top, term(k));
  for (std::size_t k = 0; k < count; ++k) sum += std::exp(term(k) - top);
  return top + std::log(sum);
}

/// log(1 / (1 + exp(-d))) without overflow.
double log_sigmoid(double d) { return -std::max(0.0, -d) - std::log1p(std::exp(-std::abs(d))); }

Vector labels_of(const LinearModel& model) {
  Vector labels;
  for (const ClassRows& one : model.classes) labels.push_back(one.label);
  return labels;
}

/// The number of a label, which increase.
std::size_t number_of(const Vector& labels, double label) {
  const auto found = std::ranges::lower_bound(labels, label);
  assert(found != labels.end() && *found == label);
  return static_cast<std::size_t>(found - labels.begin());
}

LossFunction softmax_of(const LinearModel& model) {
  if (model.labels)  // two classes in one column: the difference of their predictions
    return [positive = model.labels->positive](std::span<const double> z, double target) {
      return -log_sigmoid(target == positive ? z[0] : -z[0]);
    };
  return [labels = labels_of(model)](std::span<const double> z, double target) {
    return log_sum_exp(z.size(), [&](std::size_t k) { return z[k]; }) - z[number_of(labels, target)];
  };
}

}  // namespace

const LossInfo* info_of_loss(const LinearModel& model) {
  const LossInfo* const loss = find_loss(model.risk.loss);
  const Task task = model.is_classifier() ? Task::classification : Task::regression;
  return loss && loss->task == task ? loss : nullptr;
}

LossFunction loss_of(const LinearModel& model) {
  const LossInfo* const info = info_of_loss(model);
  if (!info || (info->parameter && !info->parameter->allows(model.risk.loss_parameter))) return {};
  if (info->joint) return softmax_of(model);
  std::optional<double> parameter;
  if (info->parameter) parameter = model.risk.loss_parameter;
  const auto loss = std::shared_ptr(make_row_loss(info->name, parameter));
  if (!model.is_classifier())
    return [loss](std::span<const double> z, double target) { return (*loss)(z[0], target).value; };
  if (model.labels)
    return [loss, positive = model.labels->positive](std::span<const double> z, double target) {
      return (*loss)(target == positive ? z[0] : -z[0], 1).value;
    };
  return [loss, labels = labels_of(model)](std::span<const double> z, double target) {
    const std::size_t y = number_of(labels, target);
    double sum = 0;
    for (std::size_t k = 0; k < z.size(); ++k) sum += (*loss)(k == y ? z[k] : -z[k], 1).value;
    return sum;
  };
}

LossFunction log_loss_unlike_loss(const LinearModel& model) {
  if (model.classes.empty() || !has_probabilities(model) || info_of_loss(model)->joint) return {};
  return [labels = labels_of(model)](std::span<const double> z, double target) {
    return log_sum_exp(z.size(), [&](std::size_t k) { return log_sigmoid(z[k]); }) -
           log_sigmoid(z[number_of(labels, target)]);
  };
}

}  // namespace geodescent
