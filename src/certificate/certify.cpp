// Making a certificate, and checking one.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "certificate/numbers/self_test.hpp"
#include "certificate/proof/prove.hpp"
#include "geodescent/error.hpp"
#include "learn/constant_column.hpp"

namespace geodescent {
namespace {

using proof::Problem;

/// A checker of somebody else may round more; it must confirm an honest claim, too.
constexpr double claim_margin = 4e-15;
constexpr int most_bytes = 8;
/// The gap may grow by this factor for the sake of a smaller file.
constexpr double allowed_growth = 1.01;

/// A dual point and what it proves.
struct Candidate {
  DualPoint dual;
  double bound = 0;
};

Candidate candidate(const Problem& problem, std::span<const double> slopes, int bytes) {
  Candidate result;
  result.dual = rounded_dual(problem, slopes, bytes);
  result.bound = bound_below(problem, result.dual);
  return result;
}

/// The fewest bytes with which steps are small against the gap, relative to the largest dual value.
int first_guess(double gap) {
  int bytes = 3;
  while (bytes < most_bytes && std::ldexp(1.0, 1 - 8 * bytes) > 0.05 * gap) ++bytes;
  return bytes;
}

/// As few bytes as keep the gap below 1.01 times the smallest. Each trial is a backward pass.
Candidate smallest(const Problem& problem, std::span<const double> slopes, double value,
                   std::optional<double> best_bound) {
  std::optional<Candidate> best;
  if (!best_bound) best_bound = (best = candidate(problem, slopes, most_bytes))->bound;
  const double gap = value - *best_bound;
  for (int bytes = first_guess(gap); bytes < most_bytes; ++bytes) {
    Candidate tried = candidate(problem, slopes, bytes);
    if (tried.bound >= value - allowed_growth * gap) return tried;
  }
  return best ? std::move(*best) : candidate(problem, slopes, most_bytes);
}

std::string differs(std::string_view what, const auto& model, const auto& certificate) {
  return fmt::format("the {} is {} in the model and {} in the certificate", what, model, certificate);
}

/// What the model says and the certificate does not; empty when they agree.
std::string disagreement(const LinearModel& model, const Certificate& certificate) {
  const Risk &m = model.risk, &c = certificate.risk;
  if (m.loss != c.loss) return differs("loss", m.loss, c.loss);
  if (m.loss_parameter != c.loss_parameter) return differs("loss parameter", m.loss_parameter, c.loss_parameter);
  if (m.l2 != c.l2) return differs("l2", m.l2, c.l2);
  if (m.bias != c.bias) return differs("bias", to_string(m.bias), to_string(c.bias));
  if (m.constant != c.constant) return differs("constant feature", m.constant, c.constant);
  if (model.weights.size() != certificate.features) {
    return differs("number of features", model.weights.size(), certificate.features);
  }
  return {};
}

std::string class_weights_text(std::span<const ClassWeight> all) {
  std::string text;
  for (const ClassWeight& one : all)
    text += fmt::format("{}{} for label {}", text.empty() ? "" : ", ", one.weight, one.label);
  return all.empty() ? "none" : text;
}

std::string disagreement(const Dataset& data, const LinearModel& model, const Certificate& certificate) {
  if (!certificate.class_weights.empty() && data.class_weights != certificate.class_weights) {
    return fmt::format("the class weights of the data are {}, those of the certificate {}",
                       class_weights_text(data.class_weights), class_weights_text(certificate.class_weights));
  }
  if (data.targets.size() != certificate.rows || certificate.dual.steps.size() != certificate.rows) {
    const bool weighted = certificate.total_weight != static_cast<double>(certificate.rows);
    return fmt::format(
        "{} has {} rows, but the certificate is for {} with {} dual values; give the data of the training{}", data.name,
        data.targets.size(), certificate.rows, certificate.dual.steps.size(),
        weighted ? " and the same weights of rows and classes" : "");
  }
  if (total_weight(data) != certificate.total_weight) {
    return fmt::format(
        "the rows count as {} here and as {} in the certificate; weights must be given as in the training",
        total_weight(data), certificate.total_weight);
  }
  if (const std::string found = fingerprint(data); found != certificate.fingerprint) {
    return fmt::format("the data are not those of the certificate: their fingerprint is {}, that of the certificate {}",
                       found, certificate.fingerprint);
  }
  if (!model.labels) return {};
  const BinaryLabels labels = binary_labels(data);
  if (labels.negative != model.labels->negative || labels.positive != model.labels->positive) {
    return fmt::format("the model is for the labels {} and {}, but the data have {} and {}", model.labels->negative,
                       model.labels->positive, labels.negative, labels.positive);
  }
  // A model from elsewhere does not count them.
  const bool untold = model.status.empty() && model.labels->negatives == 0 && model.labels->positives == 0;
  const bool counted = labels.negatives == model.labels->negatives && labels.positives == model.labels->positives;
  if (untold || counted) return {};
  return fmt::format("the model says that {} and {} rows have its labels, but the data have {} and {}",
                     model.labels->negatives, model.labels->positives, labels.negatives, labels.positives);
}

/// What is claimed and cannot be shown; empty when everything can.
std::string refuted(const ProvenGap& proven, const Certificate& claimed) {
  if (!(proven.value <= claimed.value)) {
    return fmt::format("the value of the model is {}, more than the {} that is claimed", proven.value, claimed.value);
  }
  if (!(proven.lower_bound >= claimed.lower_bound)) {
    return fmt::format("the lower bound is {}, less than the {} that is claimed", proven.lower_bound,
                       claimed.lower_bound);
  }
  if (!(proven.relative_gap() <= claimed.relative_gap)) {
    return fmt::format("the relative gap is {}, more than the {} that is claimed", proven.relative_gap(),
                       claimed.relative_gap);
  }
  return {};
}

/// A model of ours says itself how good it is: that must be true as well.
std::string refuted(const ProvenGap& proven, const LinearModel& model) {
  if (model.status.empty() || (proven.value <= model.value && proven.lower_bound >= model.lower_bound)) return {};
  return fmt::format("the model says that its value is {} and the lower bound {}, but {} and {} are what can be shown",
                     model.value, model.lower_bound, proven.value, proven.lower_bound);
}

/// A model from elsewhere may not know what it minimises.
LinearModel completed(LinearModel model, const Certificate& certificate) {
  if (model.has_section || !model.status.empty()) return model;  // ours
  if (model.risk.loss.empty()) {
    model.risk.loss = certificate.risk.loss;
    model.risk.loss_parameter = certificate.risk.loss_parameter;
  }
  if (model.risk.l2 == 0) model.risk.l2 = certificate.risk.l2;
  return model;
}

}  // namespace

Certificate certify(const Dataset& data, const LinearModel& model, std::span<const double> slopes, const Known& known) {
  if (lacks_constant(data, model.risk)) return certify(with_constant_of(model.risk, data), model, slopes, known);
  const Problem problem(data, model.risk);
  const double value = value_above(problem, model);
  Vector at_model;
  if (slopes.empty()) slopes = at_model = slopes_at(data, model);
  Candidate best = smallest(problem, slopes, value, known.lower_bound);

  require_no_contradiction(problem, value, best.bound);

  const ProvenGap claimed{value * (1 + claim_margin), best.bound * (1 - claim_margin),
                          reference_below(problem) * (1 - claim_margin), model.risk.l2};
  Certificate result;
  result.risk = model.risk;
  result.class_weights = data.class_weights;
  result.fingerprint = known.fingerprint.empty() ? fingerprint(data) : known.fingerprint;
  result.rows = data.targets.size();
  result.total_weight = total_weight(data);
  result.features = model.weights.size();
  result.value = claimed.value;
  result.lower_bound = claimed.lower_bound;
  result.relative_gap = claimed.relative_gap();
  result.dual = std::move(best.dual);
  return result;
}

Verification verify(const Dataset& data, const LinearModel& model, const Certificate& certificate) {
  proof::require_sound_arithmetic();  // a machine that cannot prove says nothing about the claim
  const LinearModel judged = completed(model, certificate);
  Verification result;
  // Until more is shown: what holds for every model.
  result.proven = {std::numeric_limits<double>::infinity(), 0, 0, judged.risk.l2};
  try {
    if (lacks_constant(data, judged.risk)) return verify(with_constant_of(judged.risk, data), model, certificate);
    result.reason = disagreement(judged, certificate);
    if (result.reason.empty()) result.reason = disagreement(data, judged, certificate);
    if (!result.reason.empty()) return result;
    result.proven = prove(data, judged, certificate.dual);
    result.reason = refuted(result.proven, certificate);
    if (result.reason.empty()) result.reason = refuted(result.proven, model);
  } catch (const InputError& error) {  // data, weights or dual values that no proof can be made of
    result.reason = error.what();
  }
  result.holds = result.reason.empty();
  return result;
}

}  // namespace geodescent
