#include "support/class_problems.hpp"

#include <algorithm>

#include "geodescent/learn/losses.hpp"
#include "support/certificate_problems.hpp"
#include "support/reference/quad_risk.hpp"
#include "support/reference/softmax_truth.hpp"

namespace geodescent::testing {
namespace {

Dataset with_targets(Dataset data, const std::vector<ClassRows>& classes,
                     const std::function<double(std::size_t)>& target) {
  for (double& y : data.targets)
    y = target(static_cast<std::size_t>(std::ranges::find(classes, y, &ClassRows::label) - classes.begin()));
  return data;
}

/// The problem of class k against the rest.
QuadRisk against_rest(const ClassProblem& p, std::size_t k) {
  return {with_targets(p.data, p.classes, [&](std::size_t y) { return y == k ? 1.0 : -1.0; }), p.risk};
}

SoftmaxData joint(const ClassProblem& p) {
  const Dataset numbered = with_targets(p.data, p.classes, [](std::size_t y) { return static_cast<double>(y); });
  return {numbered, p.classes.size(), p.risk.bias, p.risk.l2};
}

/// The coefficients of the features and what stands for the constant column, and the free
/// intercepts.
struct Parts {
  Vector coefficients, intercepts;
};

Parts parts_of(const LinearModel& m) {
  Parts parts{m.weights, {}};
  if (m.risk.bias == Bias::regularized)
    parts.coefficients.insert(parts.coefficients.end(), m.bias_weights.begin(), m.bias_weights.end());
  if (m.risk.bias == Bias::free)
    for (std::size_t k = 0; k < m.outputs(); ++k) parts.intercepts.push_back(m.risk.constant * m.bias_weights[k]);
  return parts;
}

LinearModel column(const LinearModel& m, std::size_t k) {
  LinearModel one;
  one.risk = m.risk;
  one.labels = BinaryLabels{};
  for (std::size_t j = k; j < m.weights.size(); j += m.outputs()) one.weights.push_back(m.weights[j]);
  if (!m.bias_weights.empty()) one.bias_weights = {m.bias_weights[k]};
  return one;
}

}  // namespace

ClassProblem random_class_problem(Random& random) {
  constexpr const char* losses[] = {"softmax", "softmax", "logistic", "smoothed-hinge", "squared-hinge"};
  constexpr Bias biases[] = {Bias::none, Bias::free, Bias::regularized};
  ClassProblem p;
  p.risk.loss = losses[random.below(5)];
  p.risk.bias = biases[random.below(3)];
  p.risk.l2 = random.log_uniform(1e-4, 1);
  if (p.risk.bias == Bias::regularized && random.chance(0.3)) p.risk.constant = random.log_uniform(0.1, 10);
  const std::size_t least = p.risk.loss == "softmax" ? 2 : 3, classes = least + random.below(7 - least);
  Vector labels;
  for (std::size_t k = 0; k < classes; ++k)
    labels.push_back(-1.5 + 2 * static_cast<double>(k) + static_cast<double>(random.below(2)));
  const std::size_t rows = classes + random.below(9), features = 1 + random.below(3);
  std::vector<Vector> entries(rows, Vector(features, 0));
  Vector targets, weights;
  for (std::size_t i = 0; i < rows; ++i) {
    targets.push_back(labels[i < classes ? i : random.below(classes)]);
    for (double& x : entries[i]) x = random.chance(0.8) ? random.normal() : 0;
  }
  if (random.chance(0.5))
    for (std::size_t i = 0; i < rows; ++i) weights.push_back(random.log_uniform(0.1, 10));
  p.data = dataset_of(entries, targets, weights);
  if (p.risk.bias == Bias::regularized) p.data = with_constant(p.data, p.risk.constant);
  p.classes = class_rows(p.data);
  return p;
}

ClassTruth::ClassTruth(const ClassProblem& problem) : problem_(problem) {
  const std::size_t outputs = problem.classes.size();
  minimiser_.risk = problem.risk;
  minimiser_.classes = problem.classes;
  const bool extra = problem.risk.bias == Bias::regularized;
  const std::size_t features = problem.data.rows->columns() - (extra ? 1 : 0);
  if (problem.risk.loss == softmax_loss) {
    const SoftmaxData data = joint(problem);
    const Optimum optimum = newton(true_softmax(data));
    minimum_ = optimum.value;
    const Vector all = rounded(optimum.x);
    minimiser_.weights.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(features * outputs));
    minimiser_.bias_weights.assign(all.begin() + static_cast<std::ptrdiff_t>(features * outputs), all.end());
    if (problem.risk.bias == Bias::free) minimiser_.bias_weights = rounded(best_intercepts(data, optimum.x));
    return;
  }
  minimiser_.weights.resize(features * outputs);
  for (std::size_t k = 0; k < outputs; ++k) {
    const QuadRisk of_class = against_rest(problem, k);
    minima_of_classes_.push_back(of_class.minimum());
    minimum_ += minima_of_classes_.back();
    const LinearModel one = of_class.minimiser();
    for (std::size_t j = 0; j < features; ++j) minimiser_.weights[j * outputs + k] = one.weights[j];
    if (!one.bias_weights.empty()) minimiser_.bias_weights.push_back(one.bias_weights[0]);
  }
}

Quad ClassTruth::value(const LinearModel& model) const {
  if (problem_.risk.loss == softmax_loss) {
    const Parts parts = parts_of(model);
    return softmax_value(joint(problem_), parts.coefficients, parts.intercepts);
  }
  Quad sum = 0;
  for (std::size_t k = 0; k < model.outputs(); ++k) sum += value_of_class(model, k);
  return sum;
}

Quad ClassTruth::value_of_class(const LinearModel& model, std::size_t k) const {
  return against_rest(problem_, k).value(column(model, k));
}

}  // namespace geodescent::testing
