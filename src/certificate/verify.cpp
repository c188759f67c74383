// Checking a certificate, and judging coefficients that come without one.
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "base/text/counted.hpp"
#include "certificate/certificate_header.hpp"
#include "certificate/numbers/class_sums.hpp"
#include "certificate/numbers/self_test.hpp"
#include "certificate/rows/all_rows.hpp"
#include "certificate/same_on_ranks.hpp"
#include "data/assemble/class_numbers.hpp"
#include "data/ranks/rank_messages.hpp"
#include "geodescent/error.hpp"
#include "geodescent/learn/losses.hpp"
#include "learn/constant_column.hpp"
#include "learn/model_file/columns.hpp"

namespace geodescent {
namespace {

/// Whether the model has one problem for each class.
bool is_against_rest(const LinearModel& model) { return !model.classes.empty() && !is_joint(model.risk.loss); }

/// Calls use(k, data, model) for each class against the rest, on several threads. A proof inside
/// has one thread. On ranks one class after the other.
template <class Use>
void for_each_class(const Dataset& data, const LinearModel& model, const Use& use) {
  const auto use_class = [&](std::size_t k) {
    use(k, against_rest(data, model.classes[k].label), column_of(model, k));
  };
  if (data.ranks) {
    for (std::size_t k = 0; k < model.classes.size(); ++k) use_class(k);
    return;
  }
  parallel::for_each(parallel::cut(model.classes.size(), 1), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) use_class(k);
  });
}

/// The sums of values, lower bounds and references.
ProvenGap sum_of(const std::vector<ProvenGap>& of_classes) {
  Vector values, bounds, references;
  for (const ProvenGap& one : of_classes) {
    values.push_back(one.value);
    bounds.push_back(one.lower_bound);
    references.push_back(one.reference);
  }
  return {sum_above(values), sum_below(bounds), sum_below(references), of_classes.front().l2};
}

/// The proofs with these dual points. The data have the constant column, if any.
void prove_all(const Dataset& data, const LinearModel& model, const std::vector<const DualPoint*>& duals,
               Verification& to) {
  if (!is_against_rest(model)) {
    to.proven = prove(data, model, *duals.at(0));
    return;
  }
  std::vector<ProvenGap> of_classes(model.outputs());
  for_each_class(data, model, [&](std::size_t k, const Dataset& two, const LinearModel& column) {
    of_classes[k] = prove(two, column, *duals.at(k));
  });
  to.proven = sum_of(of_classes);
  to.of_classes = std::move(of_classes);
}

std::string differs(std::string_view what, const auto& model, const auto& certificate) {
  return fmt::format("the {} is {} in the model and {} in the certificate", what, model, certificate);
}

/// A contradiction between model and certificate; empty if they agree.
std::string disagreement(const LinearModel& model, const Certificate& certificate) {
  const Risk &m = model.risk, &c = certificate.risk;
  if (m.loss != c.loss) return differs("loss", m.loss, c.loss);
  if (m.loss_parameter != c.loss_parameter) return differs("loss parameter", m.loss_parameter, c.loss_parameter);
  if (m.l2 != c.l2) return differs("l2", m.l2, c.l2);
  if (m.bias != c.bias) return differs("bias", to_string(m.bias), to_string(c.bias));
  if (m.constant != c.constant) return differs("constant feature", m.constant, c.constant);
  if (model.classes.size() != certificate.classes)
    return differs("number of classes with coefficients of their own", model.classes.size(), certificate.classes);
  if (model.features() != certificate.features)
    return differs("number of features", model.features(), certificate.features);
  return {};
}

std::string class_weights_text(std::span<const ClassWeight> all) {
  std::string text;
  for (const ClassWeight& one : all)
    text += fmt::format("{}{} for label {}", text.empty() ? "" : ", ", one.weight, one.label);
  return all.empty() ? "none" : text;
}

/// A disagreement in class weights, or in the numbers of rows and dual values.
std::string disagreement_of_rows(const Dataset& data, const Certificate& certificate) {
  if (!certificate.class_weights.empty() && data.class_weights != certificate.class_weights) {
    return fmt::format("the class weights of the data are {}, those of the certificate {}",
                       class_weights_text(data.class_weights), class_weights_text(certificate.class_weights));
  }
  const bool weighted = certificate.total_weight != static_cast<double>(certificate.rows);
  const char* const weights = weighted ? " and the same weights of rows and classes" : "";
  const std::size_t rows = number_of_rows(data),
                    per_row = dual_values(certificate) / std::max<std::size_t>(certificate.rows, 1);
  for (const DualPoint* const dual : dual_points(certificate))
    if (rows != certificate.rows || !proof::AllRows(data).fits(dual->steps.size(), per_row))
      return fmt::format("{} has {}, but the certificate is for {} with {}; give the data of the training{}", data.name,
                         counted(rows, "row"), certificate.rows, counted(dual->steps.size(), "dual value"), weights);
  return {};
}

std::string labels_text(std::span<const ClassRows> classes) {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, classes.size()); ++k)
    text += fmt::format("{}{}", k == 0 ? "" : (k + 1 == classes.size() ? " and " : ", "), classes[k].label);
  return classes.size() > most ? fmt::format("{}, ... ({} labels)", text, classes.size()) : text;
}

/// The labels of the model in increasing order, and the rows of each.
std::vector<ClassRows> class_rows_of(const LinearModel& model) {
  if (!model.labels) return model.classes;
  return {{model.labels->negative, model.labels->negatives}, {model.labels->positive, model.labels->positives}};
}

std::string disagreement_of_labels(const Dataset& data, const LinearModel& model) {
  if (!model.is_classifier()) return {};
  const std::vector<ClassRows> known = class_rows_of(model), found = class_rows(data);
  if (!std::ranges::equal(known, found, {}, &ClassRows::label, &ClassRows::label))
    return fmt::format("the model is for the labels {}, but the data have {}", labels_text(known), labels_text(found));
  // A model of another program may not contain the counts.
  const bool untold =
      model.status.empty() && std::ranges::all_of(known, [](const ClassRows& c) { return c.rows == 0; });
  if (untold) return {};
  for (std::size_t k = 0; k < known.size(); ++k)
    if (known[k].rows != found[k].rows)
      return fmt::format("the model states {} with the label {}, but the data have {}", counted(known[k].rows, "row"),
                         known[k].label, found[k].rows);
  return {};
}

std::string disagreement(const Dataset& data, const LinearModel& model, const Certificate& certificate) {
  if (total_weight(data) != certificate.total_weight) {
    return fmt::format(
        "the total weight of the rows is {} here and {} in the certificate; give the sample weights of the training",
        total_weight(data), certificate.total_weight);
  }
  if (const std::string found = fingerprint(data); found != certificate.fingerprint) {
    return fmt::format("the data are not those of the certificate: their fingerprint is {}, that of the certificate {}",
                       found, certificate.fingerprint);
  }
  return disagreement_of_labels(data, model);
}

/// The claim that cannot be proven; empty if all can. `claimed` is a Certificate or a Claim.
template <class Claimed>
std::string refuted(const ProvenGap& proven, double relative_gap, const Claimed& claimed) {
  if (!(proven.value <= claimed.value)) {
    return fmt::format("the value of the model is {}, more than the {} that is claimed", proven.value, claimed.value);
  }
  if (!(proven.lower_bound >= claimed.lower_bound)) {
    return fmt::format("the lower bound is {}, less than the {} that is claimed", proven.lower_bound,
                       claimed.lower_bound);
  }
  if (!(relative_gap <= claimed.relative_gap)) {
    return fmt::format("the relative gap is {}, more than the {} that is claimed", relative_gap, claimed.relative_gap);
  }
  return {};
}

std::string refuted(const Verification& found, const LinearModel& model, const Certificate& claimed) {
  for (std::size_t k = 0; k < found.of_classes.size(); ++k) {
    const ProvenGap& proven = found.of_classes[k];
    const std::string reason = refuted(proven, proven.relative_gap(), claimed.claims[k]);
    if (!reason.empty()) return fmt::format("class {}: {}", model.classes[k].label, reason);
  }
  return refuted(found.proven, found.relative_gap(), claimed);
}

/// Our section of the model claims a value and a bound as well; they must be true, too.
std::string refuted(const ProvenGap& proven, const LinearModel& model) {
  if (model.status.empty() || (proven.value <= model.value && proven.lower_bound >= model.lower_bound)) return {};
  return fmt::format("the model claims the value {} and the lower bound {}, but {} and {} are proven", model.value,
                     model.lower_bound, proven.value, proven.lower_bound);
}

/// A model of another program may not contain its objective.
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

Verification verify(const Dataset& data, const LinearModel& model, const Certificate& certificate) {
  proof::require_sound_arithmetic();  // a failed self-test says nothing about the claim
  const LinearModel judged = completed(model, certificate);
  Verification result;
  // Bounds that hold for every model.
  result.proven = {std::numeric_limits<double>::infinity(), 0, 0, judged.risk.l2};
  try {
    require_same_on_ranks(data, model);
    require_same_on_ranks(data, certificate);
    if (lacks_constant(data, judged.risk)) return verify(with_constant_of(judged.risk, data), model, certificate);
    const auto require_none = [&](const std::string& reason) {
      if (!reason.empty()) throw InputError(reason);
    };
    on_all_ranks(data, [&] { require_none(disagreement(judged, certificate)); });
    on_all_ranks(data, [&] { require_none(disagreement_of_rows(data, certificate)); });
    require_none(disagreement(data, judged, certificate));
    prove_all(data, judged, dual_points(certificate), result);
    result.reason = refuted(result, judged, certificate);
    if (result.reason.empty()) result.reason = refuted(result.proven, model);
  } catch (const InputError& error) {  // data, weights or dual values for which no proof is possible
    result.reason = error.what();
  }
  result.holds = result.reason.empty();
  return result;
}

double Verification::relative_gap() const {
  double largest = of_classes.empty() ? proven.relative_gap() : 0;
  for (const ProvenGap& one : of_classes) largest = std::max(largest, one.relative_gap());
  return largest;
}

Verification judge(const Dataset& data, const LinearModel& model) {
  require_same_on_ranks(data, model);
  if (lacks_constant(data, model.risk)) return judge(with_constant_of(model.risk, data), model);
  constexpr int all_bytes = 8;
  Verification result{.holds = true, .reason = {}, .proven = {}, .of_classes = {}};
  std::vector<DualPoint> duals(is_against_rest(model) ? model.outputs() : 1);
  if (is_against_rest(model)) {
    for_each_class(data, model, [&](std::size_t k, const Dataset& two, const LinearModel& column) {
      duals[k] = rounded_dual(two, column.risk, slopes_at(two, column), all_bytes);
    });
  } else {
    duals[0] = rounded_dual(data, model.risk, slopes_at(data, model), all_bytes);
  }
  std::vector<const DualPoint*> pointers;
  for (const DualPoint& dual : duals) pointers.push_back(&dual);
  prove_all(data, model, pointers, result);
  return result;
}

Verification judge(const Dataset& data, const LinearModel& model, const Certificate& certificate) {
  require_same_on_ranks(data, model);
  require_same_on_ranks(data, certificate);
  if (lacks_constant(data, model.risk)) return judge(with_constant_of(model.risk, data), model, certificate);
  Verification result{.holds = true, .reason = {}, .proven = {}, .of_classes = {}};
  prove_all(data, model, dual_points(certificate), result);
  return result;
}

}  // namespace geodescent
