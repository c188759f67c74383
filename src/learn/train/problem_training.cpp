#include "learn/train/problem_training.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "base/text/outward_text.hpp"
#include "data/assemble/class_numbers.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/risk.hpp"
#include "learn/linear/linear_oracle.hpp"
#include "learn/model_file/liblinear_model.hpp"
#include "learn/softmax/softmax_risk.hpp"

namespace geodescent {
namespace {

/// The columns of the model to start from, for the classes of a training; its own column where
/// there are none.
class Start {
 public:
  /// Throws InputError for a model with another number of features or kind of columns.
  Start(const LinearModel& model, const Dataset& data, const Risk& risk, const std::vector<ClassRows>& classes)
      : model_(model), outputs_(std::max<std::size_t>(classes.size(), 1)) {
    const std::size_t columns = data.rows->columns(), constant = risk.bias == Bias::regularized ? 1 : 0;
    if (model.features() + constant > columns)
      throw InputError(fmt::format("the model to start from has {} features, but {} has only {}", model.features(),
                                   data.name, columns - constant));
    if (model.classes.empty() != classes.empty())
      throw InputError(
          fmt::format("the model to start from has {}, but this training needs {}; start from a model of the same kind",
                      columns_text(model.outputs()), columns_text(outputs_)));
    for (std::size_t k = 0; k < outputs_; ++k) places_.push_back(classes.empty() ? 0 : place_of(classes[k].label));
    x_.resize(columns * outputs_);
    for (std::size_t j = 0; j < model.features(); ++j) put(j, [&](std::size_t k) { return weight(j, k); });
    if (constant > 0) put(columns - 1, [&](std::size_t k) { return model.intercept(k) / risk.constant; });
  }

  /// The coefficients of all columns of the data. A class that the model does not know starts at 0.
  Vector coefficients() && { return std::move(x_); }
  Vector intercepts() const {
    Vector b(outputs_);
    for (std::size_t k = 0; k < outputs_; ++k) b[k] = knows(k) ? model_.intercept(places_[k]) : 0;
    return b;
  }

 private:
  static std::string columns_text(std::size_t count) {
    return count == 1 ? "one column of coefficients" : fmt::format("{} columns of coefficients", count);
  }
  std::size_t place_of(double label) const {
    const auto found = std::ranges::find(model_.classes, label, &ClassRows::label);
    return static_cast<std::size_t>(found - model_.classes.begin());
  }
  bool knows(std::size_t k) const { return places_[k] < model_.outputs(); }
  double weight(std::size_t j, std::size_t column) const { return model_.weights[j * model_.outputs() + column]; }
  template <class Of>
  void put(std::size_t j, const Of& of) {
    for (std::size_t k = 0; k < outputs_; ++k)
      if (knows(k)) x_[j * outputs_ + k] = of(places_[k]);
  }

  const LinearModel& model_;
  std::size_t outputs_;
  std::vector<std::size_t> places_;  // of the classes among the columns of the model
  Vector x_;
};

/// F(0), the reference of the relative gap for every start.
double value_at_zero(const Objective& f) {
  const Vector zero(f.dimension());
  Vector gradient(f.dimension());
  return f.evaluate(zero, gradient);
}

/// The optimal free intercepts at x. One pass each way.
Vector intercepts_at(const Objective& f, std::span<const double> x) {
  const std::unique_ptr<Oracle> oracle = f.oracle();
  Vector gradient(f.dimension());
  evaluate_at(*oracle, x, gradient);
  return oracle->intercepts();
}

LinearModel model_of(const Result& run, const Dataset& data, const Risk& risk, const std::vector<ClassRows>& classes) {
  LinearModel model;
  model.risk = risk;
  model.classes = classes;
  if (classes.empty() && loss_named(risk.loss).task == Task::classification) model.labels = binary_labels(data);
  model.weights = run.x;
  model.zero_based = data.zero_based;
  if (risk.bias == Bias::regularized) {
    const auto constant = model.weights.end() - static_cast<std::ptrdiff_t>(model.outputs());
    model.bias_weights.assign(constant, model.weights.end());
    model.weights.erase(constant, model.weights.end());
  } else if (risk.bias == Bias::free) {
    model.bias_weights = run.intercepts;
  }
  // The file stores the difference of the two columns, and the proof must be about the stored
  // numbers.
  if (model.outputs() == 2) return in_two_columns(in_one_column(model));
  return model;
}

/// Replaces the result of the method by what the certificate proves.
void settle(TrainResult& trained, const Options& options) {
  const double tolerance = options.gap_tolerance;
  const Certificate& proof = *trained.certificate;
  Result& run = trained.run;
  // A run may have converged by its gradient, which a certificate does not contain.
  const bool claimed = run.relative_gap() <= tolerance || run.gap() <= options.absolute_gap_tolerance;
  run.value = proof.value;
  run.lower_bound = proof.lower_bound;
  std::string why = run.message.substr(0, run.message.find(';')) + "; ";
  if (proof.relative_gap <= tolerance || trained.gap() <= options.absolute_gap_tolerance) {
    run.status = Status::converged;
    why.clear();
  } else if (run.status == Status::converged && claimed) {
    run.status = Status::precision_limit;
    why = "double precision allows no closer proof; ";
  }
  run.message =
      fmt::format("{}proven gap {} (tolerance {:g})", why, gap_text(trained.gap(), proof.relative_gap), tolerance);
  state_claims(trained);
}

}  // namespace

std::unique_ptr<Objective> objective_of(const Dataset& data, const Risk& risk, const std::vector<ClassRows>& classes,
                                        std::span<const double> expected) {
  if (!classes.empty()) {
    auto f = std::make_unique<SoftmaxRisk>(numbered_by_class(data, classes), L2(risk.l2), classes.size(), risk.bias);
    if (!expected.empty()) f->expect_intercepts(expected);
    return f;
  }
  std::optional<double> parameter;
  if (loss_named(risk.loss).parameter || risk.loss_parameter != 0) parameter = risk.loss_parameter;
  auto f = make_risk(risk.loss, data, risk.l2, parameter, risk.bias);
  if (!expected.empty()) f->expect_intercept(expected.front());
  return f;
}

void state_claims(TrainResult& trained) {
  trained.model.status = to_string(trained.run.status);
  trained.model.value = trained.certificate->value;
  trained.model.lower_bound = trained.certificate->lower_bound;
}

TrainResult train_problem(const UsedData& data, const Risk& risk, const std::vector<ClassRows>& classes,
                          const TrainOptions& options, const Observer& observer) {
  const std::size_t outputs = std::max<std::size_t>(classes.size(), 1);
  Options how = run_options(options);
  Vector x0, expected;
  if (options.initial != nullptr) {
    Start start(*options.initial, data.all(), risk, classes);
    expected = start.intercepts();
    x0 = data.reduced(std::move(start).coefficients(), outputs);
  }
  const std::unique_ptr<Objective> f = objective_of(data.data(), risk, classes, expected);
  if (options.initial != nullptr && !how.reference_value) how.reference_value = value_at_zero(*f);

  TrainResult trained;
  trained.used_columns = data.data().rows->columns();
  trained.run = minimize(*f, options.method, x0, how, observer);
  Result& run = trained.run;
  const bool finite = run.status != Status::not_finite;
  if (finite && risk.bias == Bias::free && run.intercepts.empty()) run.intercepts = intercepts_at(*f, run.x);
  run.x = data.expanded(std::move(run.x), outputs);
  if (!finite) return trained;
  trained.model = model_of(run, data.all(), risk, classes);
  trained.model.method = options.method.name();
  const auto began = std::chrono::steady_clock::now();
  Known known{.fingerprint = options.fingerprint};
  if (!trained.run.dual.empty()) known.lower_bound = trained.run.lower_bound;
  trained.certificate = certify(data.all(), trained.model, trained.run.dual, known);
  trained.proof_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  settle(trained, options.minimize);
  return trained;
}

}  // namespace geodescent
