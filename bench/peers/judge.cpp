#include "peers/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "geodescent/error.hpp"
#include "geodescent/learn/train.hpp"

namespace geodescent::lab {
namespace {

constexpr double reference_tolerance = 1e-12;

}  // namespace

Judge::Judge(const PeerTask& task, double seconds, const std::function<void()>& watch) : task_(task) {
  LinearModel model;
  model.risk.loss = task.loss;
  if (task.data->classes > 0) {
    model.classes = class_rows(task.data->data);
  } else if (!is_regression(task.loss)) {
    model.labels = BinaryLabels{};
  }
  loss_ = loss_of(model);
  TrainOptions options;
  options.minimize.gap_tolerance = reference_tolerance;
  options.minimize.max_seconds = seconds;
  const TrainResult trained =
      train(task.data->data, Risk{.loss = task.loss, .l2 = task.l2, .bias = Bias::none}, options, [&](const Progress&) {
        if (watch) watch();
        return true;
      });
  if (!trained.certificate)
    throw InputError(fmt::format("{}: the objective is not finite; scale the features down", task.data->name));
  reference_.start_value = trained.run.reference_value;
  reference_.value = trained.certificate->value;
  reference_.lower_bound = trained.certificate->lower_bound;
  reference_.iterations = trained.run.iterations;
  reference_.solver = trained.model.method;
}

double Judge::value(std::span<const double> weights) const {
  const PeerData& data = *task_.data;
  const std::size_t outputs = task_.outputs();
  if (weights.size() > data.features * outputs)
    throw InputError(fmt::format("{}: {} weights for {} features; were they trained on other data?", data.name,
                                 weights.size(), data.features));
  std::vector<std::uint32_t> indices;
  std::vector<double> values;
  std::vector<long double> sums(outputs);
  Vector decisions(outputs);
  long double losses = 0, norm = 0;
  for (std::size_t i = 0; i < data.rows; ++i) {
    data.data.rows->copy_row(i, indices, values);
    std::ranges::fill(sums, 0);
    for (std::size_t e = 0; e < indices.size() && (indices[e] + 1) * outputs <= weights.size(); ++e)
      for (std::size_t k = 0; k < outputs; ++k)
        sums[k] += static_cast<long double>(values[e]) * weights[indices[e] * outputs + k];
    std::ranges::transform(sums, decisions.begin(), [](long double sum) { return static_cast<double>(sum); });
    losses += loss_(decisions, data.data.targets[i]);
  }
  for (const double w : weights) norm += static_cast<long double>(w) * w;
  return static_cast<double>(losses / static_cast<long double>(data.rows) + task_.l2 / 2 * norm);
}

double Judge::accuracy(std::span<const double> weights) const {
  const double f = value(weights);
  return std::isfinite(f) ? reference_.accuracy(f) : std::numeric_limits<double>::infinity();
}

}  // namespace geodescent::lab
