// Scores of a model over many rows.
#include <algorithm>
#include <cmath>

#include "learn/predict/losses_of_rows.hpp"

namespace geodescent {
namespace {

LinearModel without_weights(const LinearModel& model) {
  LinearModel result;
  result.risk = model.risk;
  result.labels = model.labels;
  result.classes = model.classes;
  result.file_order = model.file_order;
  result.positive_first = model.positive_first;
  return result;
}

std::optional<double> quotient(std::size_t part, std::size_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::optional<double> ClassScore::precision() const { return quotient(correct, predicted); }
std::optional<double> ClassScore::recall() const { return quotient(correct, rows); }

void CompensatedSum::add(double term) {
  const double sum = sum_ + term;
  lost_ += std::abs(sum_) >= std::abs(term) ? (sum_ - sum) + term : (term - sum) + sum_;
  sum_ = sum;
}

double CompensatedSum::value() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }

Scorer::Scorer(const LinearModel& model, const ScorerOptions& options)
    : model_(without_weights(model)),
      loss_(loss_of(model)),
      log_loss_(log_loss_unlike_loss(model)),
      labels_in_file_(labels_in_file_order(model)),
      labels_(labels_in_file_),
      top_(options.top),
      auc_(options.most_kept_for_auc) {
  std::ranges::sort(labels_);
  for (const double label : labels_) counts_.classes.push_back({.label = label});
}

void Scorer::add(double target, std::span<const double> decisions, const Ignored& ignored) {
  ++counts_.rows;
  counts_.ignored_entries += ignored.entries;
  if (ignored.entries > 0) ++counts_.rows_with_ignored;
  counts_.largest_ignored = std::max(counts_.largest_ignored, ignored.largest);
  if (model_.is_classifier()) {
    add_class(target, decisions);
  } else {
    add_value(target, decisions[0]);
  }
}

void Scorer::add_class(double target, std::span<const double> decisions) {
  const auto number_of = [&](double label) {
    return static_cast<std::size_t>(std::ranges::lower_bound(labels_, label) - labels_.begin());
  };
  const std::size_t label = number_of(target);
  if (label == labels_.size() || labels_[label] != target) {
    ++counts_.unknown_labels;
    return;
  }
  const std::size_t predicted = number_of(predicted_target(model_, decisions));
  ++counts_.classes[label].rows;
  ++counts_.classes[predicted].predicted;
  if (label == predicted) {
    ++counts_.correct;
    ++counts_.classes[label].correct;
  } else {
    ++confused_[label * labels_.size() + predicted];
  }
  if (top_ > 1)
    for (const std::size_t place : best_labels(model_, decisions, top_))
      if (labels_in_file_[place] == target) ++in_top_;
  if (model_.labels) auc_.add(decisions[0], label == 1);
  if (loss_) loss_sum_.add(loss_(decisions, target));
  if (log_loss_) log_loss_sum_.add(log_loss_(decisions, target));
}

void Scorer::add_value(double target, double decision) {
  const double error = decision - target;
  squared_errors_.add(error * error);
  absolute_errors_.add(std::abs(error));
  if (loss_) loss_sum_.add(loss_({&decision, 1}, target));
  // Welford's update: the sum of squares less the square of the sum would cancel where the mean is
  // large.
  const double from_old_mean = target - target_mean_;
  target_mean_ += from_old_mean / static_cast<double>(counts_.rows);
  target_spread_ += from_old_mean * (target - target_mean_);
}

Score Scorer::score() const {
  Score s = counts_;
  if (s.rows == 0) return s;
  const auto rows = static_cast<double>(s.rows);
  if (!model_.is_classifier()) {
    s.mean_squared_error = squared_errors_.value() / rows;
    s.mean_absolute_error = absolute_errors_.value() / rows;
    if (target_spread_ > 0) s.r_squared = 1 - squared_errors_.value() / target_spread_;
    if (loss_) s.mean_loss = loss_sum_.value() / rows;
    return s;
  }
  s.accuracy = static_cast<double>(s.correct) / rows;
  if (top_ > 1) s.top_accuracy = static_cast<double>(in_top_) / rows;
  if (model_.labels) s.auc = auc_.value();
  for (const auto& [pair, count] : confused_)
    s.confused.push_back({pair / labels_.size(), pair % labels_.size(), count});
  std::ranges::sort(s.confused, {}, [](const Confused& c) { return std::pair(c.label, c.predicted); });
  const std::size_t judged = s.rows - s.unknown_labels;
  if (judged == 0) return s;
  if (loss_) s.mean_loss = loss_sum_.value() / static_cast<double>(judged);
  if (log_loss_) {
    s.log_loss = log_loss_sum_.value() / static_cast<double>(judged);
  } else if (has_probabilities(model_)) {
    s.log_loss = s.mean_loss;
  }
  return s;
}

}  // namespace geodescent
