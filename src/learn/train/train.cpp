#include "geodescent/learn/train.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "base/outward_text.hpp"
#include "data/assemble/checked.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/risk.hpp"
#include "learn/constant_column.hpp"

namespace geodescent {
namespace {

/// The certificate rounds the dual point to a few bytes a row, which may cost it 1 % of the gap.
constexpr double part_of_tolerance = 0.9;

std::unique_ptr<LinearRisk> objective(const Dataset& data, const Risk& risk) {
  std::optional<double> parameter;
  if (loss_named(risk.loss).parameter || risk.loss_parameter != 0) parameter = risk.loss_parameter;
  return make_risk(risk.loss, data, risk.l2, parameter, risk.bias);
}

/// The weights of `model` as a point of the space of f.
Vector start_at(const LinearModel& model, const Dataset& data, const Risk& risk) {
  const std::size_t columns = data.rows->columns(), constant = risk.bias == Bias::regularized ? 1 : 0;
  if (model.weights.size() + constant > columns)
    throw InputError(fmt::format("the model to start from has {} features, but {} has only {}", model.weights.size(),
                                 data.name, columns - constant));
  Vector x(columns);
  std::copy(model.weights.begin(), model.weights.end(), x.begin());
  if (constant > 0) x.back() = model.intercept() / risk.constant;
  return x;
}

/// F(0), from which improvement is measured whatever the start.
double value_at_zero(const Objective& f) {
  const Vector zero(f.dimension());
  Vector gradient(f.dimension());
  return f.evaluate(zero, gradient);
}

LinearModel model_of(const Result& run, const LinearRisk& f, const Dataset& data, const Risk& risk) {
  const Vector& x = run.x;
  LinearModel model;
  model.risk = risk;
  if (loss_named(risk.loss).task == Task::classification) model.labels = binary_labels(data);
  model.weights = x;
  model.zero_based = data.zero_based;
  if (risk.bias == Bias::regularized) {
    model.bias_weight = x.back();
    model.weights.pop_back();
  } else if (risk.bias == Bias::free) {
    model.bias_weight = run.intercept ? *run.intercept : f.intercept(x);
  }
  return model;
}

/// What was reached is what the certificate proves.
void settle(TrainResult& trained, const Options& options) {
  const double tolerance = options.gap_tolerance;
  const Certificate& proof = *trained.certificate;
  Result& run = trained.run;
  // A run may also have converged by its gradient, about which a certificate says nothing.
  const bool claimed = run.relative_gap() <= tolerance || run.gap() <= options.absolute_gap_tolerance;
  run.value = proof.value;
  run.lower_bound = proof.lower_bound;
  std::string why = run.message.substr(0, run.message.find(';')) + "; ";
  if (proof.relative_gap <= tolerance || trained.gap() <= options.absolute_gap_tolerance) {
    run.status = Status::converged;
    why.clear();
  } else if (run.status == Status::converged && claimed) {
    run.status = Status::precision_limit;
    why = "the last digits of double precision are missing to prove more; ";
  }
  run.message = fmt::format("{}proven gap {}, {} of the possible improvement (tolerance {:g})", why,
                            text_above(trained.gap(), 3), text_above(proof.relative_gap, 3), tolerance);
  trained.model.status = to_string(run.status);
  trained.model.value = proof.value;
  trained.model.lower_bound = proof.lower_bound;
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
  if (const auto& parameter = loss_named(risk.loss).parameter;
      parameter && risk.loss_parameter == 0 && !parameter->allows(0)) {
    Risk complete = risk;
    complete.loss_parameter = parameter->default_value;
    return train(data, complete, options, observer);
  }
  if (checked(data).targets.empty()) throw std::invalid_argument("a data set needs at least one row");
  if (lacks_constant(data, risk)) return train(with_constant_of(risk, data), risk, options, observer);
  const std::unique_ptr<LinearRisk> f = objective(data, risk);
  Options how = run_options(options);
  Vector x0;
  if (options.initial != nullptr) {
    x0 = start_at(*options.initial, data, risk);
    f->expect_intercept(options.initial->intercept());
    if (!how.reference_value) how.reference_value = value_at_zero(*f);
  }

  TrainResult trained;
  trained.run = minimize(*f, options.method, x0, how, observer);
  if (trained.run.status == Status::not_finite) return trained;
  trained.model = model_of(trained.run, *f, data, risk);
  trained.model.method = options.method.name();
  const auto began = std::chrono::steady_clock::now();
  Known known{.fingerprint = options.fingerprint};
  if (!trained.run.dual.empty()) known.lower_bound = trained.run.lower_bound;
  trained.certificate = certify(data, trained.model, trained.run.dual, known);
  trained.proof_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  settle(trained, options.minimize);
  return trained;
}

}  // namespace geodescent
