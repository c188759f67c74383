// Models for tests of proofs over ranks.
#pragma once

#include <string>
#include <string_view>

#include "geodescent/learn/losses.hpp"
#include "geodescent/learn/model.hpp"
#include "geodescent/learn/risk.hpp"
#include "geodescent/optimize/minimize.hpp"
#include "support/variants.hpp"

namespace geodescent::testing {

/// A model and the dual values of its rows.
struct Trained {
  LinearModel model;
  Vector slopes;
};

inline Trained trained(const Dataset& data, const Risk& risk, std::uint64_t iterations) {
  const Dataset with = risk.bias == Bias::regularized ? with_constant(data, risk.constant) : data;
  const auto f = make_risk(risk.loss, with, risk.l2, {}, risk.bias);
  const Result run = minimize(*f, method_of(with_newton), Vector(f->dimension()),
                              {.gap_tolerance = 1e-9, .max_iterations = iterations, .keep_dual = true});
  Trained result{{}, run.dual};
  LinearModel& model = result.model;
  model.risk = risk;
  model.weights = run.x;
  if (risk.bias == Bias::free) model.bias_weights = run.intercepts;
  if (risk.bias == Bias::regularized) {
    model.bias_weights = {model.weights.back()};
    model.weights.pop_back();
  }
  if (loss_named(risk.loss).task == Task::classification) model.labels = binary_labels(data);
  return result;
}

inline Risk risk_of(std::string_view loss, Bias bias, double strength = 1e-3) {
  Risk risk{.loss = std::string(loss), .l2 = strength, .bias = bias};
  if (const auto& parameter = loss_named(loss).parameter) risk.loss_parameter = parameter->default_value;
  return risk;
}

}  // namespace geodescent::testing
