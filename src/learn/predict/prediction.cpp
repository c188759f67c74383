// Decision values, labels and probabilities.
#include "geodescent/learn/prediction.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "base/parallel.hpp"
#include "geodescent/learn/losses.hpp"
#include "learn/predict/losses_of_rows.hpp"

namespace geodescent {
namespace {

/// A single decision value, with the sign for which a positive one predicts the first label of the
/// file.
double for_first_label(const LinearModel& model, std::span<const double> decisions) {
  assert(model.labels && decisions.size() == 1);
  return model.positive_first ? decisions[0] : -decisions[0];
}

/// The columns in the order of the file.
std::size_t column_at(const LinearModel& model, std::size_t place) {
  return model.file_order.empty() ? place : model.file_order[place];
}

/// The value that is compared: NaN never wins.
double strength(double decision) { return std::isnan(decision) ? -std::numeric_limits<double>::infinity() : decision; }

/// The index of the winner in the order of the file.
std::size_t best_place(const LinearModel& model, std::span<const double> decisions) {
  std::size_t best = 0;
  for (std::size_t place = 1; place < decisions.size(); ++place)
    if (strength(decisions[column_at(model, place)]) > strength(decisions[column_at(model, best)])) best = place;
  return best;
}

/// exp(-shift) / (1 + exp(-d)), to all digits for d <= shift <= 0 and for d >= 0 = shift.
double sigmoid(double d, double shift = 0) { return std::exp(std::min(d, 0.0) - shift) / (1 + std::exp(-std::abs(d))); }

/// Calls use(i, decisions) for all rows, on several threads.
template <class Use>
void for_each_decision(const LinearModel& model, const RowMatrix& matrix, const Use& use) {
  parallel::for_each(parallel::cut(matrix.rows(), 256), [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    Vector decisions(model.outputs());
    for (std::size_t i = begin; i < end; ++i) {
      matrix.copy_row(i, indices, values);
      decide(model, indices, values, decisions);
      use(i, decisions);
    }
  });
}

}  // namespace

Ignored decide(const LinearModel& model, std::span<const std::uint32_t> indices, std::span<const double> values,
               std::span<double> decisions) {
  const std::size_t columns = decisions.size(), features = model.features();
  assert(indices.size() == values.size() && columns == model.outputs());
  std::size_t known = indices.size();
  while (known > 0 && indices[known - 1] >= features) --known;
  std::ranges::fill(decisions, 0.0);
  for (std::size_t e = 0; e < known; ++e) {
    const double* const weights = model.weights.data() + indices[e] * columns;
    for (std::size_t k = 0; k < columns; ++k) decisions[k] += weights[k] * values[e];
  }
  for (std::size_t k = 0; k < columns; ++k) decisions[k] += model.intercept(k);
  const std::size_t ignored = indices.size() - known;
  return {ignored, ignored > 0 ? indices.back() : 0};
}

Vector predict(const LinearModel& model, const RowMatrix& matrix) {
  const std::size_t columns = model.outputs();
  Vector all(matrix.rows() * columns);
  for_each_decision(model, matrix, [&](std::size_t i, const Vector& decisions) {
    std::ranges::copy(decisions, all.begin() + static_cast<std::ptrdiff_t>(i * columns));
  });
  return all;
}

Vector predict_labels(const LinearModel& model, const RowMatrix& matrix) {
  if (!model.is_classifier()) throw std::invalid_argument("the model is a regression and has no labels");
  Vector labels(matrix.rows());
  for_each_decision(model, matrix,
                    [&](std::size_t i, const Vector& decisions) { labels[i] = predicted_target(model, decisions); });
  return labels;
}

Vector predict_probabilities(const LinearModel& model, const RowMatrix& matrix) {
  if (!has_probabilities(model))
    throw std::invalid_argument("the model has no probabilities; those of the losses logistic and softmax have");
  const std::size_t columns = model.outputs();
  Vector all(matrix.rows() * columns);
  for_each_decision(model, matrix, [&](std::size_t i, const Vector& decisions) {
    const Vector of_row = probabilities(model, decisions);
    if (model.labels) {
      all[i] = of_row[model.positive_first ? 0 : 1];
    } else {
      for (std::size_t place = 0; place < columns; ++place) all[i * columns + column_at(model, place)] = of_row[place];
    }
  });
  return all;
}

double predicted_target(const LinearModel& model, std::span<const double> decisions) {
  if (!model.is_classifier()) return decisions[0];
  if (!model.labels) return model.classes[column_at(model, best_place(model, decisions))].label;
  return (for_first_label(model, decisions) > 0) == model.positive_first ? model.labels->positive
                                                                         : model.labels->negative;
}

Vector labels_in_file_order(const LinearModel& model) {
  Vector labels;
  for (std::size_t place = 0; place < model.classes.size(); ++place)
    labels.push_back(model.classes[column_at(model, place)].label);
  if (!model.labels) return labels;
  const auto [negative, positive, negatives, positives] = *model.labels;
  return model.positive_first ? Vector{positive, negative} : Vector{negative, positive};
}

std::vector<std::size_t> best_labels(const LinearModel& model, std::span<const double> decisions, std::size_t count) {
  assert(model.is_classifier());
  std::vector<std::size_t> places(std::max<std::size_t>(2, decisions.size()));
  std::iota(places.begin(), places.end(), std::size_t{0});
  count = std::min(count, places.size());
  if (model.labels) {
    if (!(for_first_label(model, decisions) > 0)) std::ranges::reverse(places);
  } else {
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(count);
    std::ranges::partial_sort(places, end, [&](std::size_t a, std::size_t b) {
      const double at_a = strength(decisions[column_at(model, a)]), at_b = strength(decisions[column_at(model, b)]);
      return at_a > at_b || (at_a == at_b && a < b);
    });
  }
  places.resize(count);
  return places;
}

bool has_probabilities(const LinearModel& model) {
  const LossInfo* const loss = info_of_loss(model);
  return loss && loss->has_probabilities;
}

Vector probabilities(const LinearModel& model, std::span<const double> decisions) {
  assert(has_probabilities(model));
  if (model.labels) {
    const double d = for_first_label(model, decisions);
    return {sigmoid(d), sigmoid(-d)};
  }
  const bool joint = info_of_loss(model)->joint;
  const double top = decisions[column_at(model, best_place(model, decisions))];
  Vector all(decisions.size());
  double sum = 0;
  for (std::size_t place = 0; place < all.size(); ++place) {
    const double d = decisions[column_at(model, place)];
    sum += all[place] = joint ? std::exp(d - top) : sigmoid(d, std::min(top, 0.0));
  }
  for (double& p : all) p /= sum;
  return all;
}

}  // namespace geodescent
